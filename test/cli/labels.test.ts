// What a person says of sessions is kept beside the index, found everywhere, and survives all that happens to the index and the
// transcripts; only `forget` removes it.

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assistantLine, at, TempHome, userLine } from '../support/home.ts';
import { finish, runRecall, startRecall } from '../support/program.ts';

let home: TempHome;
const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const other = 'bbbbbbbb-0000-4000-8000-000000000002';
const labelsPath = () => join(dirname(home.indexPath), 'labels.db');

beforeEach(() => {
  home = new TempHome();
  home.writeSession(id, [
    userLine('why does the checkout fail', { uuid: 'u-1', timestamp: at(1) }),
    assistantLine('Because the cart is empty.', { uuid: 'u-2', timestamp: at(2) }),
    { type: 'ai-title', aiTitle: 'Checkout failure' },
  ]);
  home.writeSession(other, [
    userLine('rename the module', { timestamp: at(3) }),
    { type: 'tag', tag: 'Agent Made' },
  ]);
  runRecall(home, ['index']);
});
afterEach(() => home.remove());

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly titleSource: string;
  readonly labels: { readonly starred: boolean; readonly tags: string[]; readonly notes: object[] };
}

function label(...args: string[]) {
  return runRecall(home, ['label', ...args]);
}

function list(...args: string[]): Listed[] {
  return JSON.parse(runRecall(home, ['list', '--json', ...args]).stdout).sessions;
}

function search(...args: string[]): { id: string; matches: { kind: string; snippet: string }[] }[] {
  return JSON.parse(runRecall(home, ['search', '--json', ...args]).stdout).hits;
}

const idsOf = (found: readonly { id: string }[]) => found.map((each) => each.id);
const labelled = () => list().find((each) => each.id === id);

