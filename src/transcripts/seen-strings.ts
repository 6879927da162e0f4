// The short strings a field held lately. Directory, session, version, type, tool: a line mostly repeats what lines before
// it said, and recognising a string takes half the time of making it and leaves nothing to collect.

const slotCount = 16;
const maxBytes = 64;

export class SeenStrings {
  private readonly bySlot: string[] = Array.from({ length: slotCount }, () => '');

  /** The bytes as a string. */
  read(memory: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length > maxBytes) return memory.toString('utf8', start, end);
    const slot = (length + (memory[end - 1] ?? 0)) & (slotCount - 1);
    const seen = this.bySlot[slot] ?? '';
    if (isSame(seen, memory, start, end)) return seen;
    const text = memory.toString('utf8', start, end);
    // One character for each byte: nothing but ASCII and replacement characters, which no byte is taken for.
    if (text.length === length) this.bySlot[slot] = text;
    return text;
  }
}

/** From the end, where ids and times differ first. */
function isSame(text: string, memory: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = text.length - 1; i >= 0; i--) if (text.charCodeAt(i) !== memory[start + i]) return false;
  return true;
}
