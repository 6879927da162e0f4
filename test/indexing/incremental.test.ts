// However a home came to be, step by step or at once, the index of it is the same.

import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at, type Line, TempHome, toJsonl } from '../support/home.ts';
import { contentOf, indexHome, rowsOf } from '../support/index-home.ts';

const words = [
  'jwt',
  'middleware',
  'getUserById',
  'redis queue',
  '数据库连接',
  'naïve café',
  'C++ build',
  'don’t',
];
const text = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(' '));
const entryUuid = fc
  .integer({ min: 1, max: 60 })
  .map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
const stamp = fc.integer({ min: 0, max: 500 }).map((minute) => at(minute));

/** Every kind of line that has an effect, and some that must have none. */
const line: fc.Arbitrary<string> = fc.oneof(
  fc.record({ text, uuid: entryUuid, timestamp: stamp }).map(({ text, uuid, timestamp }) =>
    json({
      type: 'user',
      uuid,
      timestamp,
      cwd: '/home/u/shop',
      version: '2.1.9',
      message: { role: 'user', content: text },
    }),
  ),
  fc.record({ text, uuid: entryUuid, timestamp: stamp }).map(({ text, uuid, timestamp }) =>
    json({
      type: 'assistant',
      uuid,
      timestamp,
      message: { model: 'opus', content: [{ type: 'text', text }] },
    }),
  ),
  fc.record({ id: fc.integer({ min: 1, max: 9 }), path: text, uuid: entryUuid }).map(({ id, path, uuid }) =>
    json({
      type: 'assistant',
      uuid,
      message: { content: [{ type: 'tool_use', id: `t${id}`, name: 'Read', input: { path } }] },
    }),
  ),
  fc
    .record({
      id: fc.integer({ min: 1, max: 9 }),
      name: fc.constantFrom('Bash', 'Read', 'Task'),
      content: text,
    })
    .map(({ id, name, content }) =>
      json({
        type: 'assistant',
        message: { content: [{ type: 'tool_use', id: `t${id}`, name, input: { command: 'run', content } }] },
      }),
    ),
  fc
    .record({ id: fc.integer({ min: 1, max: 9 }), isError: fc.boolean(), content: text })
    .map(({ id, isError, content }) =>
      json({
        type: 'user',
        message: { content: [{ type: 'tool_result', tool_use_id: `t${id}`, is_error: isError, content }] },
      }),
    ),
  text.map((content) => json({ type: 'queue-operation', operation: 'enqueue', content })),
  text.map((prompt) => json({ type: 'attachment', attachment: { type: 'queued_command', prompt } })),
  text.map((customTitle) => json({ type: 'custom-title', customTitle })),
  text.map((aiTitle) => json({ type: 'ai-title', aiTitle })),
  fc.record({ summary: text, leafUuid: entryUuid }).map((summary) => json({ type: 'summary', ...summary })),
  text.map((lastPrompt) => json({ type: 'last-prompt', lastPrompt })),
  fc.constantFrom(
    '{"type":"new-thing","version":"9.9.9"}\n',
    '{"torn":\n',
    '[1]\n',
    '\n',
    '{"type":"progress"}\n',
  ),
);

function json(value: Line): string {
  return `${JSON.stringify(value)}\n`;
}

const file = fc.constantFrom(
  'projects/-home-u-shop/aaaaaaaa.jsonl',
  'projects/-home-u-shop/bbbbbbbb.jsonl',
  'projects/-home-u-shop/agent-cccccccc.jsonl',
  'projects/-home-u-shop/aaaaaaaa/subagents/agent-dddddddd.jsonl',
);

type Step =
  | { readonly do: 'append'; readonly file: string; readonly lines: readonly string[]; readonly cut: number }
  | {
      readonly do: 'rewrite';
      readonly file: string;
      readonly lines: readonly string[];
      readonly cut: number;
    };

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('append' as const, 'append' as const, 'append' as const, 'rewrite' as const),
  file,
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  cut: fc.constantFrom(0, 0, 0, 1, 7, 30),
});

/** Applies a step to the contents of the files; `cut` leaves the last bytes of the line for the next append. */
class Files {
  readonly written = new Map<string, string>();
  private readonly held = new Map<string, string>();

