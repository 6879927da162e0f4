// How the definition of a command hands over to what it does.

import type { Context } from './context.ts';

/**
 * Makes the action that commander calls from a function that gets the context, the arguments and the flags, and gives the
 * exit code.
 */
export type Run = <Given extends unknown[]>(
  runner: (context: Context, ...given: Given) => Promise<number>,
) => (...given: Given) => Promise<void>;
