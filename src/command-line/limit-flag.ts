// How many results a person wants to see.

import { UserError } from '../errors.ts';
import { maxListed } from '../records.ts';
import { toPrintableLine } from '../text/printable.ts';

export function toLimit(flag: string | undefined): number {
  const limit = Number(flag ?? 10);
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= maxListed) return limit;
  throw new UserError(`--limit takes a number from 1 to ${maxListed}, not ${toPrintableLine(flag ?? '')}`, {
    code: 'usage',
  });
}