  apply(step: Step): void {
    const before =
      step.do === 'append' ? (this.written.get(step.file) ?? '') + (this.held.get(step.file) ?? '') : '';
    const whole = before + step.lines.join('');
    // Never all of it: what is indexed of a file that is emptied stays.
    const cut = whole.length <= step.cut ? 0 : Math.min(step.cut, step.lines.at(-1)?.length ?? 0);
    this.written.set(step.file, whole.slice(0, whole.length - cut));
    this.held.set(step.file, whole.slice(whole.length - cut));
  }

  writeTo(home: TempHome, minute: number): void {
    for (const [path, content] of this.written) {
      const full = home.write(path, content);
      utimesSync(full, minute * 60, minute * 60);
    }
  }
}

describe('incremental indexing', () => {
  test('indexing after every random append or rewrite equals indexing once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const stepwise = new TempHome();
        const once = new TempHome();
        try {
          const files = new Files();
          for (const [i, next] of steps.entries()) {
            files.apply(next);
            files.writeTo(stepwise, i + 1);
            await indexHome(stepwise);
          }
          files.writeTo(once, steps.length);
          await indexHome(once);
          expect(await contentOf(stepwise)).toEqual(await contentOf(once));
        } finally {
          stepwise.remove();
          once.remove();
        }
      }),
      { numRuns: Number(process.env.RECALL_TEST_RUNS ?? 25) },
    );
  });

  test('a second result of the same call belongs to no call, also where the call was read before', async () => {
    const call = `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { path: 'jwt' } }] } })}\n`;
    const result = `${JSON.stringify({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'jwt' }] } })}\n`;
    const home = new TempHome();
    home.write('projects/-home-u-shop/aaaaaaaa.jsonl', call);
    await indexHome(home);
    home.write('projects/-home-u-shop/aaaaaaaa.jsonl', call + result + result);
    await indexHome(home);
    const rows = await rowsOf<{ call_id: number | null }>(
      home,
      "select call_id from work where kind = 'tool-output' order by id",
    );
    expect(rows.map(({ call_id }) => call_id !== null)).toEqual([true, false]);
    home.remove();
  });

  test('a rebuild changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const home = new TempHome();
        try {
          const files = new Files();
          for (const next of steps) files.apply(next);
          files.writeTo(home, 1);
          await indexHome(home);
          const before = await contentOf(home);
          await indexHome(home, { rebuild: true });
          expect(await contentOf(home)).toEqual(before);
        } finally {
          home.remove();
        }
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ['deleted', rmSync],
    ['emptied, as a crash may leave it,', (path: string) => writeFileSync(path, '')],
  ])('what was %s stays, marked, also through a rebuild', async (_, lose) => {
    const home = new TempHome();
    const path = home.writeSession('aaaaaaaa', [
      { type: 'user', message: { content: 'the flamingo deploy' }, timestamp: at(1) },
    ]);
    home.writeSession('bbbbbbbb', [{ type: 'user', message: { content: 'another' }, timestamp: at(2) }]);
    await indexHome(home);
    lose(join(home.claudeDir, path));
    const report = await indexHome(home);
    expect(report.files.gone).toBe(1);
    expect((await indexHome(home)).files).toMatchObject({ gone: 0, rewritten: 0, grown: 0 });
    await indexHome(home, { rebuild: true });
    const { sessions, messages } = (await contentOf(home)) as { sessions: Line[]; messages: Line[] };
    expect(sessions.map((session) => [session.native_id, session.is_gone])).toEqual([
      ['aaaaaaaa', 1],
      ['bbbbbbbb', 0],
    ]);
    expect(messages.map((message) => message.text)).toEqual(['the flamingo deploy', 'another']);

    writeFileSync(
      join(home.claudeDir, path),
      toJsonl([{ type: 'user', message: { content: 'back again' }, timestamp: at(3) }]),
    );
    await indexHome(home);
    const after = (await contentOf(home)) as { sessions: Line[]; messages: Line[] };
    expect(after.sessions[0]).toMatchObject({ native_id: 'aaaaaaaa', is_gone: 0 });
    expect(after.messages[0]).toMatchObject({ text: 'back again' });
    home.remove();
  });
});