describe('recall label', () => {
  test('names, stars, tags and annotates a session, and shows what it has', () => {
    expect(label('aaaaaaaa').stdout).toBe('aaaaaaaa  Checkout failure\n  no labels\n');
    label('aaaaaaaa', '--name', 'The cart  bug', '--star', '--tag', 'Billing,to do');
    label('aaaaaaaa', '--note', 'ask Ann first');
    label('aaaaaaaa:2', '--note', 'this is the fix');
    expect(label('aaaaaaaa').stdout).toBe(
      [
        'aaaaaaaa  The cart bug',
        '  name  The cart bug',
        '  star  ★',
        '  tags  #billing #to-do',
        '  note  ask Ann first',
        '  note  aaaaaaaa:2: this is the fix',
        '',
      ].join('\n'),
    );
    expect(labelled()).toMatchObject({
      title: 'The cart bug',
      titleSource: 'yours',
      labels: {
        name: 'The cart bug',
        starred: true,
        tags: ['billing', 'to-do'],
        notes: [
          { uuid: null, position: null, text: 'ask Ann first' },
          { uuid: 'u-2', position: 2, text: 'this is the fix' },
        ],
      },
    });
    label('aaaaaaaa', '--name', '', '--unstar', '--untag', 'billing', '--note', '');
    expect(labelled()).toMatchObject({
      title: 'Checkout failure',
      titleSource: 'ai-title',
      labels: { name: null, starred: false, tags: ['to-do'], notes: [{ uuid: 'u-2' }] },
    });
  });

  test('is found by name, tag and note, also by the title that the name replaces', () => {
    label('aaaaaaaa', '--name', 'Zanzibar', '--tag', 'quokka', '--note', 'remember the wombat');
    for (const word of ['zanzibar', 'quokka', 'wombat', 'failure'])
      expect(idsOf(search(word)), word).toEqual([id]);
    expect(search('wombat')[0]?.matches[0]).toMatchObject({ kind: 'note', snippet: 'remember the «wombat»' });
    expect(search('quokka')[0]?.matches[0]).toMatchObject({ kind: 'tag', snippet: '«quokka»' });
    expect(search('zanzibar')[0]?.matches[0]?.kind).toBe('title');
    label('aaaaaaaa', '--name', '', '--untag', 'quokka', '--note', '');
    for (const word of ['zanzibar', 'quokka', 'wombat']) expect(search(word), word).toEqual([]);
  });

  test('is selected by tag:, is:starred and has:note, as flags and inside a query', () => {
    label('aaaaaaaa', '--tag', 'billing', '--star', '--note', 'x');
    for (const filter of ['tag:billing', 'tag:Billing', 'is:starred', 'has:note', '-tag:agent-made']) {
      expect(idsOf(search(filter)), filter).toEqual([id]);
      expect(idsOf(search(`-${filter}`.replace('--', ''))), `-${filter}`).toEqual([other]);
    }
    expect(idsOf(list('--tag', 'billing', '--is', 'starred', '--has', 'note'))).toEqual([id]);
    expect(idsOf(list('--tag', 'agent-made'))).toEqual([other]);
    expect(runRecall(home, ['search', 'tag:nothing']).stderr).toContain('no session has the tag nothing');
    expect(search('is:subagent')).toEqual([]);
  });

  test('a star and tags are in lists, results and pages', () => {
    label('aaaaaaaa', '--tag', 'a,b,c,d', '--star', '--note', 'on the whole');
    for (const command of [['list'], ['search', 'checkout']])
      expect(runRecall(home, command).stdout).toMatch(/★ Checkout failure[\s\S]*#a #b #c \+1/);
    const shown = runRecall(home, ['show', id]).stdout;
    expect(shown).toContain('#a #b #c #d');
    expect(shown).toContain('on the whole');
    expect(runRecall(home, ['list', '--brief']).stdout).toContain('starred  #a  #b  #c  #d');
  });

  test('says what is wrong', () => {
    expect(label('aaaaaaaa:9', '--note', 'x')).toMatchObject({ code: 1 });
    expect(label('aaaaaaaa:9', '--note', 'x').stderr).toContain('has no message 9');
    expect(label('cccccccc', '--star').code).toBe(1);
    expect(label('aaaaaaaa', '--star', '--unstar').stderr).toContain('exclude each other');
    expect(label('aaaaaaaa', '--name', 'x'.repeat(201)).stderr).toContain('200 characters');
    expect(label('aaaaaaaa', '--tag', '#').stderr).toContain('at least one letter');
  });

  test('labels are private, and nothing is written where the agent keeps its files', () => {
    const before = readdirSync(home.claudeDir, { recursive: true });
    label('aaaaaaaa', '--star');
    expect(statSync(labelsPath()).mode & 0o777).toBe(0o600);
    expect(readdirSync(home.claudeDir, { recursive: true })).toEqual(before);
  });
});

describe('recall labels', () => {
  test('lists tags with the number of sessions', () => {
    expect(runRecall(home, ['labels', '--json']).stdout).toContain('"agent-made"');
    label('aaaaaaaa', '--tag', 'x,agent-made', '--star');
    expect(JSON.parse(runRecall(home, ['labels', '--json']).stdout)).toEqual({
      schemaVersion: 1,
      tags: [
        { tag: 'agent-made', sessions: 2 },
        { tag: 'x', sessions: 1 },
      ],
      starred: 1,
      noted: 0,
    });
    expect(runRecall(home, ['labels']).stdout).toMatch(/#agent-made\s+2\n#x\s+1\n1 session with a star/);
  });

  test('are exported and imported as lines; the newer wins', () => {
    label('aaaaaaaa', '--tag', 'old', '--name', 'First');
    const exported = runRecall(home, ['labels', 'export']).stdout;
    const file = join(home.path, 'labels.jsonl');
    writeFileSync(file, exported);
    label('aaaaaaaa', '--untag', 'old', '--name', 'Second');
    expect(runRecall(home, ['labels', 'import', file]).stdout).toBe('2 labels read, 0 newer than here\n');
    expect(labelled()).toMatchObject({ title: 'Second', labels: { tags: [] } });
    rmSync(labelsPath());
    expect(labelled()).toMatchObject({ titleSource: 'ai-title' });
    expect(runRecall(home, ['labels', 'import', '-'], { input: exported }).stdout).toContain('2 newer');
    expect(labelled()).toMatchObject({ title: 'First', labels: { tags: ['old'] } });
  });

  test('that are not labels are refused before anything is written', () => {
    const good = { agent: 'claude', id, message: null, field: 'star', value: '1', changedAt: at(1) };
    for (const bad of [
      '{',
      '[]',
      '{}',
      JSON.stringify({ ...good, field: 'x' }),
      JSON.stringify({ ...good, agent: 'y' }),
    ]) {
      const { code, stderr } = runRecall(home, ['labels', 'import', '-'], {
        input: `${JSON.stringify(good)}\n${bad}\n`,
      });
      expect([code, stderr]).toEqual([2, expect.stringContaining('line 2')]);
    }
    expect(labelled()?.labels.starred).toBe(false);
  });
});

describe('labels survive', () => {
  beforeEach(() => {
    label('aaaaaaaa', '--name', 'Mine', '--tag', 'kept', '--star');
    label('aaaaaaaa:2', '--note', 'about this');
  });
  const isThere = () =>
    expect(labelled()).toMatchObject({
      title: 'Mine',
      labels: { starred: true, tags: ['kept'], notes: [{ uuid: 'u-2', position: 2 }] },
    });

  test('a rebuild, a repair, and the loss of the index', () => {
    runRecall(home, ['index', '--rebuild']);
    isThere();
    runRecall(home, ['doctor', '--repair']);
    isThere();
    rmSync(home.indexPath);
    isThere();
    expect(idsOf(search('kept'))).toEqual([id]);
    writeFileSync(home.indexPath, 'no longer a database'.repeat(1000));
    runRecall(home, ['doctor', '--repair']);
    isThere();
  });

  test('the loss of the transcript, and its move to another place', () => {
    const path = join(home.claudeDir, `projects/-home-u-shop/${id}.jsonl`);
    const text = readFileSync(path, 'utf8');
    rmSync(path);
    runRecall(home, ['index']);
    isThere();
    home.write(`projects/-home-u-elsewhere/${id}.jsonl`, text);
    runRecall(home, ['index']);
    isThere();
  });

  test('writers at the same moment', async () => {
    const writers = Array.from({ length: 6 }, (_, n) =>
      finish(startRecall(home, ['label', id, '--tag', `t${n}`])),
    );
    for (const { code } of await Promise.all(writers)) expect(code).toBe(0);
    expect(labelled()?.labels.tags).toEqual(['kept', 't0', 't1', 't2', 't3', 't4', 't5']);
  });

  test('a file that is damaged costs the labels, not the answer', () => {
    writeFileSync(labelsPath(), 'not a database '.repeat(100));
    const { code, stderr } = runRecall(home, ['list']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('the labels in')]);
    expect(label('aaaaaaaa', '--star').stderr).toContain('cannot be used');
  });
});

test('forget removes labels: no byte is left, and an import does not bring them back', () => {
  const secret = 'xylophonequartz';
  label('aaaaaaaa', '--name', secret, '--tag', secret, '--note', `note ${secret}`);
  const exported = runRecall(home, ['labels', 'export']).stdout;
  expect(runRecall(home, ['forget', 'aaaaaaaa', '--yes']).code).toBe(0);
  runRecall(home, ['labels', 'import', '-'], { input: exported });
  runRecall(home, ['index']);
  const own = dirname(home.indexPath);
  for (const name of readdirSync(own))
    expect(readFileSync(join(own, name)).toString('latin1').includes(secret), name).toBe(false);
  expect(runRecall(home, ['labels', 'export']).stdout).toBe('');
});
