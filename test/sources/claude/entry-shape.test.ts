// The shapes hold every field that the parsers look at, and no other, so that a line cut down tells what the whole tells.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionKind } from '../../../src/records.ts';
import { entryShape, historyShape } from '../../../src/sources/claude/entry-shape.ts';
import { parseEntry } from '../../../src/sources/claude/parse-entry.ts';
import { parseHistoryLine } from '../../../src/sources/claude/parse-history.ts';
import { isObject, type JsonObject } from '../../../src/sources/json/json-value.ts';
import { FieldReader } from '../../../src/sources/json/read-fields.ts';
import type { Shape } from '../../../src/sources/json/wanted-fields.ts';
import { choices, writeJson } from '../../support/written-json.ts';

const sessionKinds: readonly SessionKind[] = ['main', 'subagent', 'transcript', 'precompact'];
const parserSource = readFileSync('src/sources/claude/parse-entry.ts', 'utf8');

/** The types that the parser tells apart, from its own text: one that it learns is tried here at once. */
const types = [...parserSource.matchAll(/(?:case|type ===) '([^']+)'/g)].map(([, type]) => type ?? '');

const text = fc.oneof(
  fc.constantFrom(
    'fix the cart',
    '<system-reminder>x</system-reminder>',
    '/review it',
    'user',
    'assistant',
    '',
  ),
  fc.constantFrom(
    'This session is being continued from a previous conversation',
    '[Pasted text #1 +2 lines]',
  ),
  fc.string({ unit: 'binary' }),
);
const flag = fc.constantFrom(true, false, false, false);
const timestamp = fc.constantFrom('2026-03-05T10:00:00.000Z', 1772704800000, 1772704800.5, 'never');
const odd = fc.oneof(
  fc.constantFrom(null, 7, -0, 'odd', [], {}, [[{ type: 'text', text: 'nested' }]]),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The fields, each mostly there and mostly as it should be. */
function some(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonObject> {
  const oddly = Object.entries(fields).map(([key, field]) => [
    key,
    fc.oneof(
      { weight: 8, arbitrary: field },
      { weight: 1, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: odd },
    ),
  ]);
  return fc
    .record<JsonObject>(Object.fromEntries(oddly))
    .map((line) => Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined)));
}

const toolInput = fc.dictionary(
  fc.constantFrom('file_path', 'path', 'command', 'description', 'content', 'old_string', 'a new field'),
  fc.oneof({ weight: 5, arbitrary: text }, odd),
  { maxKeys: 3 },
);
const answer = fc.array(some({ type: fc.constantFrom('text', 'text', 'image'), text, source: odd }), {
  maxLength: 3,
});
const block = some({
  type: fc.constantFrom('text', 'text', 'text', 'tool_use', 'server_tool_use', 'tool_result', 'thinking'),
  ...{ text, thinking: text, signature: text, source: odd, id: text, name: text, input: toolInput },
  ...{ tool_use_id: text, is_error: flag, content: fc.oneof(text, odd, answer) },
});
const content = fc.oneof(
  text,
  fc.array(fc.oneof({ weight: 5, arbitrary: block }, odd), { maxLength: 4 }),
  block,
);
const origin = some({ kind: fc.constantFrom('human', 'human', 'human', 'hook'), name: text });
const promptSource = fc.constantFrom('typed', 'typed', 'typed', 'system');

const entryLine = some({
  type: fc.constantFrom(...types, 'attachment', 'attachment', 'assistant', 'progress', 'a new type'),
  ...{ uuid: text, parentUuid: text, sessionId: text, timestamp, cwd: text, gitBranch: text, version: text },
  message: some({
    ...{ role: fc.constantFrom('user', 'assistant', 'system'), content, timestamp, id: text, usage: odd },
    model: fc.constantFrom('claude-1', '<synthetic>'),
    ...{ tool_use_id: text, is_error: flag },
  }),
  ...{
    isMeta: flag,
    isSidechain: flag,
    isCompactSummary: flag,
    isApiErrorMessage: flag,
    origin,
    promptSource,
  },
  attachment: some({
    type: fc.constantFrom('queued_command', 'queued_command', 'file'),
    ...{ prompt: content, isMeta: flag, origin, promptSource, content: odd },
  }),
  operation: fc.constantFrom('enqueue', 'dequeue'),
  ...{ content, subtype: fc.constantFrom('compact_boundary', 'away_summary'), summary: text, leafUuid: text },
  ...{ customTitle: text, agentName: text, aiTitle: text, lastPrompt: text, relocatedCwd: text },
  ...{ continuedInSessionId: text, prNumber: fc.integer(), prUrl: text, prRepository: text },
  ...{ tool_use_id: text, is_error: flag, tool_name: text, tool_input: toolInput, tool_output: odd },
  ...{ toolUseResult: odd, data: odd, snapshot: odd },
});
const historyLine = some({
  ...{ display: text, timestamp, project: text, sessionId: text, other: odd },
  pastedContents: fc.dictionary(
    fc.constantFrom('1', '2'),
    some({ content: text, id: odd, contentHash: text }),
  ),
});

