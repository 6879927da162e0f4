import type { Trials } from './tally.ts';
export async function tortureLines(_: Trials): Promise<void> {}
