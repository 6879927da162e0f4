// A transcript's bytes → records, as a whole: wherever reading starts and stops, the same things are found.

import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Batch, packHashes } from '../../../src/batch.ts';
import { claudeReader } from '../../../src/sources/claude/reader.ts';
import type { ReadEnd, ReadJob } from '../../../src/sources/source.ts';
import { toSearchedText } from '../../../src/text/tool-text.ts';
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
  const usual = {
    path,
    kind: 'main',
    from,
    fingerprint: null,
    isRedacting: false,
    keepsToolTexts: true,
  } as const;
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
  const knownUuids = packHashes(batches.flatMap(({ wholeHashes }) => wholeHashes));
  return read({ from: { bytes, lines, version }, fingerprint, knownUuids });
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

test('every uuid counts once, however many there are', () => {
  const toUuid = (n: number) =>
    `${((n * 7919) % 4096).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const lines = Array.from({ length: 9000 }, (_, n) => userLine(`${n}`, { uuid: toUuid(n) }));
  writeFileSync(path, toJsonl(lines));
  const uuids = read().batches.flatMap(({ messages }) => messages.map(({ uuid }) => uuid));
  expect(uuids).toEqual([...new Set(lines.map(({ uuid }) => uuid))]);
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

describe('what tools were given and answered', () => {
  const answer = (id: string, content: string, isError = false) =>
    userLine([{ type: 'tool_result', tool_use_id: id, content, is_error: isError }]);
  const bash = (id: string, command: string) => assistantLine([toolUse('Bash', { command }, id)]);
  const workOf = (...reads: readonly Read[]) =>
    reads
      .flatMap(({ batches }) => batches.flatMap(({ toolTexts }) => toolTexts))
      .map((each) => ({ ...each, text: toSearchedText(each.text) }));
  const textsOf = (...reads: readonly Read[]) => workOf(...reads).map(({ text }) => text);

  const lines = [
    userLine('naïve café 数据库 🎉'),
    assistantLine([
      { type: 'text', text: '数据库' },
      toolUse('Bash', { command: 'echo 数据库 🎉' }, 't1'),
      toolUse('Write', { file_path: '/src/é.ts', content: 'narwhalHandshake' }, 't2'),
    ]),
    userLine([
      { type: 'tool_result', tool_use_id: 't1', content: 'naïve 🎉 output' },
      { type: 'tool_result', tool_use_id: 't2', content: [{ type: 'text', text: '书写' }], is_error: true },
    ]),
    bash('t3', 'ls'),
  ].map((line) => JSON.stringify(line));

  test.each([
    ['as usual', '', '\n', '\n'],
    ['with carriage returns', '', '\r\n', '\r\n'],
    ['after a byte order mark', '\ufeff', '\n', '\n'],
    ['without a last newline', '', '\n', ''],
    ['with empty lines', '\n\n', '\n\n', '\n'],
  ])('is read and stored, %s', (_, before, between, after) => {
    writeFileSync(path, before + lines.join(between) + after);
    const rows = workOf(read());
    expect(rows.map(({ text, nth, isOutput }) => [text, nth, isOutput])).toEqual([
      ['echo 数据库 🎉', 0, false],
      ['/src/é.ts\nnarwhalHandshake', 1, false],
      ['naïve 🎉 output', 0, true],
      ['书写', 1, true],
      ['ls', 0, false],
    ]);
  });

  test('also on the first line, after a byte order mark', () => {
    const line = `\ufeff${JSON.stringify(bash('t1', 'echo first'))}`;
    writeFileSync(path, `${line}\n`);
    const rows = workOf(read());
    expect(rows.map(({ text }) => text)).toEqual(['echo first']);
  });

  test('also after an append, and for a file in many batches', () => {
    writeFileSync(path, `${lines.slice(0, 2).join('\n')}\n`);
    const before = read();
    const more = Array.from({ length: 300 }, (_, n) =>
      JSON.stringify(
        n % 2 === 0 ? bash(`m${n}`, `echo 数${n} ${'x'.repeat(5000)}`) : answer(`m${n - 1}`, `é ${n}`),
      ),
    );
    appendFileSync(path, `${[...lines.slice(2), ...more].join('\n')}\n`);
    const after = readOn(before);
    expect(after.batches.length).toBeGreaterThan(1);
    const rows = workOf(before, after);
    expect(rows.map(({ seq, text, atMs }) => [seq, text, atMs])).toEqual(
      workOf(read()).map(({ seq, text, atMs }) => [seq, text, atMs]),
    );
  });

  test('an answer names its call by its place; where that was in an earlier batch, its result does by its own', () => {
    writeFileSync(path, toJsonl([userLine('go'), bash('t1', 'ls'), answer('t1', 'a.ts'), bash('t2', 'cat')]));
    const before = read();
    appendFileSync(path, toJsonl([answer('t2', 'no such file', true)]));
    const after = readOn(before);
    const rows = workOf(before, after);
    expect(rows).toMatchObject([
      { text: 'ls', seq: 2, isOutput: false, call: { seq: 2, nth: 0 } },
      { text: 'a.ts', seq: 3, isOutput: true, call: { seq: 2, nth: 0 } },
      { text: 'cat', seq: 4, isOutput: false, call: { seq: 4, nth: 0 } },
      { text: 'no such file', seq: 5, isOutput: true, call: null },
    ]);
    const results = after.batches.flatMap(({ toolResults }) => toolResults);
    expect(results).toEqual([{ id: 't2', isError: true, seq: 5, nth: 0 }]);
  });

  test('what was read of a file is part of it', () => {
    const readFile = assistantLine([toolUse('Read', { file_path: '/x.ts' }, 't1')]);
    writeFileSync(path, toJsonl([readFile, answer('t1', 'the whole file')]));
    expect(textsOf(read())).toEqual(['/x.ts', 'the whole file']);
  });

  test('without it there is none', () => {
    writeFileSync(path, `${lines.join('\n')}\n`);
    expect(textsOf(read({ keepsToolTexts: false }))).toEqual([]);
    expect(messagesOf(read({ keepsToolTexts: false }))).toEqual(messagesOf(read()));
  });

  test('secrets are taken out of both', () => {
    const secret = `ghp_${'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zQ7'}`;
    writeFileSync(path, toJsonl([bash('t1', `echo ${secret}`), answer('t1', `token ${secret}`)]));
    expect(textsOf(read())).toEqual([`echo ${secret}`, `token ${secret}`]);
    const redacted = textsOf(read({ isRedacting: true }));
    expect(redacted).toEqual(['echo [redacted github-token]', 'token [redacted github-token]']);
  });

  /** Letters and digits as in a key, different everywhere, so that any piece of it can be recognised. */
  const keyText = (length: number) =>
    Array.from({ length }, (_, n) => 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5z'[(n * 7 + (n >> 3)) % 34]).join('');
  const pieces = (key: string) =>
    Array.from({ length: Math.floor(key.length / 16) }, (_, n) => key.slice(n * 16, n * 16 + 16));

  test('no part of a long secret is left where a text was cut', () => {
    const body = keyText(160);
    for (let before = 1160; before <= 1440; before += 20) {
      const printed = `${'word '.repeat(before / 5)}sk-ant-${body} ${'word '.repeat(1000)}`;
      const atEnd = `${'word '.repeat(1000)}sk-ant-${body} ${'word '.repeat(Math.max(0, before - 900) / 5)}`;
      writeFileSync(path, toJsonl([bash('t1', 'env'), answer('t1', printed), answer('t2', atEnd)]));
      const found = textsOf(read({ isRedacting: true })).join('\n');
      const left = pieces(body).filter((piece) => found.includes(piece));
      expect([before, left]).toEqual([before, []]);
    }
  });

  test('nor of a private key that was printed', () => {
    const body = keyText(64 * 40);
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${body.replace(/.{64}/g, '$&\n')}-----END RSA PRIVATE KEY-----\n`;
    for (const [before, after] of [
      [0, 0],
      [270, 0],
      [400, 0],
      [400, 40],
    ] as const) {
      const printed = 'word '.repeat(before) + key + 'word '.repeat(after);
      writeFileSync(path, toJsonl([bash('t1', 'cat id_rsa'), answer('t1', printed)]));
      const found = textsOf(read({ isRedacting: true })).join('\n');
      expect(pieces(body).filter((piece) => found.includes(piece))).toEqual([]);
    }
  });

  test('no line of any kind makes the place of another wrong', () => {
    const odd = fc.constantFrom('', '{"torn":', '[1]', '{"type":"progress"}', `"${'x'.repeat(3000)}"`, ' ');
    const own = fc.constantFrom(...lines);
    const line = fc.oneof(odd, own);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), (all, end) => {
        const text = all.map((each) => `${each}${end}`).join('');
        writeFileSync(path, text);
      }),
      { numRuns: 100 },
    );
  });
});
