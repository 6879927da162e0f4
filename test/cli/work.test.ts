// What was done is found and shown as what it is: code that was written, commands, errors that tools printed.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/store/open/database.ts';
import { assistantLine, at, type Line, TempHome, toJsonl, toolUse, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const otherId = 'bbbbbbbb-0000-4000-8000-000000000002';
const answer = (callId: string, content: unknown, isError = false): Line =>
  userLine([{ type: 'tool_result', tool_use_id: callId, content, is_error: isError }], { timestamp: at(4) });

/** One session in which a file is written and a command fails, and one where only words are said. */
function writeWork(): string {
  home.writeSession(otherId, [userLine('what is a handshake?', { timestamp: at(0) })]);
  return home.writeSession(id, [
    userLine('please set it up', { timestamp: at(1) }),
    assistantLine('On it.', { timestamp: at(2) }),
    assistantLine(
      [
        toolUse(
          'Write',
          { file_path: '/home/u/shop/src/x.ts', content: 'export function narwhalHandshake() {}\n' },
          't1',
        ),
        toolUse('Bash', { command: 'pip install gensim' }, 't2'),
      ],
      { timestamp: at(3) },
    ),
    answer('t1', 'File created successfully'),
    answer('t2', 'error: externally-managed-environment\n\nuse a venv', true),
  ]);
}

function withIndex(use: (db: Database) => void): void {
  const db = openDatabase(home.indexPath);
  use(db);
  db.close();
}

interface FoundMatch extends Line {
  readonly kind: string;
  readonly snippet: string;
}

const run = (...args: string[]) => runRecall(home, ['search', ...args]);

function find(...args: string[]): { id: string; tier: string; matches: FoundMatch[] }[] {
  const { tier, hits } = JSON.parse(run(...args, '--json').stdout);
  return (hits as { id: string; matches: FoundMatch[] }[]).map((hit) => ({ ...hit, tier }));
}

/** The sessions that hold all the words. */
const idsOf = (...args: string[]) =>
  find(...args)
    .filter(({ tier }) => tier === 'all')
    .map((hit) => hit.id);

test('coloured output is found by its words and phrases, and shown without colours', () => {
  home.writeSession(id, [
    userLine('run it', { timestamp: at(1) }),
    assistantLine([toolUse('Bash', { command: 'make' }, 't1')], { timestamp: at(2) }),
    answer('t1', '\x1b[31m\x1b[1mwombaterror\x1b[22m: cannot find \x1b[33mquokka\x1b[0m here', true),
  ]);
  expect(idsOf('wombaterror')).toEqual([id]);
  expect(idsOf('"cannot find quokka"')).toEqual([id]);
  expect(find('quokka')[0]?.matches[0]?.snippet).toBe('wombaterror: cannot find «quokka» here');
});

test('a first line with a byte order mark gives its passage', () => {
  const line = assistantLine([toolUse('Bash', { command: 'pip install narwhal' }, 't1')], {
    timestamp: at(1),
  });
  home.write(
    `projects/-home-u-shop/${id}.jsonl`,
    `\uFEFF${toJsonl([line, userLine('thanks', { timestamp: at(2) })])}`,
  );
  expect(run('narwhal').stdout).toMatch(/^ +Bash.*pip install narwhal/m);
  expect(find('narwhal')[0]?.matches[0]?.snippet).toContain('narwhal');
});

describe('on the page', () => {
  test('an identifier that was only written', () => {
    writeWork();
    const { code, stdout } = run('narwhalHandshake');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +Write src\/x\.ts.*: .*export function narwhalHandshake\(\)/m);
    expect(run('handshake narwhal').stdout).toContain('Write src/x.ts');
  });

  test('an error that a command printed', () => {
    writeWork();
    expect(run('externally-managed-environment').stdout).toMatch(
      /^ +Bash ✗.*: .*error: externally-managed-environment/m,
    );
  });

  test('a command', () => {
    writeWork();
    expect(run('gensim').stdout).toMatch(/^ +Bash\b.*: .*pip install gensim/m);
    expect(run('gensim').stdout).not.toContain('✗');
  });

  test('also in few characters', () => {
    writeWork();
    expect(run('externally-managed-environment', '--brief').stdout).toMatch(
      /Bash ✗: .*«externally-managed-environment»/,
    );
    expect(run('narwhalHandshake', '--brief').stdout).toContain('Write src/x.ts: ');
  });
});

