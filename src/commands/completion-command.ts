// recall completion: prints the script that a shell is to read.

import type { Context } from '../command-line/context.ts';
import bash from '../command-line/shells/recall.bash';
import fish from '../command-line/shells/recall.fish';
import zsh from '../command-line/shells/recall.zsh';
import { EXIT_OK } from '../errors.ts';

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };

export async function runCompletion(context: Context, shell: string): Promise<number> {
  context.print((scripts[shell] ?? '').trimEnd());
  return EXIT_OK;
}
