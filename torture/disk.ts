import type { Trials } from './tally.ts';
export async function tortureDisk(_: Trials): Promise<void> {}
