// The scanner of src/sources/json/wasm once more, in plain TypeScript: a byte at a time and by recursion, so that it is easy to
// see that it is right. It says what the scanner is to put on its tape. For tests only; it would be several times as slow.

import type { Shape } from '../../../src/sources/json/wanted-fields.ts';

export type Kind = 'plain' | 'escaped' | 'seen' | 'new' | 'other' | 'object' | 'array' | 'end';

/** A wanted value: of which key it is, and its place in the line. Both places are 0 where something begins or ends. */
export interface Finding {
  readonly kind: Kind;
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export interface Scanned {
  readonly outcome: 'whole' | 'broken' | 'unusual';
  readonly findings: readonly Finding[];
}

const maxFindings = 8192;
const maxSeenBytes = 64;
const seenPerField = 16;

class Ended extends Error {
  readonly outcome: Scanned['outcome'];

  constructor(outcome: Scanned['outcome']) {
    super(outcome);
    this.outcome = outcome;
  }
}

/** A field of the shape; the same key elsewhere is another. */
type Field = Readonly<{ key: string; shape: Shape; path: string }>;

const nobody: Field = { key: '', shape: true, path: '' };

export class ScannerTwin {
  private readonly root: Field;
  /** What each field held lately. */
  private readonly seen = new Map<string, string>();
  private line: Buffer = Buffer.alloc(0);
  private at = 0;
  private findings: Finding[] = [];

  constructor(shape: Shape) {
    this.root = { key: '', shape, path: '' };
  }

  scan(line: Buffer): Scanned {
    this.line = line;
    this.at = 0;
    this.findings = [];
    try {
      this.passSpace();
      this.takeValue(this.root);
      this.passSpace();
      return { outcome: this.at === line.length ? 'whole' : 'broken', findings: this.findings };
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      return { outcome: error.outcome, findings: this.findings };
    }
  }

  private takeValue(field: Field): void {
    const from = this.at;
    const first = this.char();
    if (first === '"') this.takeText(field);
    else if (field.shape !== true && first === '{') this.takeObject(field, field.shape);
    else if (field.shape !== true && first === '[') this.takeArray(field);
    else {
      this.passValue();
      this.find('other', field, from, this.at);
    }
  }

  private takeObject(field: Field, shape: Exclude<Shape, true>): void {
    this.find('object', field);
    this.passItems('}', () => {
      const { text, isEscaped } = this.passString();
      if (isEscaped) throw new Ended('unusual');
      this.passColon();
      if (!Object.hasOwn(shape, text)) this.passValue();
      else this.takeWanted({ key: text, shape: shape[text] as Shape, path: `${field.path}\0${text}` });
    });
    this.find('end', nobody);
  }

  private takeArray(field: Field): void {
    this.find('array', field);
    this.passItems(']', () => {
      // Of arrays in an array all is taken.
      this.takeWanted(this.char() === '[' ? { ...field, shape: true } : field);
    });
    this.find('end', nobody);
  }

  private takeWanted(field: Field): void {
    if (this.findings.length >= maxFindings) throw new Ended('unusual');
    this.takeValue(field);
  }

  private takeText(field: Field): void {
    const from = this.at;
    const { text, isEscaped } = this.passString();
    if (isEscaped) {
      this.find('escaped', field, from, this.at);
      return;
    }
    const bytes = this.line.subarray(from + 1, this.at - 1);
    const isRemembered =
      bytes.length > 0 && bytes.length <= maxSeenBytes && bytes.every((byte) => byte < 0x80);
    if (!isRemembered) {
      this.find('plain', field, from + 1, this.at - 1);
      return;
    }
    const slot = `${field.path} ${(bytes.length + (bytes.at(-1) ?? 0)) % seenPerField}`;
    this.find(this.seen.get(slot) === text ? 'seen' : 'new', field, from + 1, this.at - 1);
    this.seen.set(slot, text);
  }

  private passValue(): void {
    const first = this.char();
    if (first === '"') this.passString();
    else if (first === '[') this.passItems(']', () => this.passValue());
    else if (first === '{') {
      this.passItems('}', () => {
        this.passString();
        this.passColon();
        this.passValue();
      });
    } else this.pass(/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/);
  }

  /** From the bracket that opens to behind the one that closes. */
  private passItems(close: string, passItem: () => void): void {
    this.at++;
    this.passSpace();
    if (this.char() === close) {
      this.at++;
      return;
    }
    for (;;) {
      passItem();
      this.passSpace();
      const next = this.char();
      this.at++;
      if (next === close) return;
      if (next !== ',') throw new Ended('broken');
      this.passSpace();
    }
  }

  private passString(): { text: string; isEscaped: boolean } {
    if (this.char() !== '"') throw new Ended('broken');
    const from = ++this.at;
    let isEscaped = false;
    for (;;) {
      const char = this.char();
      if (char === '"') break;
      if (char === '' || char < ' ') throw new Ended('broken');
      if (char === '\\') {
        isEscaped = true;
        this.pass(/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/);
      } else this.at++;
    }
    return { text: this.line.toString('utf8', from, this.at++), isEscaped };
  }

  private passColon(): void {
    this.passSpace();
    if (this.char() !== ':') throw new Ended('broken');
    this.at++;
    this.passSpace();
  }

  private passSpace(): void {
    while ([' ', '\t', '\r', '\n'].includes(this.char())) this.at++;
  }

  private pass(pattern: RegExp): void {
    const match = pattern.exec(this.line.toString('latin1', this.at, this.at + 400));
    if (match === null) throw new Ended('broken');
    this.at += match[0].length;
  }

  /** Empty behind the end. */
  private char(): string {
    return this.line.toString('latin1', this.at, this.at + 1);
  }

  private find(kind: Kind, field: Field, from = 0, to = 0): void {
    this.findings.push({ kind, key: field.key, from, to });
  }
}

/** As hash-samples.ts has it, with numbers of any size. */
export function hashTwin(bytes: Buffer, seed: bigint): bigint {
  const word = (value: bigint) => BigInt.asUintN(64, value);
  const mix = (value: bigint) => {
    let mixed = word(value * 0x9e3779b97f4a7c15n);
    mixed = word((mixed ^ (mixed >> 32n)) * 0xbf58476d1ce4e5b9n);
    return mixed ^ (mixed >> 29n);
  };
  let hash = mix(mix(word(seed + 1n)) ^ BigInt(bytes.length));
  let at = 0;
  for (; at + 8 <= bytes.length; at += 8) hash = mix(hash ^ bytes.readBigUInt64LE(at));
  for (; at < bytes.length; at++) hash = mix(hash ^ BigInt(bytes[at] ?? 0));
  return hash;
}
