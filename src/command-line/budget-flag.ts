// How many characters an agent wants to read.

import { UserError } from '../errors.ts';
import { most } from '../render/brief/voice.ts';
import { toPrintableLine } from '../text/printable.ts';

export interface BriefFlags {
  readonly brief?: boolean;
  readonly budget?: string;
}

export const minBudget = 200;
const maxBudget = most.budget;

/** Null when the output is not for an agent. */
export function toBudget({ brief, budget }: BriefFlags, usual: number, isJson: boolean): number | null {
  if (brief && isJson)
    throw new UserError('--brief and --json are two formats', { code: 'usage', hint: 'choose one' });
  if (!brief && budget === undefined) return null;
  if (!brief)
    throw new UserError('--budget goes with --brief', {
      code: 'usage',
      hint: `--brief --budget ${toPrintableLine(budget ?? '')}`,
    });
  const chars = Number(budget ?? usual);
  if (Number.isSafeInteger(chars) && chars >= minBudget && chars <= maxBudget) return chars;
  throw new UserError(
    `--budget takes a number of characters from ${minBudget} to ${maxBudget}, not ${toPrintableLine(budget ?? '')}`,
    { code: 'usage' },
  );
}

/** Enough for an answer, little enough to ask again. */
export const usualBudgets = { search: 3000, show: 8000, list: 3000, files: 3000 } as const;