describe('where it is looked for in a conversation', () => {
  const show = (...args: string[]) => runRecall(home, ['show', id, ...args]).stdout;
  beforeEach(() => {
    writeWork();
    runRecall(home, ['index']);
  });

  test('the call that matches is shown with the lines that do, and others are folded', () => {
    const page = show('--match', 'externally managed');
    expect(page).toContain(
      '⋯ Write src/x.ts\n✗ Bash pip install gensim  error\n  ↳ error: externally-managed-environment\n',
    );
    expect(page).not.toContain('use a venv');
    expect(page).not.toContain('narwhal');
  });

  test('so is what a tool was given', () => {
    expect(show('--match', 'narwhalHandshake')).toContain(
      '⋯ Write src/x.ts\n    export function narwhalHandshake() {}\n⋯ Bash pip install gensim (1 error)',
    );
  });

  test('an agent gets it in one line, and is told how to ask for it', () => {
    expect(show('--match', 'externally managed', '--brief')).toContain(
      '(Bash pip install gensim (error): error: externally-managed-environment)',
    );
    expect(run('externally managed', '--brief').stdout).toContain(
      `next: recall show --brief aaaaaaaa --match='externally managed'`,
    );
  });

  test('without words it stays folded, and so it does for programs', () => {
    expect(show()).toContain('⋯ Write src/x.ts, Bash pip install gensim (1 error)');
    const { messages } = JSON.parse(show('--match', 'externally managed', '--json'));
    expect(JSON.stringify(messages)).not.toContain('"output"');
  });

  test('also when the transcript is gone', () => {
    // The head says that the transcript was deleted.
    const showBelowHead = () => show('--match', 'externally managed').split('\n\n').slice(1);
    const conversation = showBelowHead();
    rmSync(join(home.claudeDir, 'projects'), { recursive: true });
    expect(showBelowHead()).toEqual(conversation);
    runRecall(home, ['index']);
    expect(show('--match', 'externally managed')).toContain('↳ error: externally-managed-environment');
  });

  test('a text that was never stored leaves the call', () => {
    withIndex((db) => db.exec('delete from tool_text'));
    const page = show('--match', 'externally managed');
    expect(page).toContain('⋯ Write src/x.ts, Bash pip install gensim (1 error)');
    expect(page).not.toContain('↳');
  });
});

test('what a command printed again and again is shown once', () => {
  const repeated = 'cccccccc-0000-4000-8000-000000000009';
  const lines = [userLine('try it', { timestamp: at(0) })];
  for (const [n, call] of ['r1', 'r2', 'r3'].entries())
    lines.push(
      assistantLine([toolUse('Bash', { command: `make target${n}` }, call)], { timestamp: at(n + 1) }),
      answer(call, 'error: the quagga library was not found', true),
    );
  home.writeSession(repeated, lines);
  const [hit] = find('quagga library');
  expect(hit).toMatchObject({ id: repeated });
  expect(hit?.matches.map(({ kind }) => kind)).toEqual(['tool-output']);
});

describe('as JSON', () => {
  test('a match says which tool, on what, and whether it failed', () => {
    writeWork();
    const [written] = find('narwhalHandshake');
    expect(written).toMatchObject({ id });
    expect(written?.matches[0]).toEqual({
      messageId: expect.any(Number),
      uuid: null,
      role: 'assistant',
      kind: 'tool-input',
      subagentId: null,
      agentId: null,
      timestamp: expect.stringMatching(/^2026-/),
      tool: 'Write',
      target: '/home/u/shop/src/x.ts',
      isError: false,
      snippet: expect.stringContaining('export function «narwhalHandshake»()'),
    });
    const [failed] = find('externally-managed-environment');
    expect(failed?.matches[0]).toMatchObject({
      kind: 'tool-output',
      tool: 'Bash',
      target: 'pip install gensim',
      isError: true,
      snippet: expect.stringContaining('error: «externally-managed-environment»'),
    });
    // The input of a call that failed did not fail.
    expect(find('gensim')[0]?.matches[0]).toMatchObject({ kind: 'tool-input', isError: false });
  });

  test('a message has none of it', () => {
    writeWork();
    const [said] = find('what is a handshake', 'in:said');
    expect(said?.matches[0]).toMatchObject({ kind: 'prompt' });
    for (const field of ['tool', 'target', 'isError']) expect(said?.matches[0]).not.toHaveProperty(field);
  });
});

