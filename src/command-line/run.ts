// How a command's definition hands over to the command itself.

import type { Context } from './context.ts';

/** Gets the flags, the global ones among them, and the arguments as they were typed; gives the exit code. */
export type Runner = (context: Context, flags: Record<string, never>, ...args: string[]) => Promise<number>;

/** Makes the action that commander calls. */
export type Run = (runner: Runner) => (...given: unknown[]) => Promise<void>;
