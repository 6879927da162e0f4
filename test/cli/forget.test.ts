// `recall forget` removes a session for good: no byte of it is left outside the transcripts, and it never
// comes back.

import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireIndexLock, isLocked } from '../../src/store/open/open-store.ts';
import { salvageIndex } from '../../src/store/upkeep/salvage.ts';
import { assistantLine, at, TempHome, toolUse, userLine } from '../support/home.ts';
import { indexHome, readStoredTexts, rowsOf } from '../support/index-home.ts';
import {
  finish,
  hasTerminals,
  type Result,
  runAtTerminal,
  runRecall,
  startRecall,
  untilSaid,
} from '../support/program.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const folder = 'projects/-home-u-shop';
/** Occurs in everything that belongs to the forgotten session, and nowhere else. */
const secret = 'xylophonequartz';

function found(word: string): string[] {
  const { stdout } = runRecall(home, ['search', '--no-refresh', '--all', '--json', word]);
  return (JSON.parse(stdout) as { hits: { id: string }[] }).hits.map((hit) => hit.id).sort();
}

/** Which of recall's own files contain the word, in any letter case and either encoding. */
function filesHolding(word: string): string[] {
  const own = join(home.path, 'recall');
  return readdirSync(own).filter((name) => {
    const text = readFileSync(join(own, name)).toString('latin1');
    const texts = name === basename(home.indexPath) ? readStoredTexts(home.indexPath).join('\n') : '';
    return `${text}${texts}`.toLowerCase().includes(word.slice(0, 12));
  });
}

function forget(...args: string[]): Result {
  return runRecall(home, ['forget', ...args]);
}

/** A session with the secret in every place that is indexed, and others without it. */
function writeSecretSession(): void {
  const entry = '11111111-0000-4000-8000-000000000001';
  home.writeSession('aaaaaaaa', [
    userLine(`why does ${secret} fail`, {
      uuid: entry,
      cwd: `/home/u/${secret}`,
      gitBranch: `fix/${secret}`,
    }),
    assistantLine([
      { type: 'text', text: `Because ${secret} expired.` },
      toolUse('Read', { file_path: `src/${secret}.ts` }),
      toolUse('Bash', { command: `cat ${secret}` }, 't1'),
      toolUse('Write', { file_path: '/x.ts', content: `const ${secret}s = 1` }, 't2'),
    ]),
    userLine([{ type: 'tool_result', tool_use_id: 't1', content: `no ${secret}ing here`, is_error: true }]),
    { type: 'ai-title', aiTitle: `About ${secret}` },
    { type: 'custom-title', customTitle: `My ${secret}` },
    { type: 'last-prompt', lastPrompt: `and ${secret} again` },
    { type: 'summary', summary: `Solved ${secret}`, leafUuid: entry },
    { type: `${secret}-type`, version: '9.9.9' },
  ]);
  home.write(`${folder}/aaaaaaaa/custom-title.json`, { customTitle: `Named ${secret}` });
  home.write(`${folder}/aaaaaaaa/subagents/agent-nested.jsonl`, [userLine(`look for ${secret}`)]);
  home.write(`${folder}/aaaaaaaa/subagents/agent-nested.meta.json`, {
    agentType: 'Explore',
    description: `Hunt ${secret}`,
  });
  home.write(`${folder}/agent-flat.jsonl`, [userLine(`count ${secret}`, { sessionId: 'aaaaaaaa' })]);
  home.write('pre-compact-session-histories/2026-03-05-aaaaaaaa.jsonl', [
    userLine(`before compaction ${secret}`, { sessionId: 'aaaaaaaa' }),
  ]);
  home.write('history.jsonl', [
    {
      display: `why does ${secret} fail`,
      sessionId: 'aaaaaaaa',
      project: '/home/u/shop',
      timestamp: Date.parse(at(1)),
    },
    {
      display: 'the lost armadillo',
      sessionId: 'dddddddd',
      project: '/home/u/shop',
      timestamp: Date.parse(at(2)),
    },
  ]);
  home.write(`${folder}/sessions-index.json`, {
    entries: [{ sessionId: 'aaaaaaaa', firstPrompt: `why does ${secret} fail`, summary: `Solved ${secret}` }],
  });
  home.writeSession('bbbbbbbb', [userLine('the okapi is unharmed'), assistantLine('Good.')]);
  home.write(`${folder}/bbbbbbbb/subagents/agent-other.jsonl`, [userLine('an okapi agent')]);
}