describe('in', () => {
  test('said or done: as a flag, and in the query', () => {
    writeWork();
    for (const done of [['handshake', '--in', 'done'], ['handshake in:done'], ['handshake IN:Done']])
      expect([done, idsOf(...done)]).toEqual([done, [id]]);
    for (const said of [['handshake', '--in', 'said'], ['handshake in:said']])
      expect([said, idsOf(...said)]).toEqual([said, [otherId]]);
    expect(idsOf('handshake').sort()).toEqual([id, otherId]);
  });

  test('done finds neither titles nor prompts, said no commands', () => {
    writeWork();
    expect(idsOf('please', 'in:done')).toEqual([]);
    expect(idsOf('gensim', 'in:said')).toEqual([]);
    expect(idsOf('gensim', 'in:done')).toEqual([id]);
  });

  test('what a role said is not what was done', () => {
    writeWork();
    for (const role of ['user', 'assistant']) {
      expect(idsOf('narwhalHandshake', '--role', role)).toEqual([]);
      expect(idsOf('externally-managed-environment', '--role', role)).toEqual([]);
    }
    expect(idsOf('handshake', '--role', 'user')).toEqual([otherId]);
  });

  test('anything else is refused as a flag, and a word in the query', () => {
    writeWork();
    const { code, stderr } = run('x', '--in', 'thought');
    expect(code).toBe(2);
    expect(stderr).toMatch(/said.*done/s);
    expect(run('in:thought handshake').code).toBe(0);
  });
});

describe('when the transcript is not what it was', () => {
  test('a deleted one still gives its passages', () => {
    const path = writeWork();
    expect(runRecall(home, ['index']).code).toBe(0);
    rmSync(join(home.claudeDir, path));
    // Before recall knows, and after.
    for (const how of ['--no-refresh', '--limit=5']) {
      expect(run('narwhalHandshake', how).stdout).toMatch(
        /^ +Write src\/x\.ts.*: .*export function narwhalHandshake\(\)/m,
      );
      expect(run('externally-managed-environment', how).stdout).toMatch(
        /^ +Bash ✗.*: .*error: externally-managed-environment/m,
      );
      expect(find('narwhalHandshake', how)[0]?.matches[0]).toMatchObject({
        kind: 'tool-input',
        tool: 'Write',
        target: '/home/u/shop/src/x.ts',
        timestamp: expect.stringMatching(/^2026-/),
        snippet: expect.stringContaining('export function «narwhalHandshake»()'),
      });
    }
  });

  test('one that was deleted before texts were stored still shows tool and target', () => {
    const path = writeWork();
    expect(runRecall(home, ['index']).code).toBe(0);
    rmSync(join(home.claudeDir, path));
    withIndex((db) => db.exec('delete from tool_text; update work set has_text = 0'));
    expect(run('externally-managed-environment').stdout).toMatch(/^ +Bash ✗.*: pip install gensim$/m);
    expect(find('narwhalHandshake')[0]?.matches[0]).toMatchObject({ snippet: '/home/u/shop/src/x.ts' });
  });

  test('one that was written anew shows what was found until it is read again', () => {
    const path = join(home.claudeDir, writeWork());
    expect(runRecall(home, ['index']).code).toBe(0);
    writeFileSync(path, toJsonl([userLine('something else about a secretwombat')]));
    const { code, stdout } = run('externally-managed-environment', '--no-refresh');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +Bash ✗.*: .*error: externally-managed-environment/m);
    expect(stdout).not.toContain('secretwombat');
    expect(run('externally-managed-environment', '--json').stdout).not.toContain('a venv');
  });
});

test('escape sequences of a tool’s output are not printed', () => {
  const hostile = 'narwhal \x1b]0;pwned\x07\x1b[31mred\x1b[0m \x9b2J \u202egnp.exe \r\b over';
  home.writeSession(id, [
    userLine('go'),
    assistantLine([toolUse('Ba\x1b[31msh', { file_path: '/tmp/\x1b[2Jx.ts', content: hostile }, 't1')]),
    answer('t1', hostile),
  ]);
  for (const args of [['narwhal'], ['narwhal', '--brief']]) {
    const { code, stdout } = run(...args);
    expect(code).toBe(0);
    expect(stdout).toContain('narwhal');
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  }
  expect(run('narwhal', '--json').stdout).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
});

test('of a line of 5 MB the start and the end are found, and the tool is shown', () => {
  const filler = 'word '.repeat(1_000_000);
  home.writeSession(id, [
    userLine('go'),
    assistantLine([toolUse('Bash', { command: 'cat everything' }, 't1')]),
    answer('t1', `headpangolin ${filler} middletapir ${filler} tailokapi`),
  ]);
  for (const word of ['headpangolin', 'tailokapi']) {
    const { stdout } = run(word);
    expect(stdout).toMatch(/^ +Bash.*: /m);
    expect(stdout.length).toBeLessThan(2000);
  }
  expect(idsOf('middletapir')).toEqual([]);
});

