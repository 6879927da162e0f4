// The samples of docs/json.md are JSON with the real fields, cut only where they say so. That they are what the program
// prints is checked with the screens.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** The script is JavaScript without types. */
function toSample(printed: string, old = '', isBrief = false): string {
  const script = `import { toSample } from './scripts/json-sample.mjs';
    const [printed, old, isBrief] = JSON.parse(require('fs').readFileSync(0, 'utf8'));
    process.stdout.write(toSample(printed, old, isBrief));`.replace(
    "require('fs')",
    "(await import('node:fs'))",
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    input: JSON.stringify([printed, old, isBrief]),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout;
}

test('every sample in docs/json.md is JSON in lines of 100 characters', () => {
  const page = readFileSync('docs/json.md', 'utf8');
  const samples = [...page.matchAll(/<!-- json: (.*?) -->\n```json\n([\s\S]*?)```/g)];
  expect(samples.length).toBeGreaterThan(10);
  for (const [, args, sample = ''] of samples) {
    expect(() => JSON.parse(sample), args).not.toThrow();
    expect(sample.split('\n').filter((line) => line.length > 110)).toEqual([]);
  }
});

test('lists are cut to one item, long texts at an ellipsis, lists of words are kept', () => {
  const long = 'x'.repeat(60);
  const sample = toSample(JSON.stringify({ a: [{ b: 1 }, { b: 2 }], text: long, argv: ['claude', '-r'] }));
  expect(JSON.parse(sample)).toEqual({ a: [{ b: 1 }], text: `${'x'.repeat(48)}…`, argv: ['claude', '-r'] });
});

test('a session is its id and title where another sample has the rest', () => {
  const session = {
    rank: 1,
    id: 'a',
    title: 'b',
    titleSource: 'ai-title',
    kind: 'main',
    resume: {},
    calls: 2,
  };
  const sample = toSample(JSON.stringify({ kind: 'x', sessions: [session] }), '', true);
  expect(JSON.parse(sample)).toEqual({ kind: 'x', sessions: [{ rank: 1, id: 'a', title: 'b', calls: 2 }] });
});

test('values that differ from run to run keep those of the old sample, all others are new', () => {
  const old = '{"tookMs": 3, "hits": [{"score": 0.5, "id": "abc", "title": "then"}]}';
  const printed = '{"tookMs": 9, "hits": [{"score": 0.7, "id": "def", "title": "now"}]}';
  expect(JSON.parse(toSample(printed, old))).toEqual({
    tookMs: 3,
    hits: [{ score: 0.5, id: 'def', title: 'now' }],
  });
});

test('any object comes out as JSON of the same shape', () => {
  const short = fc.record({ a: fc.integer(), b: fc.array(fc.string({ maxLength: 9 })), c: fc.boolean() });
  const values = fc.sample(fc.dictionary(fc.string({ maxLength: 5 }), short), 20);
  for (const value of values) {
    const plain = JSON.parse(JSON.stringify(value)) as unknown;
    expect(JSON.parse(toSample(JSON.stringify(value)))).toEqual(plain);
  }
});
