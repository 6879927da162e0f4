// recall completion: prints the script that a shell is to read.

import { EXIT_OK } from '../errors.ts';
import bash from '../shells/recall.bash';
import fish from '../shells/recall.fish';
import zsh from '../shells/recall.zsh';
import type { Context } from './context.ts';

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };

export async function runCompletion(context: Context, shell: string): Promise<number> {
  context.print((scripts[shell] ?? '').trimEnd());
  return EXIT_OK;
}
