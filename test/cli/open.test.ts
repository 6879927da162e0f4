// recall open: one line that resumes a session, or the reason why there is none.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { assistantLine, at, type Line, TempHome, toJsonl, userLine } from '../support/home.ts';
import {
  hasTerminals,
  programPath,
  type RunOptions,
  runAtTerminal,
  runRecall,
  toEnv,
} from '../support/program.ts';
import { isInstalled } from '../support/shells.ts';

const ids = {
  shop: 'aaaaaaaa-1111-4000-8000-000000000001',
  twin: 'aaaaaaaa-2222-4000-8000-000000000002',
  odd: 'bbbbbbbb-0000-4000-8000-000000000003',
  moved: 'cccccccc-0000-4000-8000-000000000004',
  deleted: 'dddddddd-0000-4000-8000-000000000005',
  homeless: 'eeeeeeee-0000-4000-8000-000000000006',
} as const;

let home: TempHome;
let shop: string;
let odd: string;
let bin: string;

beforeAll(() => {
  home = new TempHome();
  shop = join(home.path, 'shop');
  odd = join(home.path, `it's $(touch pwned); "odd"\n数`);
  bin = join(home.path, 'bin');
  for (const dir of [shop, odd, bin]) mkdirSync(dir);
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\nprintf "%s\\n" "$PWD" "$@"\nexit $CLAUDE_EXIT\n');
  chmodSync(join(bin, 'claude'), 0o755);
  const write = (id: string, text: string, cwd: string | undefined, minute: number) =>
    home.writeSession(id, [userLine(text, { cwd, timestamp: at(minute) })]);
  write(ids.shop, 'the zebra crossing', shop, 5);
  write(ids.twin, 'another zebra', shop, 4);
  write(ids.odd, 'the zebra in an odd place', odd, 3);
  write(ids.moved, 'a zebra that moved away', join(home.path, 'no-longer-there'), 2);
  const deleted = write(ids.deleted, 'a deleted zebra', shop, 1);
  write(ids.homeless, 'a zebra from nowhere', undefined, 0);
  const own: Line = { isSidechain: true, agentId: 'a1b2c3d4', sessionId: ids.shop };
  home.write(`projects/-home-u-shop/${ids.shop}/subagents/agent-a1b2c3d4.jsonl`, [
    userLine('count the stripes', { ...own, timestamp: at(6) }),
    assistantLine('twenty-six stripes', { ...own, timestamp: at(7) }),
  ]);
  expect(runRecall(home, ['index']).code).toBe(0);
  rmSync(join(home.claudeDir, deleted));
  expect(runRecall(home, ['index']).code).toBe(0);
});

afterAll(() => home.remove());

const open = (args: string[], options: RunOptions = {}) => runRecall(home, ['open', ...args], options);
const lineOf = (dir: string, id: string) => `cd '${dir}' && claude -r ${id}\n`;

describe('the line', () => {
  test.each([
    ['the whole id', ids.shop],
    ['its beginning', 'aaaaaaaa-1'],
  ])('by %s', (_, ref) => {
    expect(open([ref])).toEqual({ code: 0, stdout: lineOf(shop, ids.shop), stderr: '' });
  });

  test('of a subagent is that of its session', () => {
    const { code, stdout, stderr } = open(['a1b2c3d4']);
    expect([code, stdout]).toEqual([0, lineOf(shop, ids.shop)]);
    expect(stderr).toContain('a1b2c3d4 belongs to');
    expect(open(['a1b2c3d4', '--quiet']).stderr).toBe('');
  });

  test('by the number of a result of the last search', () => {
    const found = JSON.parse(runRecall(home, ['search', 'zebra', '--json']).stdout) as {
      hits: { id: string }[];
    };
    expect(found.hits.length).toBe(6);
    runRecall(home, ['search', 'zebra']);
    for (const [i, { id }] of found.hits.entries()) {
      const opened = JSON.parse(open([String(i + 1), '--json']).stdout) as { id: string };
      expect(opened.id).toBe(id);
    }
    runRecall(home, ['search', 'crossing']);
    expect(open(['1']).stdout).toBe(lineOf(shop, ids.shop));
    const past = open(['2']);
    expect([past.code, past.stdout]).toEqual([1, '']);
    expect(past.stderr).toContain('last search');
  });

  test('works in the shell, whatever the directory is called', () => {
    for (const [ref, dir, id] of [
      [ids.shop, shop, ids.shop],
      [ids.odd, odd, ids.odd],
    ] as const) {
      const line = `eval "$("${process.execPath}" "${programPath}" open ${ref})"; echo "rest: $?"`;
      const env = toEnv(home, { PATH: `${bin}:/usr/bin:/bin` });
      const done = spawnSync('/bin/sh', ['-c', line], { cwd: home.path, env, encoding: 'utf8' });
      expect(done.stderr).toBe('');
      expect(done.stdout).toBe(`${dir}\n-r\n${id}\nrest: 0\n`);
      expect(spawnSync('ls', [home.path], { encoding: 'utf8' }).stdout.split('\n')).not.toContain('pwned');
    }
  });

  test('works from anywhere if its directory is gone, with a note', () => {
    const { code, stdout, stderr } = open([ids.moved]);
    expect([code, stdout]).toEqual([0, `claude -r ${ids.moved}\n`]);
    const gone = join(home.path, 'no-longer-there');
    expect(stderr).toBe(
      `recall: its directory ${gone} no longer exists; it resumes in the current directory\n`,
    );
    expect(open([ids.moved, '--quiet'])).toEqual({ code, stdout, stderr: '' });
    expect(JSON.parse(open([ids.moved, '--json']).stdout)).toEqual({
      id: ids.moved,
      resumable: true,
      restorable: null,
      reason: null,
      cwd: null,
      argv: ['claude', '-r', ids.moved],
      command: `claude -r ${ids.moved}`,
      running: false,
    });
  });

  test('works from anywhere if its directory was never known', () => {
    expect(open([ids.homeless])).toEqual({ code: 0, stdout: `claude -r ${ids.homeless}\n`, stderr: '' });
  });

  test('as JSON', () => {
    expect(JSON.parse(open([ids.shop, '--json']).stdout)).toEqual({
      id: ids.shop,
      resumable: true,
      restorable: null,
      reason: null,
      cwd: shop,
      argv: ['claude', '-r', ids.shop],
      command: lineOf(shop, ids.shop).trimEnd(),
      running: false,
    });
  });
});

