// Chooses how much is told so that it keeps to a budget of characters.

import type { Voice } from './voice.ts';

export interface Told<T> {
  readonly data: T;
  readonly text: string;
}

/** A round number of characters that should be enough for what was left out. */
export function toLarger(budget: number): number {
  return Math.ceil((budget * 2) / 500) * 500;
}

/** The first of ever briefer forms that fits; the last one, cut off, when none does. */
export function keepTo<F, T>(
  forms: readonly F[],
  budget: number,
  { sendsData }: Voice,
  tell: (form: F) => Told<T>,
): Told<T> {
  let told: Told<T> | null = null;
  for (const form of forms) {
    told = tell(form);
    const dataChars = sendsData ? JSON.stringify(told.data).length : 0;
    if (told.text.length <= budget && dataChars <= budget) return told;
  }
  if (told === null) throw new Error('no form to choose from');
  return told.text.length <= budget
    ? told
    : { ...told, text: `${told.text.slice(0, Math.max(0, budget - 1)).toWellFormed()}…` };
}