test('of a subagent, in a saved history and in an export', () => {
  const folder = `projects/-home-u-shop/${id}/subagents`;
  home.writeSession(id, [userLine('go')]);
  home.write(`${folder}/agent-a1.jsonl`, [
    userLine('look', { isSidechain: true, sessionId: id }),
    assistantLine([toolUse('Grep', { pattern: 'pangolinPattern' }, 't1')], {
      isSidechain: true,
      sessionId: id,
    }),
  ]);
  home.write('transcripts/ses_4f5e6d7c8b9a.jsonl', [
    { type: 'user', timestamp: at(1), content: 'export' },
    {
      type: 'tool_use',
      timestamp: at(2),
      tool_name: 'Edit',
      tool_input: { path: '/a.ts', new_string: 'tapirText here' },
    },
  ]);
  home.write('pre-compact-session-histories/earlier.jsonl', [
    userLine('earlier', { sessionId: id }),
    assistantLine([toolUse('Bash', { command: 'echo okapiCommand' }, 't1')], { sessionId: id }),
  ]);
  expect(find('pangolinPattern')[0]).toMatchObject({
    id,
    matches: [{ tool: 'Grep', snippet: '«pangolinPattern»' }],
  });
  expect(find('tapirText')[0]?.matches[0]).toMatchObject({
    tool: 'Edit',
    snippet: expect.stringContaining('«tapirText» here'),
  });
  expect(find('okapiCommand')[0]?.matches[0]).toMatchObject({
    tool: 'Bash',
    snippet: 'echo «okapiCommand»',
  });
});

describe('with "done": false in config.json', () => {
  const configure = (done: boolean) => {
    const folder = join(home.path, 'config');
    writeFileSync(home.write('../config/recall/config.json', ''), JSON.stringify({ done }));
    return { env: { XDG_CONFIG_HOME: folder } };
  };
  const idsWith = (options: { env: Record<string, string> }, query: string) => {
    const { stdout } = runRecall(home, ['search', query, '--json'], options);
    const { tier, hits } = JSON.parse(stdout) as { tier: string; hits: { id: string }[] };
    return tier === 'all' ? hits.map((hit) => hit.id) : [];
  };

  test('none of it is indexed, from the start or from then on, and it comes back', () => {
    writeWork();
    expect(idsOf('externally-managed-environment')).toEqual([id]);
    expect(idsWith(configure(false), 'externally-managed-environment')).toEqual([]);
    expect(idsWith(configure(false), 'handshake')).toEqual([otherId]);
    expect(idsWith(configure(true), 'externally-managed-environment')).toEqual([id]);
    rmSync(join(home.path, 'recall'), { recursive: true });
    expect(idsWith(configure(false), 'externally-managed-environment')).toEqual([]);
  });
});

test('show reaches the call by its word and by the id of the match', () => {
  writeWork();
  const [hit] = find('externally-managed-environment');
  const messageId = String(hit?.matches[0]?.messageId);
  for (const args of [
    ['--match', 'externally-managed-environment'],
    ['--around', messageId],
  ]) {
    const { code, stdout } = runRecall(home, ['show', id, ...args]);
    expect([args[0], code]).toEqual([args[0], 0]);
    expect(stdout).toContain('On it.');
    expect(stdout).toContain('Bash');
  }
});

test('what a tool printed on a line of megabytes is shown where it is found, also when its transcript is deleted', () => {
  const long = `${'filler line of a log\n'.repeat(250_000)}error: the wombat refused\n`;
  const path = home.writeSession(id, [
    userLine('look at the log', { timestamp: at(1) }),
    assistantLine([toolUse('Bash', { command: 'cat all.log' }, 't1')], { timestamp: at(2) }),
    answer('t1', long),
  ]);
  expect(runRecall(home, ['index', '--no-archive']).code).toBe(0);
  for (const isDeleted of [false, true]) {
    if (isDeleted) rmSync(join(home.claudeDir, path));
    const { hits } = JSON.parse(runRecall(home, ['search', 'wombat refused', '--json']).stdout);
    expect(hits[0].matches[0].snippet).toContain('the «wombat» «refused»');
    const shown = runRecall(home, ['show', id, '--match', 'wombat']);
    expect(shown.stdout).toContain('the wombat refused');
    const full = runRecall(home, ['show', id, '--tools=full']);
    expect(full.stdout + full.stderr).not.toContain('has changed');
    expect(full.stdout).toContain('characters left out');
  }
});
