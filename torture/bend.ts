// Ways to spoil a line of a transcript. None of them holds a newline of its own, so what follows is another line.

import type { Random } from '../bench/home/random.ts';

/** A spoilt line; `other` is one to borrow from. */
export function bendLine(random: Random, line: Buffer, other: Buffer): Buffer {
  const bent = random.chance(0.5) ? bendBytes(random, line) : bendValue(random, line, other);
  return withoutNewlines(random.chance(0.15) ? bendBytes(random, bent) : bent);
}

function withoutNewlines(bytes: Buffer): Buffer {
  return bytes.includes(10) ? Buffer.from(bytes.map((byte) => (byte === 10 ? 32 : byte))) : bytes;
}

const foreign: readonly Buffer[] = [
  Buffer.from([0]),
  Buffer.from([0xff]),
  Buffer.from([0xc3]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf4, 0x90, 0x80, 0x80]),
  Buffer.from('\ufeff'),
  Buffer.from('\\ud800'),
  Buffer.from('\\u0000'),
  Buffer.from('\\u00'),
  Buffer.from('\u2028'),
  Buffer.from('\r'),
  Buffer.from('\\'),
  Buffer.from('"'),
  Buffer.from('{'),
  Buffer.from(']}'),
  Buffer.from('1e999'),
];

/** The bytes, wherever they are. */
export function bendBytes(random: Random, line: Buffer): Buffer {
  const at = random.below(line.length + 1);
  const to = at + random.below(line.length - at + 1);
  switch (random.below(7)) {
    case 0:
      return line.subarray(0, at);
    case 1:
      return line.subarray(at);
    case 2:
      return Buffer.concat([line.subarray(0, at), line.subarray(to)]);
    case 3:
      return Buffer.concat([line.subarray(0, to), line.subarray(at)]);
    case 4: {
      const flipped = Buffer.from(line);
      for (let i = 0; i <= random.below(4); i++) {
        const place = random.below(Math.max(1, line.length));
        flipped[place] = (flipped[place] ?? 0) ^ (1 << random.below(8));
      }
      return flipped;
    }
    case 5:
      return Buffer.concat([line.subarray(0, at), random.pick(foreign), line.subarray(at)]);
    default:
      return Buffer.concat([line, line.subarray(0, at)]);
  }
}

const wrongValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  12345678901234567890n,
  '',
  'x'.repeat(5000),
  '\ud800',
  '\0',
  [],
  {},
  [[[]]],
  { type: 'text' },
  { text: {} },
  [
    null,
    1,
    'x',
    { type: 'text', text: 5 },
    { type: 'tool_use' },
    { type: 'tool_use', name: {}, input: 3, id: [] },
  ],
  '../../../etc/passwd',
  '--dangerously-skip-permissions',
  '9999-99-99T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  -8.64e15,
];

type Json = Record<string, unknown>;

/** The value, with some field of the wrong kind, doubled, moved or missing. */
function bendValue(random: Random, line: Buffer, other: Buffer): Buffer {
  const value = parse(line);
  const fields = listFields(value);
  const field = fields.length === 0 ? null : random.pick(fields);
  switch (random.below(7)) {
    case 0:
    case 1:
      if (field !== null) field.owner[field.key] = random.pick(wrongValues);
      return write(value);
    case 2:
      if (field !== null) delete field.owner[field.key];
      return write(value);
    case 3: {
      const taken = listFields(parse(other));
      if (field !== null && taken.length > 0) {
        const from = random.pick(taken);
        field.owner[field.key] = from.owner[from.key];
      }
      return write(value);
    }
    case 4: {
      // The same key twice, with another value the first time.
      const key = random.pick([
        'type',
        'message',
        'content',
        'uuid',
        'sessionId',
        '__proto__',
        'constructor',
        'timestamp',
      ]);
      const text = write(value).toString();
      return Buffer.from(text.replace('{', `{"${key}":${write(random.pick(wrongValues)).toString()},`));
    }
    case 5: {
      const depth = 1 + random.below(3000);
      const open = random.pick(['[', '{"type":', '{"message":', '{"content":[']);
      const close = { '[': ']', '{"type":': '}', '{"message":': '}', '{"content":[': ']}' }[open] ?? '';
      return Buffer.from(`${open.repeat(depth)}1${close.repeat(depth)}`);
    }
    default: {
      const text = write({
        ...value,
        ['__proto__']: { polluted: 1 },
        toString: 1,
        hasOwnProperty: 2,
      }).toString();
      return Buffer.from(text.replace('{', '{"__proto__":{"isSidechain":true,"type":"user"},'));
    }
  }
}

function parse(line: Buffer): Json {
  try {
    const value: unknown = JSON.parse(line.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
  } catch {
    return {};
  }
}

function write(value: unknown): Buffer {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `#${part}#` : part)) ?? 'null';
  return Buffer.from(text.replace(/"#(\d+)#"/g, '$1'));
}

interface Field {
  readonly owner: Json;
  readonly key: string;
}

function listFields(value: unknown, found: Field[] = []): Field[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const key of Object.keys(value)) {
    found.push({ owner: value as Json, key });
    listFields((value as Json)[key], found);
  }
  return found;
}
