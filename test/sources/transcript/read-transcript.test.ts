// A transcript's bytes → records, as a whole: wherever reading starts and stops, the same things are found.

import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Batch } from '../../../src/batch.ts';
import { claudeReader } from '../../../src/sources/claude/reader.ts';
import type { ReadEnd, ReadJob } from '../../../src/sources/source.ts';
import { WordForms } from '../../../src/text/words.ts';
import { assistantLine, TempHome, toJsonl, toolResult, toolUse, userLine } from '../../support/home.ts';

let home: TempHome;
let path: string;
beforeEach(() => {
  home = new TempHome();
  path = join(home.path, 'transcript.jsonl');
});
afterEach(() => home.remove());

interface Read {
  readonly batches: readonly Batch[];
  readonly end: ReadEnd;
}

function read(job: Partial<ReadJob> = {}, shouldStop = () => false): Read {
  const from = { bytes: 0, lines: 0, version: null };
  const usual = { agent: 'claude', path, kind: 'main', from, fingerprint: null, isRedacting: false } as const;
  const whole = { ...usual, sizeBytes: statSync(path).size, ...job };
  const reading = claudeReader.read(whole, { forms: new WordForms(), shouldStop });
  const batches: Batch[] = [];
  for (;;) {
    const next = reading.next();
    if (next.done) return { batches, end: next.value };
    batches.push(next.value);
  }
}

/** What goes on from where a read ended. */
function readOn({ batches }: Read): Read {
  const last = batches.at(-1);
  if (last === undefined) throw new Error('nothing was read');
  const { bytesRead: bytes, linesRead: lines, lastVersion: version, fingerprint } = last;
  return read({ from: { bytes, lines, version }, fingerprint });
}

const messagesOf = (...reads: readonly Read[]) =>
  reads.flatMap(({ batches }) =>
    batches.flatMap(({ messages }) => messages.map(({ seq, text }) => `${seq} ${text}`)),
  );

test('messages, calls and facts of a session', () => {
  const lines = [
    userLine('fix the cart', { cwd: '/home/u/shop', gitBranch: 'main', version: '2.1.100' }),
    assistantLine([
      { type: 'text', text: 'Looking.' },
      toolUse('Read', { file_path: '/home/u/cart.ts' }, 't1'),
    ]),
    userLine([toolResult('t1', true)]),
    { type: 'mood-ring', version: '2.1.101' },
    { type: 'ai-title', aiTitle: 'Fix the cart' },
  ];
  writeFileSync(path, `${toJsonl(lines)}{"broken"\n`);
  const { batches, end } = read();
  expect(end).toBe('whole');
  expect(batches).toMatchObject([
    {
      isRestart: true,
      messages: [
        { seq: 1, role: 'user', kind: 'prompt', text: 'fix the cart' },
        { seq: 2, role: 'assistant', kind: 'reply', text: 'Looking.' },
      ],
      toolCalls: [{ seq: 2, name: 'Read', target: '/home/u/cart.ts', isError: true, toolUseId: null }],
      facts: {
        firstCwd: '/home/u/shop',
        branch: 'main',
        aiTitle: 'Fix the cart',
        firstPrompt: 'fix the cart',
      },
      unknownTypes: [['mood-ring', '2.1.101', 1]],
      skipped: [{ line: 6, reason: 'not valid JSON' }],
      ...{ bytesFrom: 0, bytesRead: statSync(path).size, linesRead: 6, isLast: true, isUnterminated: false },
    },
  ]);
});

describe('what was read before', () => {
  test('is not read again, and is not a restart', () => {
    writeFileSync(path, toJsonl([userLine('first')]));
    const before = read();
    appendFileSync(path, toJsonl([userLine('second')]));
    const after = readOn(before);
    expect(messagesOf(before, after)).toEqual(['1 first', '2 second']);
    expect(after.batches).toMatchObject([{ isRestart: false, bytesFrom: before.batches[0]?.bytesRead }]);
  });

  test('is read again when it is no longer the same', () => {
    writeFileSync(path, toJsonl([userLine('first')]));
    const before = read();
    writeFileSync(path, toJsonl([userLine('another'), userLine('second')]));
    const after = readOn(before);
    expect(messagesOf(after)).toEqual(['1 another', '2 second']);
    expect(after.batches).toMatchObject([{ isRestart: true, bytesFrom: 0 }]);
  });

  test('wherever the file was cut, reading on gives what reading at once gives', () => {
    const text = fc.constantFrom('jwt', 'naïve café', '数据库', 'a "quoted" line\nand another');
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), fc.nat(), (texts, place) => {
        const bytes = Buffer.from(
          toJsonl(texts.map((each) => userLine(each, { uuid: 'u', timestamp: 't' }))),
        );
        const cut = place % (bytes.length + 1);
        writeFileSync(path, bytes.subarray(0, cut));
        const before = read();
        // A whole line without its newline is taken; what follows may continue it, so then all is read again.
        if (before.batches.at(-1)?.isUnterminated) return;
        appendFileSync(path, bytes.subarray(cut));
        expect(messagesOf(before, readOn(before))).toEqual(messagesOf(read()));
      }),
    );
  });
});

test('a stop leaves the rest, from a line that is whole', () => {
  const lines = Array.from({ length: 3000 }, (_, n) => userLine(`prompt ${n} ${'x'.repeat(200)}`));
  writeFileSync(path, toJsonl(lines));
  let asked = 0;
  const cut = read({}, () => asked++ > 1);
  expect(cut.end).toBe('unfinished');
  expect(cut.batches.at(-1)?.isLast).toBe(false);
  const rest = readOn(cut);
  expect(rest.end).toBe('whole');
  expect(messagesOf(cut, rest)).toEqual(messagesOf(read()));
});

test('a long transcript comes in several batches, of which only the first is a restart', () => {
  writeFileSync(
    path,
    toJsonl(Array.from({ length: 40 }, (_, n) => userLine(`${n} ${'deploy '.repeat(10_000)}`))),
  );
  const { batches } = read();
  expect(batches.length).toBeGreaterThan(2);
  expect(batches.map((batch) => batch.isRestart)).toEqual([true, ...batches.slice(1).map(() => false)]);
  expect(batches.slice(1).map((batch) => batch.bytesFrom)).toEqual(
    batches.slice(0, -1).map((batch) => batch.bytesRead),
  );
  expect(batches.filter((batch) => batch.isLast)).toEqual([batches.at(-1)]);
});
