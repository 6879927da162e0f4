import type { Trials } from './tally.ts';
export async function tortureQueries(_: Trials): Promise<void> {}
