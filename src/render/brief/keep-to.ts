// Chooses how much to show within a budget of characters.

import type { Voice } from './voice.ts';

export interface Fitted<T> {
  readonly data: T;
  readonly text: string;
}

/** A round number of characters that should be enough for what was left out. */
export function toLargerBudget(budget: number): number {
  return Math.ceil((budget * 2) / 500) * 500;
}

/** The first form that fits, from long to short; the last one, cut off, if none does. */
export function keepTo<F, T>(
  forms: readonly F[],
  budget: number,
  { sendsData }: Voice,
  render: (form: F) => Fitted<T>,
): Fitted<T> {
  let fitted: Fitted<T> | null = null;
  for (const form of forms) {
    fitted = render(form);
    const dataChars = sendsData ? JSON.stringify(fitted.data).length : 0;
    if (fitted.text.length <= budget && dataChars <= budget) return fitted;
  }
  if (fitted === null) throw new Error('no form to choose from');
  return fitted.text.length <= budget
    ? fitted
    : { ...fitted, text: `${fitted.text.slice(0, Math.max(0, budget - 1)).toWellFormed()}…` };
}