describe('asking first', () => {
  beforeEach(() => {
    home.writeSession('aaaaaaaa', [userLine('hello')]);
    home.write(`${folder}/aaaaaaaa/subagents/agent-b1.jsonl`, [userLine('look')]);
    runRecall(home, ['index']);
  });

  test('without a terminal, --yes is needed', () => {
    const { code, stdout, stderr } = forget('aaaa');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'recall: forget would remove aaaaaaaa (hello) and 1 subagent for good\n  try: recall forget aaaaaaaa --yes\n',
    );
    expect(found('hello')).toEqual(['aaaaaaaa']);
  });

  test.skipIf(!hasTerminals)('after no, it says that nothing was removed', () => {
    for (const answer of ['n\n', '\n', '\x04']) {
      const { code, stdout } = runAtTerminal(home, ['forget', 'aaaa'], answer);
      expect(code).toBe(1);
      expect(stdout.replace(/\s+/g, ' ')).toContain('There is no way back');
      expect(stdout).toContain('[y/N]');
      expect(stdout.trimEnd()).toMatch(/nothing was removed$/);
      expect(found('hello')).toEqual(['aaaaaaaa']);
    }
    expect(runAtTerminal(home, ['forget', 'aaaa'], 'y\n').stdout).toContain('forgot aaaaaaaa');
  });

  test.skipIf(!hasTerminals)('the question does not promise a transcript that was deleted', () => {
    const ask = () => runAtTerminal(home, ['forget', 'aaaa'], 'n\n').stdout.replace(/\s+/g, ' ');
    expect(ask()).toContain('The transcript stays; if the archive has a copy of it, that is deleted.');
    rmSync(join(home.claudeDir, folder), { recursive: true });
    expect(ask()).toContain('The transcript was deleted; nothing will be left of it.');
  });

  test('--yes is needed under --json too', () => {
    const { code, stdout, stderr } = forget('aaaaaaaa', '--json');
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'needs-confirmation',
        message: 'forget would remove aaaaaaaa (hello) and 1 subagent for good',
        hint: 'recall forget aaaaaaaa --yes',
      },
    });
  });

  test('reports what it did', () => {
    expect(forget('aaaaaaaa', '--yes')).toEqual({
      code: 0,
      stdout: 'forgot aaaaaaaa (hello) and 1 subagent: 2 messages removed\n',
      stderr: '',
    });
  });

  test('of one that was forgotten before, that nothing of it is left, by the id that was given', () => {
    forget('aaaaaaaa', '--yes');
    for (const ref of ['aaaaaaaa', 'aaaa']) {
      const { code, stdout, stderr } = forget(ref);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^aaaaaaaa was forgotten on 20\d\d-\d\d-\d\d; nothing of it is left\n$/);
    }
    expect(forget('cccccccc', '--yes')).toMatchObject({ code: 1, stdout: '' });
  });

  test('reports what it did in JSON', () => {
    const { code, stdout } = forget('--json', '-y', 'aaaaaaaa');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: 2,
      nativeIds: ['aaaaaaaa', 'b1'],
      sessions: 2,
      messages: 2,
      archived: 0,
      isWiped: true,
      copies: [],
    });
  });

  test('an ambiguous id is not forgotten', () => {
    home.writeSession('aaaaabbb', [userLine('hello too')]);
    runRecall(home, ['index']);
    const { code, stderr } = forget('aaaaa', '--yes');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^recall: aaaaa could be any of 2 sessions:\n/);
    expect(found('hello')).toEqual(['aaaaaaaa', 'aaaaabbb']);
  });

  test('a number is a result of the last search', () => {
    runRecall(home, ['search', 'hello']);
    expect(forget('1', '--yes').stdout).toMatch(/^forgot aaaaaaaa/);
  });
});

