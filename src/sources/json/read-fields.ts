// Reads the fields that are wanted out of a line of JSON and passes over the rest, some 97% of a transcript. What comes
// out is what JSON.parse would give, cut down to the shape; what JSON.parse would refuse is refused.

import { constant, getTapeEnd, makeRoom, memory, scan, windowAt } from './scanner.ts';
import { type Shape, WantedFields } from './wanted-fields.ts';

const tapeAt = constant('tapeAt') / 4;
const findingWords = 4;
const plainText = constant('plainText');
const escapedText = constant('escapedText');
const seenText = constant('seenText');
const newText = constant('newText');
const objectStart = constant('objectStart');
const arrayStart = constant('arrayStart');
const itemsEnd = constant('itemsEnd');
const whole = constant('whole');
const unusual = constant('unusual');

const newline = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;

/** The scanner has room for the tables of one reader. */
let loaded: FieldReader | null = null;

/** Reads one line after the other. Recursion is as deep as the shape, whatever the depth of the line. */
export class FieldReader {
  private readonly shape: Shape;
  private readonly wanted: WantedFields;
  private seen: string[] = [];
  private at = 0;

  constructor(shape: Shape) {
    this.shape = shape;
    this.wanted = new WantedFields(shape);
  }

  /** The value cut down to the shape; undefined when the bytes are not JSON. Throws where a wanted value is made of too many. */
  read(line: Buffer): unknown {
    const from = line.buffer === memory.bytes.buffer ? line.byteOffset : copyIn(line);
    const end = from + line.length;
    if (loaded !== this) this.load();
    memory.bytes[end] = newline;
    const outcome = scan(from, end, this.wanted.root);
    if (outcome === whole) return this.takeWhole();
    this.remember();
    return outcome === unusual ? this.parse(from, end) : undefined;
  }

  private takeWhole(): unknown {
    this.at = tapeAt;
    try {
      return this.take(memory.words[tapeAt] ?? 0);
    } catch (error) {
      this.remember();
      throw error;
    }
  }

  private load(): void {
    this.wanted.load();
    this.seen = [];
    loaded = this;
  }

  private parse(from: number, end: number): unknown {
    try {
      return cutDown(parseSome(from, end), this.shape);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** What the scanner has seen in a line that is not taken will count as seen all the same. */
  private remember(): void {
    const { words, bytes } = memory;
    const end = getTapeEnd() / 4;
    for (let at = tapeAt; at < end; at += findingWords) {
      if (((words[at] ?? 0) & 0xff) !== newText) continue;
      this.seen[words[at + 3] ?? 0] = bytes.toString('latin1', words[at + 1], words[at + 2]);
    }
  }

  /** The value whose finding, with this head, comes next on the tape. */
  private take(head: number): unknown {
    const { words, bytes } = memory;
    const { at } = this;
    this.at += findingWords;
    const kind = head & 0xff;
    if (kind === objectStart) return this.takeFields();
    if (kind === arrayStart) return this.takeItems();
    const from = words[at + 1] ?? 0;
    const to = words[at + 2] ?? 0;
    const slot = words[at + 3] ?? 0;
    if (kind === seenText) return this.getSeen(slot);
    if (kind === newText) {
      const text = bytes.toString('latin1', from, to);
      this.seen[slot] = text;
      return text;
    }
    if (kind === plainText) return bytes.toString('utf8', from, to);
    if (kind === escapedText) return JSON.parse(bytes.toString('utf8', from, to));
    return toValue(from, to);
  }

  private getSeen(slot: number): string {
    const text = this.seen[slot];
    if (text === undefined) throw new Error('the scanner has seen a string that was never read');
    return text;
  }

  private takeFields(): Record<string, unknown> {
    const { words } = memory;
    const { keys } = this.wanted;
    const object: Record<string, unknown> = {};
    for (;;) {
      const head = words[this.at] ?? 0;
      if ((head & 0xff) === itemsEnd) break;
      setOwn(object, keys[head >>> 8] ?? '', this.take(head));
    }
    this.at += findingWords;
    return object;
  }

  private takeItems(): unknown[] {
    const { words } = memory;
    const items: unknown[] = [];
    for (;;) {
      const head = words[this.at] ?? 0;
      if ((head & 0xff) === itemsEnd) break;
      items.push(this.take(head));
    }
    this.at += findingWords;
    return items;
  }
}

/** Over whatever is in the window, so not while a file is being split there. */
function copyIn(line: Buffer): number {
  makeRoom(windowAt + line.length);
  line.copy(memory.bytes, windowAt);
  return windowAt;
}

function toValue(from: number, to: number): unknown {
  switch (memory.bytes[from]) {
    case 0x74:
      return true;
    case 0x66:
      return false;
    case 0x6e:
      return null;
    default:
      return parseSome(from, to);
  }
}

/** A line of a few megabytes can hold millions of empty objects, which take a hundred times the room. */
const maxValues = 200_000;

function parseSome(from: number, to: number): unknown {
  if (to - from > maxValues && countValues(from, to) > maxValues)
    throw new RangeError(`made of more than ${maxValues} values`);
  return JSON.parse(memory.bytes.toString('utf8', from, to));
}

/** About how many there are: each but the first follows a comma or a bracket. */
function countValues(from: number, to: number): number {
  const { bytes } = memory;
  let count = 1;
  let isText = false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === openBracket || byte === openBrace) count++;
  }
  return count;
}

/** Assigning to `__proto__` would set the prototype. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** For lines with which the scanner cannot cope; there is hardly one in a million. */
function cutDown(value: unknown, shape: Shape): unknown {
  if (shape === true || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => (Array.isArray(item) ? item : cutDown(item, shape)));
  const object: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const wanted = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (wanted !== undefined) setOwn(object, key, cutDown(inner, wanted));
  }
  return object;
}
