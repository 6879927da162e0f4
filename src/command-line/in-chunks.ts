// Joins small pieces of text, each of them lines, into larger ones, and lets an interrupt be heard in between.

/** Enough to make the calls that write them few, and little enough to come at once. */
const chunkChars = 32_768;

export async function* inChunks(pieces: Iterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  let chunk: string[] = [];
  let chars = 0;
  for (const piece of pieces) {
    if (piece === '') continue;
    chunk.push(piece);
    chars += piece.length;
    if (chars < chunkChars) continue;
    yield chunk.join('\n');
    chunk = [];
    chars = 0;
    // Signals are told between two turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  if (chunk.length > 0) yield chunk.join('\n');
}