describe('no line', () => {
  test.each([
    ['a deleted transcript', ids.deleted, /was deleted[\s\S]*recall show dddddddd/],
    ['an unknown id', '12345678', /no session 12345678[\s\S]*recall search/],
    ['too short a beginning', 'aaa', /no session aaa[\s\S]*at least 4/],
    ['a number past the results', '99', /no session 99[\s\S]*last search/],
    ['a beginning with wildcards', '%%%%', /no session %%%%/],
    ['an escape sequence', '\x1b[2Jx', /no session \[2Jx/],
  ])('for %s: exit 1 and what to do', (_, ref, message) => {
    const { code, stdout, stderr } = open([ref]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('\x1b');
  });

  test('an ambiguous id lists the candidates, exit 2', () => {
    const { code, stdout, stderr } = open(['aaaaaaaa']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`${ids.shop}  the zebra crossing`);
    expect(stderr).toContain(`${ids.twin}  another zebra`);
    const json = open(['aaaaaaaa', '--json']);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'ambiguous', hint: expect.any(String) } });
  });

  test('as JSON the reason is a field, next to what would resume it', () => {
    const { code, stdout } = open([ids.deleted, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      id: ids.deleted,
      resumable: false,
      restorable: 'text',
      reason: expect.stringContaining('was deleted'),
      cwd: shop,
      argv: ['claude', '-r', ids.deleted],
      command: lineOf(shop, ids.deleted).trimEnd(),
      running: false,
    });
  });
});

describe('a session that was started a moment ago', () => {
  const fresh = 'eeeeeeee-1111-4222-8333-000000000099';

  test('is opened and shown by its whole id', () => {
    home.writeSession(fresh, [userLine('a newborn zebra', { cwd: shop, timestamp: at(9) })]);
    expect(open(['eeeeeeee-1']).code).toBe(1);
    expect(open([fresh])).toEqual({ code: 0, stdout: lineOf(shop, fresh), stderr: '' });
    const next = fresh.replace('99', '98');
    home.writeSession(next, [userLine('its twin', { cwd: shop, timestamp: at(9) })]);
    expect(runRecall(home, ['show', `${next}:1`]).stdout).toContain('its twin');
  });

  test('and an unknown one is not found', () => {
    const { code, stderr } = open([fresh.replace('99', '97')]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^recall: no session eeeeeeee/)]);
  });
});

