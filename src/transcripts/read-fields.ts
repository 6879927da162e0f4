// Reads the fields that are wanted out of a line of JSON and passes over the rest, some 97% of a transcript. What comes
// out is what JSON.parse would give, cut down to the shape; what JSON.parse would refuse is refused.

import { byteAt, codes, passColon, passPlain, passSpace, passStringFrom, passValue } from './pass-json.ts';
import { SeenStrings } from './seen-strings.ts';
import { type Shape, toWanted, type WantedField, type WantedFields } from './wanted-fields.ts';

/** Reads one line after the other. Recursion is as deep as the shape, whatever the depth of the line. */
export class FieldReader {
  private readonly wanted: WantedFields | null;
  private readonly seen = new SeenStrings();
  private memory: Buffer = Buffer.alloc(0);
  private text: DataView = new DataView(this.memory.buffer);
  private at = 0;
  private end = 0;

  constructor(shape: Shape) {
    this.wanted = toWanted(shape);
  }

  /** The value cut down to the shape; undefined when the bytes are not JSON. */
  read(line: Buffer): unknown {
    this.start(line);
    try {
      this.at = passSpace(this.text, this.at, this.end);
      const value = this.readValue(this.wanted, this.seen);
      return passSpace(this.text, this.at, this.end) === this.end ? value : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** Lines are mostly cut from one reused buffer, and a view of each would take as long as reading a short one. */
  private start(line: Buffer): void {
    if (line.buffer !== this.text.buffer) {
      this.memory = Buffer.from(line.buffer);
      this.text = new DataView(line.buffer);
    }
    this.at = line.byteOffset;
    this.end = line.byteOffset + line.length;
  }

  private readValue(wanted: WantedFields | null, seen: SeenStrings): unknown {
    const byte = byteAt(this.text, this.at, this.end);
    if (byte === codes.quote) return this.readString(seen);
    if (wanted !== null && byte === codes.openBrace) return this.readObject(wanted);
    if (wanted !== null && byte === codes.openBracket) return this.readArray(wanted, seen);
    return this.readWhole(byte);
  }

  private readString(seen: SeenStrings): string {
    const start = this.at + 1;
    const stop = passPlain(this.text, start, this.end);
    this.at = passStringFrom(this.text, stop, this.end);
    if (this.at === stop + 1) return seen.read(this.memory, start, stop);
    return JSON.parse(this.memory.toString('utf8', start - 1, this.at)) as string;
  }

  private readWhole(firstByte: number): unknown {
    const start = this.at;
    this.at = passValue(this.text, start, this.end);
    if (firstByte === codes.t) return true;
    if (firstByte === codes.f) return false;
    if (firstByte === codes.n) return null;
    return JSON.parse(this.memory.toString('utf8', start, this.at));
  }

  /** Objects in the array are cut down, arrays in it are not: nobody writes them, and they might nest without end. */
  private readArray(wanted: WantedFields, seen: SeenStrings): unknown[] {
    const items: unknown[] = [];
    if (this.isEmpty(codes.closeBracket)) return items;
    do {
      const isObject = byteAt(this.text, this.at, this.end) === codes.openBrace;
      items.push(this.readValue(isObject ? wanted : null, seen));
    } while (this.hasNext(codes.closeBracket));
    return items;
  }

  private readObject(wanted: WantedFields): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    if (this.isEmpty(codes.closeBrace)) return object;
    do {
      const field = this.readKey(wanted);
      if (field === undefined) this.at = passValue(this.text, this.at, this.end);
      else setOwn(object, field.key, this.readValue(field.inner, field.seen));
    } while (this.hasNext(codes.closeBrace));
    return object;
  }

  /** From the quote of a key to the first byte of its value. */
  private readKey(wanted: WantedFields): WantedField | undefined {
    if (byteAt(this.text, this.at, this.end) !== codes.quote) throw new SyntaxError();
    const start = this.at + 1;
    const stop = passPlain(this.text, start, this.end);
    const behind = passStringFrom(this.text, stop, this.end);
    this.at = passColon(this.text, behind, this.end);
    if (behind === stop + 1) return wanted.findAt(this.memory, start, stop);
    return wanted.find(JSON.parse(this.memory.toString('utf8', start - 1, behind)) as string);
  }

  /** From the opening bracket to the first byte of what it holds, or behind it. */
  private isEmpty(close: number): boolean {
    this.at = passSpace(this.text, this.at + 1, this.end);
    if (byteAt(this.text, this.at, this.end) !== close) return false;
    this.at++;
    return true;
  }

  /** From behind an item to the first byte of the next, or behind the closing bracket. */
  private hasNext(close: number): boolean {
    this.at = passSpace(this.text, this.at, this.end);
    const byte = byteAt(this.text, this.at, this.end);
    if (byte !== codes.comma && byte !== close) throw new SyntaxError();
    this.at++;
    if (byte === close) return false;
    this.at = passSpace(this.text, this.at, this.end);
    return true;
  }
}

/** Assigning to `__proto__` would set the prototype. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
