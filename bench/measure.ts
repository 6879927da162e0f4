// What the bench finds out, as data: shown as a table, printed as JSON, judged by budgets.

import type { Spread } from './statistics.ts';

export interface RatioTo {
  readonly yardstick: string;
  readonly ratio: number;
}

export interface Measure {
  /** Names it for budgets and machines. */
  readonly id: string;
  /** Names it for people. */
  readonly name: string;
  /** Of the program itself, and not a yardstick: its memory has a budget. */
  readonly isProgram: boolean;
  /** Milliseconds; null for what is not a time. */
  readonly ms: Spread | null;
  readonly peakMb: number | null;
  readonly ratios: readonly RatioTo[];
}