describe('--run', () => {
  const path = () => ({ PATH: `${bin}:/usr/bin:/bin` });

  test('starts claude in the directory and returns its exit code', () => {
    expect(open([ids.odd, '--run'], { env: path() })).toMatchObject({
      code: 0,
      stdout: `${odd}\n-r\n${ids.odd}\n`,
    });
    expect(open([ids.shop, '--run'], { env: { ...path(), CLAUDE_EXIT: '7' } }).code).toBe(7);
  });

  test('starts claude in the current directory if its own is gone', () => {
    expect(open([ids.moved, '--run'], { env: path() })).toMatchObject({
      code: 0,
      stdout: `${home.path}\n-r\n${ids.moved}\n`,
    });
  });

  test('reports that claude is missing', () => {
    const { code, stdout, stderr } = open([ids.shop, '--run'], { env: { PATH: '/nowhere' } });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^recall: cannot start claude: it is not on your PATH\n {2}try: install/);
  });

  test('passes the folder to claude if it is not the default one', () => {
    const work = join(home.path, 'work claude');
    const id = 'ffffffff-0000-4000-8000-000000000007';
    const folder = join(work, 'projects/-home-u-shop');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${id}.jsonl`), toJsonl([userLine('a zebra at work', { cwd: shop })]));
    const index = join(home.path, 'work.db');
    const runWith = (args: string[], env: Record<string, string> = {}) =>
      runRecall(home, [...args, '--db', index], { env: { ...path(), ...env } });
    expect(runWith(['index', '--claude-dir', work]).code).toBe(0);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "$CLAUDE_CONFIG_DIR"\n');
    expect(runWith(['open', id, '--run']).stdout).toBe(`${work}\n`);
    // Without it, the printed command resumed nothing.
    const { stdout, stderr } = runWith(['open', id]);
    expect([stdout, stderr]).toEqual([`cd '${shop}' && CLAUDE_CONFIG_DIR='${work}' claude -r ${id}\n`, '']);
    expect(JSON.parse(runWith(['open', id, '--json']).stdout)).toMatchObject({
      env: { CLAUDE_CONFIG_DIR: work },
    });
    // Nothing to pass if it is the default one.
    expect(runWith(['open', id], { CLAUDE_CONFIG_DIR: work }).stdout).toBe(lineOf(shop, id));
  });

  test('takes away what would make claude keep no transcript, or look in another folder', () => {
    writeFileSync(
      join(bin, 'claude'),
      '#!/bin/sh\necho "child $CLAUDE_CODE_CHILD_SESSION, folder $CLAUDE_CONFIG_DIR"\n',
    );
    const other = join(home.path, 'other claude');
    mkdirSync(other, { recursive: true });
    for (const env of [
      { CLAUDE_CODE_CHILD_SESSION: '1' },
      { CLAUDE_CONFIG_DIR: other },
      { CLAUDE_CONFIG_DIR: other, CLAUDE_CODE_CHILD_SESSION: '1' },
    ] as Record<string, string>[]) {
      const run = (...args: string[]) =>
        open([ids.shop, '--claude-dir', home.claudeDir, ...args], { env: { ...path(), ...env } });
      const unset = Object.keys(env).sort().reverse();
      const line = `env ${unset.map((name) => `-u ${name}`).join(' ')} claude -r ${ids.shop}`;
      const sorted = (text: string) => text.split(' ').sort();
      expect(sorted(run().stdout.trim())).toEqual(sorted(`cd '${shop}' && ${line}`));
      expect(JSON.parse(run('--json').stdout).unset.sort()).toEqual(Object.keys(env).sort());
      expect(run('--run').stdout).toBe('child , folder \n');
      for (const shell of ['sh', 'bash', 'zsh', 'fish'].filter(isInstalled)) {
        const done = spawnSync(shell, ['-c', run().stdout], {
          env: { ...path(), HOME: home.path, ...env },
          encoding: 'utf8',
        });
        expect([shell, done.stdout]).toEqual([shell, 'child , folder \n']);
      }
    }
    expect(JSON.parse(open([ids.shop, '--json']).stdout)).not.toHaveProperty('unset');
  });

  test('called by an agent, without a terminal, starts nothing and says who can', () => {
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho started\n');
    const inside = (env: Record<string, string>) => open([ids.shop, '--run'], { env: { ...path(), ...env } });
    expect(inside({ CLAUDECODE: '1' })).toEqual({
      code: 2,
      stdout: '',
      stderr: `recall: Claude Code has run this, and there is no terminal to resume the session in\n  try: ask the person to type /resume ${ids.shop} here, or what recall open prints in a terminal\n`,
    });
    expect(inside({ GEMINI_CLI: '1' }).stderr).toContain('ask the person to type what recall open prints');
    expect(inside({}).stdout).toBe('started\n');
  });

  test('starts nothing if there is nothing to resume', () => {
    expect(open([ids.deleted, '--run'], { env: path() })).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('another way', () => {
  test('--here resumes in the current directory, --fork a copy', () => {
    expect(open([ids.shop, '--here'])).toEqual({ code: 0, stdout: `claude -r ${ids.shop}\n`, stderr: '' });
    expect(open([ids.shop, '--fork'])).toEqual({
      code: 0,
      stdout: `cd '${shop}' && claude -r ${ids.shop} --fork-session\n`,
      stderr: '',
    });
    expect(open([ids.moved, '--here', '--fork'])).toEqual({
      code: 0,
      stdout: `claude -r ${ids.moved} --fork-session\n`,
      stderr: '',
    });
    expect(JSON.parse(open([ids.shop, '--here', '--json']).stdout)).toMatchObject({
      resumable: true,
      cwd: null,
      argv: ['claude', '-r', ids.shop],
    });
  });

  // The printed directory was the old one, which no longer exists.
  test('a project that was moved together with its transcripts resumes in the new directory', () => {
    const id = '99999999-0000-4000-8000-000000000009';
    const [before, after] = [join(home.path, 'old place'), join(home.path, 'new-place_2')];
    home.writeSession(
      id,
      [userLine('a zebra that was moved', { cwd: before })],
      after.replace(/[^A-Za-z0-9]/g, '-'),
    );
    expect(runRecall(home, ['index']).code).toBe(0);
    expect(open([id])).toMatchObject({ code: 0, stdout: `claude -r ${id}\n` });
    mkdirSync(after);
    expect(open([id])).toEqual({ code: 0, stdout: lineOf(after, id), stderr: '' });
    // Two directories have the same name there: neither is more likely.
    mkdirSync(join(home.path, 'new_place_2'));
    expect(open([id])).toMatchObject({ code: 0, stdout: `claude -r ${id}\n` });
  });
});

describe('a session that is running now', () => {
  const live = (pid: number, extra: Record<string, unknown> = {}) =>
    home.write(`sessions/${pid}.json`, { pid, sessionId: ids.shop, cwd: shop, status: 'idle', ...extra });
  afterEach(() => rmSync(join(home.claudeDir, 'sessions'), { recursive: true, force: true }));

  test('is marked in lists, and open warns', () => {
    live(process.pid);
    expect(runRecall(home, ['list']).stdout).toMatch(/aaaaaaaa.*running/);
    expect(JSON.parse(runRecall(home, ['search', 'crossing', '--json']).stdout).hits[0]).toMatchObject({
      id: ids.shop,
      running: true,
    });
    expect(open([ids.shop])).toEqual({
      code: 0,
      stdout: lineOf(shop, ids.shop),
      stderr: expect.stringContaining(`is running now in ${shop} (process ${process.pid})`),
    });
    expect(open([ids.twin]).stderr).toBe('');
    expect(open([ids.shop, '--fork']).stderr).toBe('');
  });

  // The program drew over the warning at once, whether recall had started it or a shell with the line it had captured.
  test('is not started without an answer', () => {
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho started "$@"\n');
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    live(process.pid);
    const refused = open([ids.shop, '--run'], { env });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`or resume a copy: recall open ${ids.shop} --fork --run`);
    expect(open([ids.shop, '--run', '--fork'], { env }).stdout).toContain('started -r');
    live(process.pid, { kind: 'bg' });
    expect(open([ids.shop, '--run'], { env }).stdout).toBe(`started -r ${ids.shop}\n`);
    if (!hasTerminals) return;
    live(process.pid);
    const answer = (typed: string, args: string[]) => runAtTerminal(home, args, typed, undefined, env).stdout;
    for (const typed of ['n\n', '\n'])
      expect(answer(typed, ['open', ids.shop, '--run'])).not.toContain('started');
    expect(answer('y\n', ['open', ids.shop, '--run'])).toContain(`started -r ${ids.shop}`);
    expect(answer('', ['open', ids.shop])).toContain(lineOf(shop, ids.shop));
    const capture = `'${process.execPath}' '${programPath}' open ${ids.shop}`;
    const evaluate = (typed: string) =>
      spawnSync('/usr/bin/script', ['-qec', `line=$(${capture}) && eval "$line"`, '/dev/null'], {
        env: toEnv(home, { ...env, TERM: 'xterm', SHELL: '/bin/sh' }),
        input: typed,
        encoding: 'utf8',
      }).stdout;
    expect(evaluate('n\n')).not.toContain('started');
    expect(evaluate('y\n')).toContain(`started -r ${ids.shop}`);
  });

  test('has a process that lives: the file of one that was killed says nothing', () => {
    const ended = spawnSync(process.execPath, ['-e', '0']).pid;
    live(ended);
    live(process.pid, { procStart: '1', sessionId: ids.twin });
    home.write('sessions/1.json', '{"pid":1,"sess');
    expect([open([ids.shop]).stderr, open([ids.twin]).stderr]).toEqual(['', '']);
    expect(runRecall(home, ['list']).stdout).not.toContain('running');
  });
});

describe.skipIf(!hasTerminals)('on a terminal', () => {
  test('a note says how to run the line', () => {
    const { stdout } = runAtTerminal(home, ['open', ids.shop], '');
    expect(stdout).toContain(lineOf(shop, ids.shop));
    expect(stdout).toContain(`to run it: recall open ${ids.shop} --run`);
    expect(stdout).toContain('recall init --help');
  });
});