describe('for good', () => {
  beforeEach(() => {
    writeSecretSession();
    expect(runRecall(home, ['index']).code).toBe(0);
    expect(found(secret)).toEqual(['aaaaaaaa']);
    expect(filesHolding(secret)).toContain('recall.db');
  });

  test('nothing of it, its subagents and its saved histories is left', async () => {
    const { code, stdout } = forget('aaaaaaaa', '--yes', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).nativeIds.sort()).toEqual([
      '2026-03-05-aaaaaaaa',
      'aaaaaaaa',
      'flat',
      'nested',
    ]);
    expect(filesHolding(secret)).toEqual([]);
    expect(found(secret)).toEqual([]);
    const rows = await rowsOf(home, 'select native_id from session order by native_id');
    expect(rows).toEqual(['bbbbbbbb', 'dddddddd', 'other'].map((native_id) => ({ native_id })));
    expect(runRecall(home, ['doctor']).code).toBe(0);
  });

  test('the others are found as before', () => {
    forget('aaaaaaaa', '--yes');
    expect(found('okapi')).toEqual(['bbbbbbbb']);
    expect(found('armadillo')).toEqual(['dddddddd']);
  });

  test('it does not come back after a later index, a rebuild, new lines or a repair', () => {
    forget('aaaaaaaa', '--yes');
    const expectGone = () => {
      expect(found(secret)).toEqual([]);
      expect(filesHolding(secret)).toEqual([]);
    };
    runRecall(home, ['index']);
    expectGone();
    home.append(`${folder}/aaaaaaaa.jsonl`, [userLine(`more about ${secret}`)]);
    home.append(`${folder}/aaaaaaaa/subagents/agent-nested.jsonl`, [userLine(`more about ${secret}`)]);
    home.write(`${folder}/aaaaaaaa/subagents/agent-later.jsonl`, [userLine(`a new agent on ${secret}`)]);
    home.write(`${folder}/agent-flatlater.jsonl`, [userLine(`as flat ${secret}`, { sessionId: 'aaaaaaaa' })]);
    home.append('history.jsonl', [
      { display: `${secret} again`, sessionId: 'aaaaaaaa', timestamp: Date.parse(at(9)) },
    ]);
    home.write(`${folder}/aaaaaaaa/custom-title.json`, { customTitle: `Renamed ${secret}` });
    runRecall(home, ['index']);
    expectGone();
    runRecall(home, ['index', '--rebuild']);
    expectGone();
    rmSync(join(home.claudeDir, folder, 'aaaaaaaa.jsonl'));
    runRecall(home, ['index', '--rebuild']);
    expectGone();
    runRecall(home, ['doctor', '--repair']);
    expectGone();
    expect(runRecall(home, ['doctor']).code).toBe(0);
  });

  test('it can be forgotten after its transcript was deleted', () => {
    rmSync(join(home.claudeDir, folder, 'aaaaaaaa.jsonl'));
    runRecall(home, ['index']);
    expect(forget('aaaaaaaa', '--yes').code).toBe(0);
    expect(filesHolding(secret)).toEqual([]);
    runRecall(home, ['index', '--rebuild']);
    expect(filesHolding(secret)).toEqual([]);
  });

  test('a subagent can be forgotten on its own', () => {
    expect(forget('nested', '--yes').code).toBe(0);
    runRecall(home, ['index', '--rebuild']);
    expect(runRecall(home, ['search', '--no-refresh', '--subagents', 'look']).code).toBe(1);
    expect(found(secret)).toEqual(['aaaaaaaa']);
  });
});

test('copies of the conversation are listed, and can be forgotten too', () => {
  const shared = [userLine(`a shared ${secret}`), assistantLine('Yes.')];
  home.writeSession('aaaaaaaa', shared);
  home.writeSession('bbbbbbbb', [...shared, userLine('and on')]);
  home.writeSession('cccccccc', [userLine('unrelated')]);
  runRecall(home, ['index']);
  const first = forget('aaaaaaaa', '--yes');
  expect(first.code).toBe(0);
  expect(first.stderr).toBe(
    'a copy of the conversation contains the same text; to remove it too:\n  recall forget bbbbbbbb\n',
  );
  expect(found(secret)).toEqual(['bbbbbbbb']);
  const second = forget('bbbbbbbb', '--yes');
  expect(second.stderr).toBe('');
  expect(filesHolding(secret)).toEqual([]);
  expect(found('unrelated')).toEqual(['cccccccc']);
});

