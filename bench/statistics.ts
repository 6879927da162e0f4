// What a few trials say: the middle and the spread, and how one thing compares with another measured beside it.

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly trials: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const above = sorted[Math.floor(middle)] ?? Number.NaN;
  const below = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (above + below) / 2;
}

export function toSpread(values: readonly number[]): Spread {
  return {
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    trials: values.length,
  };
}

/**
 * The middle of the ratios round by round, not the ratio of the middles: what slows the machine for a while slows both
 * sides of the same round.
 */
export function toRatio(values: readonly number[], yardstick: readonly number[]): number {
  return median(values.map((value, round) => value / (yardstick[round] ?? Number.NaN)));
}

/** Each round's value without what another took in the same round, never below zero. */
export function subtract(values: readonly number[], other: readonly number[]): number[] {
  return values.map((value, round) => Math.max(0, value - (other[round] ?? 0)));
}