const entryReader = new FieldReader(entryShape);
const historyReader = new FieldReader(historyShape);

function expectSame(bytes: Buffer): void {
  const full = parse(bytes);
  const entry = entryReader.read(bytes);
  const prompt = historyReader.read(bytes);
  expect([isObject(entry), isObject(prompt)]).toEqual([isObject(full), isObject(full)]);
  if (!isObject(full) || !isObject(entry) || !isObject(prompt)) return;
  for (const kind of sessionKinds) expect(parseEntry(entry, kind)).toEqual(parseEntry(full, kind));
  expect(parseHistoryLine(prompt)).toEqual(parseHistoryLine(full));
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

describe('a line cut down to its shape tells what the whole line tells', () => {
  test('lines of every type', () => {
    expect(types.length).toBeGreaterThan(15);
    fc.assert(
      fc.property(fc.oneof(entryLine, historyLine), choices, (line, choices) => {
        expectSame(Buffer.from(writeJson(line, choices)));
      }),
      { numRuns: 2000 },
    );
  });

  test('every line of the fixtures', () => {
    const files = readdirSync('fixtures', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.jsonl'),
    );
    const lines = files.flatMap((name) => readFileSync(join('fixtures', name), 'latin1').split('\n'));
    expect(lines.length).toBeGreaterThan(500);
    for (const line of lines) expectSame(Buffer.from(line, 'latin1'));
  });
});

/**
 * The value, noting the path of every field that is looked for, there or not; places in an array are no fields. Only a value
 * that the shape takes whole may be gone through.
 */
function watched<T>(value: T, path: string, looked: Set<string>, whole: readonly string[]): T {
  if (typeof value !== 'object' || value === null) return value;
  const pathOf = (key: string | symbol) => {
    if (Array.isArray(value) || typeof key === 'symbol') return path;
    const inner = path === '' ? key : `${path}.${key}`;
    looked.add(inner);
    return inner;
  };
  return new Proxy(value, {
    get: (target, key, receiver) => watched(Reflect.get(target, key, receiver), pathOf(key), looked, whole),
    has: (target, key) => pathOf(key) !== undefined && Reflect.has(target, key),
    getOwnPropertyDescriptor: (target, key) => {
      pathOf(key);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    ownKeys: (target) => {
      if (whole.some((each) => path === each || path.startsWith(`${each}.`))) return Reflect.ownKeys(target);
      throw new Error(`all keys of ${path} are looked at, which no shape can say`);
    },
  });
}

/** The paths of the shape's whole values. */
function pathsOf(shape: Shape, path: readonly string[] = []): string[] {
  if (shape === true) return [path.join('.')];
  return Object.entries(shape).flatMap(([key, inner]) => pathsOf(inner, [...path, key]));
}

/** Without the paths of what is only looked into, and of what lies inside a whole value. */
function wholeValues(looked: ReadonlySet<string>, shape: Shape): string[] {
  const whole = new Set(pathsOf(shape));
  const isInside = (path: string) =>
    path.split('.').some((_, i, keys) => i > 0 && whole.has(keys.slice(0, i).join('.')));
  const isLookedInto = (path: string) => [...looked].some((other) => other.startsWith(`${path}.`));
  return [...looked].filter((path) => whole.has(path) || (!isInside(path) && !isLookedInto(path)));
}

describe('a shape is what its parser looks at', () => {
  const sampled = { seed: 1, numRuns: 4000 };

  test('entries', () => {
    const looked = new Set<string>();
    for (const line of fc.sample(entryLine, sampled))
      for (const kind of sessionKinds) parseEntry(watched(line, '', looked, pathsOf(entryShape)), kind);
    expect(wholeValues(looked, entryShape).toSorted()).toEqual(pathsOf(entryShape).toSorted());
  });

  test('history', () => {
    const looked = new Set<string>();
    for (const line of fc.sample(historyLine, sampled))
      parseHistoryLine(watched(line, '', looked, pathsOf(historyShape)));
    expect(wholeValues(looked, historyShape).toSorted()).toEqual(pathsOf(historyShape).toSorted());
  });
});
