// Where the pieces of a page go: a file, a pager when they are longer than the screen, or straight out.

import { existingRoots } from '../api/existing-roots.ts';
import { type Surroundings, toClaudeFiles, toRoots } from '../config.ts';
import { UserError } from '../errors.ts';
import { toPrintableLine } from '../render/printable.ts';
import type { Store } from '../store/open/open-store.ts';
import { readRoots } from '../store/read/index-facts.ts';
import type { Context } from './context.ts';
import { inChunks } from './in-chunks.ts';
import type { ShowRequest } from './show-flags.ts';

/** Makes the pieces from the beginning, each time it is called. */
export type Pieces = () => Promise<Iterable<string>>;

export async function writePieces(
  context: Context,
  pieces: Pieces,
  { format, output, overwrites, usesPager }: ShowRequest,
  store: Store,
): Promise<void> {
  if (output !== null) {
    const { writeOutput } = await import('./write-output.ts');
    const roots = [...readRoots(store.db), ...existingRoots(context)];
    await writeOutput(output, await pieces(), {
      overwrites,
      roots,
      claudeFiles: claudeFilesAt(context.at),
      indexPath: context.indexPath,
      signal: context.signal,
    });
    if (!context.json) context.note(`recall: wrote ${toPrintableLine(output)}`);
    return;
  }
  const isForPeople = format === 'terminal' || format === 'markdown';
  if (usesPager && isForPeople && context.stdout.isTerminal) {
    const { page } = await import('./page.ts');
    if (await page(context, await pieces())) return;
  }
  for await (const chunk of inChunks(await pieces(), context.signal)) context.print(chunk);
}

/** ~/.claude.json stands outside of the folder, and is in use also while CLAUDE_CONFIG_DIR names another one. */
function claudeFilesAt(at: Surroundings): string[] {
  const usual = { ...at, env: {} };
  try {
    return toRoots([], usual).flatMap((root) => Object.values(toClaudeFiles(root, usual)));
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
