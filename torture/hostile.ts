import type { Trials } from './tally.ts';
export async function tortureHostile(_: Trials): Promise<void> {}
