// What tools were given and answered, in the index: however it came there, it leads to its call, has its text, and goes with
// its session.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readToolTexts } from '../../src/store/read/tool-texts.ts';
import { rebuildWords } from '../../src/store/upkeep/words-index.ts';
import type { SessionFilters } from '../../src/store/word-index.ts';
import { ask, idsOf } from '../search/ask.ts';
import {
  assistantLine,
  at,
  claudeKey,
  type Line,
  TempHome,
  toJsonl,
  toolUse,
  userLine,
} from '../support/home.ts';
import { contentOf, forgetForGood, indexHome, rowsOf, withStore } from '../support/index-home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const id = 'aaaaaaaa';
const bash = (callId: string, command: string) => assistantLine([toolUse('Bash', { command }, callId)]);
const answer = (callId: string, content: string, isError = false): Line =>
  userLine([{ type: 'tool_result', tool_use_id: callId, content, is_error: isError }]);

/** The ids of sessions that hold all the words. */
const find = (query: string, filters: Partial<SessionFilters> = {}) =>
  withStore(home, async (store) => {
    const result = await ask(store, query, { filters });
    return result.tier === 'all' ? idsOf(result) : [];
  });

interface Row {
  readonly kind: string;
  readonly text: string;
  readonly tool: string | null;
  readonly isError: number | null;
}

/** Each row with its call and its text. */
async function readRows(): Promise<Row[]> {
  const rows = await rowsOf<Omit<Row, 'text'> & { id: number }>(
    home,
    `select work.id, work.kind, name as tool, is_error as isError
    from work left join tool_call on tool_call.id = call_id order by work.id`,
  );
  return withStore(home, ({ db }) => {
    const texts = readToolTexts(
      db,
      rows.map(({ id }) => id),
    );
    return rows.map(({ id, ...row }) => ({ ...row, text: texts.get(id) ?? '' }));
  });
}

describe('an answer that comes later', () => {
  test.each([['Bash'], ['Task'], ['Read']])('finds its call: %s', async (name) => {
    const call = assistantLine([toolUse(name, { description: 'look' }, 't1')]);
    const path = home.writeSession(id, [userLine('go 数据库'), call]);
    await indexHome(home);
    home.append(path, [answer('t1', 'the pangolin came')]);
    await indexHome(home);
    expect(await readRows()).toEqual([
      { kind: 'tool-input', text: 'look', tool: name, isError: 0 },
      { kind: 'tool-output', text: 'the pangolin came', tool: name, isError: 0 },
    ]);
    expect(await find('pangolin')).toEqual([id]);
  });

  test('says that the call failed', async () => {
    const path = home.writeSession(id, [
      userLine('go'),
      assistantLine([toolUse('Read', { path: '/x' }, 't1')]),
    ]);
    await indexHome(home);
    home.append(path, [answer('t1', 'no pangolin here', true)]);
    await indexHome(home);
    expect(await readRows()).toMatchObject([{ isError: 1 }, { kind: 'tool-output', isError: 1 }]);
    expect(await find('pangolin')).toEqual([id]);
  });

  test('to one of two calls with the same id belongs to the same one, however it was read', async () => {
    const lines = [userLine('go'), bash('t1', 'first'), bash('t1', 'second'), answer('t1', 'pangolin')];
    const read = async (steps: readonly number[]) => {
      const one = new TempHome();
      try {
        const path = one.writeSession(id, []);
        for (const [i, end] of steps.entries()) {
          one.append(path, lines.slice(i === 0 ? 0 : steps[i - 1], end));
          await indexHome(one);
        }
        return (await contentOf(one)).work;
      } finally {
        one.remove();
      }
    };
    const atOnce = await read([4]);
    for (const steps of [
      [3, 4],
      [2, 4],
      [2, 3, 4],
    ])
      expect([steps, await read(steps)]).toEqual([steps, atOnce]);
  });

  test('to a call that nobody made is found too', async () => {
    home.writeSession(id, [userLine('go'), answer('nobody', 'a stray pangolin')]);
    await indexHome(home);
    expect(await find('pangolin')).toEqual([id]);
    expect(await rowsOf(home, 'select call_id from work')).toEqual([{ call_id: null }]);
  });
});