test('a session recovered from history.jsonl can be forgotten', () => {
  home.write('history.jsonl', [
    {
      display: `named ${secret}`,
      sessionId: 'aaaaaaaa',
      project: '/home/u/shop',
      timestamp: Date.parse(at(1)),
    },
    { display: `unnamed ${secret}`, project: '/home/u/other', timestamp: Date.parse(at(2)) },
  ]);
  runRecall(home, ['index']);
  for (const id of found(secret)) expect(forget(id, '--yes').code).toBe(0);
  expect(filesHolding(secret)).toEqual([]);
  runRecall(home, ['index', '--rebuild']);
  expect(filesHolding(secret)).toEqual([]);
});

describe('older versions of its text', () => {
  const lines = (word: string, count: number) =>
    Array.from({ length: count }, (_, i) => userLine(`${word} ${i} ${'filler words '.repeat(15)}`));

  test('in a version of its file that was overwritten', () => {
    home.writeSession('aaaaaaaa', lines(secret, 300));
    home.writeSession('bbbbbbbb', lines('okapi', 300));
    runRecall(home, ['index']);
    home.writeSession('aaaaaaaa', lines('harmless', 3));
    runRecall(home, ['index']);
    expect(forget('aaaaaaaa', '--yes').code).toBe(0);
    expect(filesHolding(secret)).toEqual([]);
    expect(found('okapi')).toEqual(['bbbbbbbb']);
  });

  test('in segments of the full-text index that were merged later', async () => {
    const path = home.writeSession('aaaaaaaa', lines(secret, 1));
    for (let i = 0; i < 25; i++) {
      home.append(path, lines(secret, 4));
      await indexHome(home);
    }
    await indexHome(home, { rebuild: true });
    expect(forget('aaaaaaaa', '--yes').code).toBe(0);
    expect(filesHolding(secret)).toEqual([]);
  });
});

test('its prompts in history.jsonl without a session id do not come back as another session', () => {
  home.writeSession('aaaaaaaa', [userLine(`typed ${secret}`, { timestamp: at(1), cwd: '/home/u/shop' })]);
  home.write('history.jsonl', [
    { display: `typed ${secret}`, project: '/home/u/shop', timestamp: Date.parse(at(1)) },
    { display: 'typed elsewhere', project: '/home/u/other', timestamp: Date.parse(at(1)) },
  ]);
  runRecall(home, ['index']);
  forget('aaaaaaaa', '--yes');
  runRecall(home, ['index', '--rebuild']);
  expect(filesHolding(secret)).toEqual([]);
  expect(found('elsewhere')).toHaveLength(1);
});

test('a damaged file left by a repair is named, since it may contain the text', () => {
  home.writeSession('aaaaaaaa', [userLine(`typed ${secret}`)]);
  runRecall(home, ['index']);
  writeFileSync(home.indexPath, 'no database '.repeat(1000));
  runRecall(home, ['doctor', '--repair']);
  expect(forget('aaaaaaaa', '--yes').stderr).toMatch(/delete it: .*recall\.db\.damaged-/);
});

test('after waiting for a repair, it forgets in the repaired index', async () => {
  home.writeSession('aaaaaaaa', [userLine(`typed ${secret}`)]);
  await indexHome(home);
  const lock = acquireIndexLock(home.indexPath, 1, 0);
  const child = startRecall(home, ['forget', 'aaaaaaaa', '--yes']);
  const done = finish(child);
  await untilSaid(child, 'waiting for it');
  await salvageIndex(home.indexPath, Date.now());
  if (isLocked(lock)) lock.release();
  expect(await done).toMatchObject({ code: 0 });
  expect(found(secret)).toEqual([]);
});

test('word forms that only its late subagent added stay known if other sessions contain them, and only then', async () => {
  home.writeSession('aaaaaaaa', [userLine('to be forgotten')]);
  runRecall(home, ['index']);
  forget('aaaaaaaa', '--yes');
  // Read first, and only its lines say that it is a subagent of a forgotten session.
  const agent = home.writeSession('agent-late', [
    userLine(`our migrations and ${secret}s`, { sessionId: 'aaaaaaaa', isSidechain: true, agentId: 'late' }),
  ]);
  utimesSync(join(home.claudeDir, agent), 1000, 1000);
  home.writeSession('bbbbbbbb', [userLine('hello'), assistantLine('their migrations')]);
  runRecall(home, ['index']);
  expect(await rowsOf(home, "select word from word_form where word like 'migration%'")).toEqual([
    { word: 'migrations' },
  ]);
  expect(filesHolding(secret)).toEqual([]);
});
