// Where the pieces of a page go: a file, a pager when they are longer than the screen, or straight out.

import { toPrintableLine } from '../render/printable.ts';
import type { Store } from '../store/open-store.ts';
import { readRoots } from '../store/read-roots.ts';
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

/** A page can be written also where there is no Claude folder any more. */
function existingRoots(context: Context): string[] {
  try {
    return context.roots();
  } catch {
    return [];
  }
}
