// Which fields of an object are wanted, and finding one by the bytes of its key without making a string of it.

import { SeenStrings } from './seen-strings.ts';

/** `true`: the whole value. An object: these keys of an object, or of each object in an array; all else as it is. */
export type Shape = true | { readonly [key: string]: Shape };

export interface WantedField {
  readonly key: string;
  readonly keyBytes: Buffer;
  /** What is wanted of its value; null when all of it is. */
  readonly inner: WantedFields | null;
  readonly seen: SeenStrings;
}

/** A power of two, well above the number of keys, so that most keys nobody wants meet an empty slot. */
const slotCount = 128;

export class WantedFields {
  private readonly byKey: ReadonlyMap<string, WantedField>;
  private readonly bySlot: readonly (readonly WantedField[])[];

  constructor(shape: Exclude<Shape, true>) {
    const fields = Object.entries(shape).map(([key, inner]) => toField(key, inner));
    const bySlot: WantedField[][] = Array.from({ length: slotCount }, () => []);
    for (const field of fields) bySlot[slotOf(field.keyBytes, 0, field.keyBytes.length)]?.push(field);
    this.bySlot = bySlot;
    this.byKey = new Map(fields.map((field) => [field.key, field]));
  }

  find(key: string): WantedField | undefined {
    return this.byKey.get(key);
  }

  /** The field whose key, written without escapes, stands there. */
  findAt(memory: Buffer, start: number, end: number): WantedField | undefined {
    const fields = this.bySlot[slotOf(memory, start, end)] ?? [];
    for (const field of fields) if (isSame(field.keyBytes, memory, start, end)) return field;
    return undefined;
  }
}

export function toWanted(shape: Shape): WantedFields | null {
  return shape === true ? null : new WantedFields(shape);
}

function toField(key: string, shape: Shape): WantedField {
  return { key, keyBytes: Buffer.from(key), inner: toWanted(shape), seen: new SeenStrings() };
}

function slotOf(memory: Buffer, start: number, end: number): number {
  const first = end > start ? (memory[start] ?? 0) : 0;
  return ((end - start) * 5 + first) & (slotCount - 1);
}

function isSame(key: Buffer, memory: Buffer, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let i = 0; i < key.length; i++) if (key[i] !== memory[start + i]) return false;
  return true;
}
