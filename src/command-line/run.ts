// Connects the definition of a command to the function that runs it.

import type { Context } from './context.ts';

/**
 * Turns a function that takes the context, the arguments and the flags, and returns the exit code, into an
 * action for commander.
 */
export type Run = <Given extends unknown[]>(
  runner: (context: Context, ...given: Given) => Promise<number>,
) => (...given: Given) => Promise<void>;
