// Where `--output` points.

import { resolve } from 'node:path';
import { UserError } from '../errors.ts';
import type { Context } from './context.ts';

/** Null for standard output, which a dash means, as everywhere. */
export function toOutput({ at }: Pick<Context, 'at'>, flag: string | undefined): string | null {
  if (flag?.trim() === '') throw new UserError('--output needs the name of a file', { code: 'usage' });
  return flag === undefined || flag === '-' ? null : resolve(at.cwd, flag);
}
