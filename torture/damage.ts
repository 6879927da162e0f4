import type { Trials } from './tally.ts';
export async function tortureDamage(_: Trials): Promise<void> {}
