// The values of a statement as node:sqlite takes them, from what better-sqlite3 takes.

/** node:sqlite wants names before the other values, no list and no undefined. */
export function toBound(values: readonly unknown[]): unknown[] {
  const bound: unknown[] = [];
  for (const value of values) {
    if (Array.isArray(value)) bound.push(...toBound(value));
    else if (isNamed(value)) bound.unshift(toNamed(value));
    else bound.push(toBindable(value));
  }
  return bound;
}

function isNamed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

function toNamed(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const named: Record<string, unknown> = {};
  for (const name in values) named[name] = toBindable(values[name]);
  return named;
}

/** Bytes that are nowhere, as those of a new empty array, would be bound as null. */
const noBytes = new Uint8Array(1).subarray(1);

function toBindable(value: unknown): unknown {
  return ArrayBuffer.isView(value) && value.byteLength === 0 ? noBytes : (value ?? null);
}
