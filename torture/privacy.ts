import type { Trials } from './tally.ts';
export async function torturePrivacy(_: Trials): Promise<void> {}
