// What every page of sessions has to know of its surroundings.

import { isDirectory } from '../api/is-directory.ts';
import type { SessionLineOptions } from '../render/sessions/session-lines.ts';
import type { Context } from './context.ts';

export function toPageOptions(context: Context): SessionLineOptions {
  const { at, stdout, useColor, now, quiet, givenFlags } = context;
  return {
    columns: stdout.columns,
    useColor,
    now: now(),
    homeDir: at.homeDir,
    isDirectory,
    isQuiet: quiet,
    givenFlags,
  };
}
