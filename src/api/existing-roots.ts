// The Claude folders that there are, for commands that have something to do also where there is none any more.

import type { Context } from '../command-line/context.ts';
import { UserError } from '../errors.ts';

export function existingRoots(context: Context, onMissing: (error: UserError) => void = () => {}): string[] {
  try {
    return context.roots();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    onMissing(error);
    return [];
  }
}
