// Where the pieces of a page go: to a file, to a pager if they do not fit on the screen, or to standard
// output.

import { toPrintableLine } from '../text/printable.ts';
import type { Context } from './context.ts';
import type { ShowOptions } from './show-flags.ts';

/** Starts over each time it is called. */
export type Pieces = () => AsyncIterable<string>;

export async function writePieces(
  context: Context,
  { format, output, overwrites, usesPager }: ShowOptions,
  pieces: Pieces,
): Promise<void> {
  const { signal } = context;
  if (output !== null) {
    const { writeOutput } = await import('./write-output.ts');
    await writeOutput(output, inChunks(pieces(), signal), {
      overwrites,
      ...(await context.recall.readOnlyPaths()),
      indexPath: context.indexPath,
    });
    if (!context.json) context.note(`recall: wrote ${toPrintableLine(output)}`);
    return;
  }
  const isForPeople = ['terminal', 'markdown', 'prompts'].includes(format);
  if (usesPager && isForPeople && context.stdout.isTerminal) {
    const { page } = await import('./page.ts');
    if (await page(context, pieces())) return;
  }
  for await (const chunk of inChunks(pieces(), signal)) context.print(chunk);
}

/** Large enough to keep the number of writes low, and small enough to appear immediately. */
const chunkChars = 32_768;

/**
 * Joins small pieces of text, each of them whole lines, into larger chunks, and checks for an interrupt in
 * between.
 */
async function* inChunks(pieces: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  let chunk: string[] = [];
  let chars = 0;
  for await (const piece of pieces) {
    if (piece === '') continue;
    chunk.push(piece);
    chars += piece.length;
    if (chars < chunkChars) continue;
    yield chunk.join('\n');
    chunk = [];
    chars = 0;
    // Signals arrive between two turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  if (chunk.length > 0) yield chunk.join('\n');
}