describe('a transcript', () => {
  const title = { type: 'ai-title', aiTitle: 'A heading' };
  const lines = [
    userLine('go'),
    bash('t1', 'cat pangolin.txt'),
    answer('t1', 'tapir'),
    userLine('a flamingo'),
    title,
  ];

  test('written anew has only what it holds now', async () => {
    const path = home.writeSession(id, lines);
    await indexHome(home);
    expect([await find('pangolin'), await find('tapir')]).toEqual([[id], [id]]);
    home.writeSession(id, [userLine('start over'), bash('t1', 'ls okapi')]);
    await indexHome(home);
    expect([await find('pangolin'), await find('tapir'), await find('okapi')]).toEqual([[], [], [id]]);
    expect(await readRows()).toHaveLength(1);
    const fresh = new TempHome();
    try {
      writeFileSync(fresh.write(path, ''), readFileSync(join(home.claudeDir, path)));
      await indexHome(fresh);
      expect(await contentOf(home)).toEqual(await contentOf(fresh));
    } finally {
      fresh.remove();
    }
  });

  test('that is gone keeps its rows and is still found, also after a rebuild', async () => {
    const path = home.writeSession(id, lines);
    await indexHome(home);
    const before = await rowsOf(home, 'select * from work');
    rmSync(join(home.claudeDir, path));
    for (const rebuild of [false, true]) {
      await indexHome(home, { rebuild });
      expect(await rowsOf(home, 'select * from work')).toEqual(before);
      expect([await find('pangolin'), await find('tapir', { only: { in: 'done' } })]).toEqual([[id], [id]]);
    }
  });

  test('whose messages only are searched is not found by it', async () => {
    home.writeSession(id, lines);
    await indexHome(home);
    expect(await find('tapir', { only: { in: 'said' } })).toEqual([]);
    expect(await find('pangolin', { only: { in: 'said' } })).toEqual([]);
    for (const role of ['assistant', 'user'] as const)
      expect(await find('tapir', { only: { role } })).toEqual([]);
    expect(await find('flamingo', { only: { in: 'said' } })).toEqual([id]);
  });

  test('of which only what was done is searched is not found by what was said', async () => {
    home.writeSession(id, lines);
    await indexHome(home);
    for (const word of ['flamingo', 'heading'])
      expect([word, await find(word, { only: { in: 'done' } })]).toEqual([word, []]);
    expect(await find('tapir', { only: { in: 'done' } })).toEqual([id]);
  });

  test('without a message is found by it only with --all', async () => {
    home.writeSession(id, [bash('t1', 'cat pangolin.txt'), answer('t1', 'tapir')]);
    await indexHome(home);
    expect(await find('tapir')).toEqual([]);
    await withStore(home, async (store) => {
      expect(idsOf(await ask(store, 'tapir', { filters: { includeAll: true } }))).toEqual([id]);
    });
  });
});

describe('what is forgotten', () => {
  test('leaves no row and no word, and nothing of another session goes with it', async () => {
    home.writeSession(id, [userLine('go'), bash('t1', 'cat pangolin.txt'), answer('t1', 'tapirs running')]);
    const rest = [userLine('go on'), bash('t1', 'ls'), answer('t1', 'okapis jumping')];
    home.writeSession('bbbbbbbb', rest);
    await indexHome(home);
    await withStore(home, (store) => forgetForGood(store, claudeKey(id), at(0)));
    const { work, words } = await contentOf(home);
    expect(work.map((row) => row.native_id)).toEqual(['bbbbbbbb', 'bbbbbbbb']);
    expect(JSON.stringify(words)).not.toMatch(/pangolin|tapir/);
    // By another form of the word.
    expect(await find('okapi jump')).toEqual(['bbbbbbbb']);
    const forms = await rowsOf<{ word: string }>(home, 'select word from word_form');
    expect(forms.map(({ word }) => word)).not.toContain('tapirs');
  });
});

test('other forms of its words are found, also after the words were built again', async () => {
  home.writeSession(id, [userLine('go'), bash('t1', 'ls'), answer('t1', 'migrating narwhals')]);
  await indexHome(home);
  expect(await find('narwhal migrate')).toEqual([id]);
  await withStore(home, ({ db }) => rebuildWords(db));
  expect(await find('narwhal migrate')).toEqual([id]);
});

test('parts of its identifiers and runs of Chinese are found', async () => {
  const content = 'export function narwhalHandshake() { /* 数据库连接池 */ }';
  home.writeSession(id, [userLine('go'), assistantLine([toolUse('Write', { file_path: '/x.ts', content })])]);
  await indexHome(home);
  for (const query of ['handshake', 'narwhal_handshake', 'narwhalHandshake', '连接池', '"export function"'])
    expect([query, await find(query)]).toEqual([query, [id]]);
});

test('a line of which a part is a secret is indexed without it', async () => {
  const secret = `ghp_${'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zQ7'}`;
  const lines = [
    userLine('go'),
    bash('t1', `echo ${secret} wombat`),
    answer('t1', `GITHUB_TOKEN=${secret} tapir`),
  ];
  home.writeSession(id, lines);
  await withStore(home, ({ db }) => db.exec('update setting set is_redacting = 1'));
  await indexHome(home);
  const { words } = await contentOf(home);
  expect(JSON.stringify(words).toLowerCase()).not.toContain(secret.slice(4).toLowerCase());
  expect(await find('tapir wombat')).toEqual([id]);
});

test('however it is appended, rows and words are those of reading at once', async () => {
  const lines = Array.from({ length: 30 }, (_, n) =>
    n % 3 === 0
      ? userLine(`说 ${n}`)
      : n % 3 === 1
        ? bash(`t${n}`, `run 数${n}`)
        : answer(`t${n - 1}`, `é ${n}`, n % 2 === 0),
  );
  const path = home.writeSession(id, []);
  const whole = toJsonl(lines);
  for (const line of lines) {
    home.append(path, [line]);
    await indexHome(home);
  }
  const once = new TempHome();
  try {
    once.write(path, whole);
    await indexHome(once);
    expect(await contentOf(home)).toEqual(await contentOf(once));
  } finally {
    once.remove();
  }
});
