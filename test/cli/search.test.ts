// recall search as a user or a script runs it: the JSON contract, exit codes, freshness.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acquireIndexLock, isLocked } from '../../src/store/open/open-store.ts';
import { assistantLine, at, TempHome, toolUse, userLine } from '../support/home.ts';
import { programPath, type RunOptions, runRecall, toEnv } from '../support/program.ts';

let home: TempHome;

beforeAll(() => {
  home = new TempHome();
  cpSync('fixtures/demo-home', home.claudeDir, { recursive: true });
  expect(runRecall(home, ['index']).code).toBe(0);
});

afterAll(() => home.remove());

const run = (args: string[], options: RunOptions = {}) => runRecall(home, ['search', ...args], options);

function searchJson(args: string[], options: RunOptions = {}) {
  const { stdout, code } = run([...args, '--json'], options);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  return { code, ...JSON.parse(stdout) };
}

const idsOf = (found: { hits: { id: string }[] }) => found.hits.map((hit) => hit.id.slice(0, 8));
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test.each([
  ['"xylophone pond"', 'xylo*'],
  ['project:shop -docker 👩‍👩‍👧 quxotic', 'quxo*'],
])('nothing found for %s: the example of a prefix is made of letters', (query, prefix) => {
  expect(run([query]).stderr).toContain(`fewer or different words, a prefix such as ${prefix}, no filters`);
});

// Every word is looked for as the start of longer ones anyway.
test.each(['quxo', 'quxo*', '👩‍👩‍👧', 'zz quxo'])(
  'nothing found for %s: no prefix is suggested that was tried',
  (query) => {
    expect(run([query]).stderr).toContain('try: fewer or different words, no filters, or --all\n');
  },
);

describe('the JSON contract', () => {
  test('field by field', () => {
    const { code, ...found } = searchJson(['jwt', 'middleware']);
    expect(code).toBe(0);
    expect(found).toEqual({
      schemaVersion: 2,
      query: 'jwt middleware',
      tier: 'all',
      tookMs: expect.any(Number),
      total: expect.any(Number),
      totalIsExact: true,
      freshness: { refreshed: true, pendingFiles: 0 },
      hits: expect.any(Array),
    });
    expect(found.total).toBeGreaterThanOrEqual(found.hits.length);
    for (const [i, hit] of found.hits.entries()) {
      expect(hit).toEqual({
        rank: i + 1,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        agent: 'claude',
        kind: 'main',
        parentId: null,
        title: expect.any(String),
        titleSource: expect.any(String),
        summary: hit.summary === null ? null : expect.any(String),
        firstPrompt: expect.any(String),
        project: expect.any(String),
        branch: expect.any(String),
        createdAt: expect.stringMatching(iso),
        modifiedAt: expect.stringMatching(iso),
        messageCount: expect.any(Number),
        machine: null,
        owner: null,
        labels: { name: null, starred: false, tags: [], notes: [] },
        score: expect.any(Number),
        // The invented user's directories do not exist on any real machine.
        running: false,
        resumable: true,
        restorable: null,
        resume: { cwd: null, argv: ['claude', '-r', hit.id], command: `claude -r ${hit.id}` },
        copies: expect.any(Number),
        matchCount: expect.any(Number),
        matches: expect.any(Array),
      });
      expect(hit.score).toBeGreaterThan(0);
      expect(hit.matches.length).toBeLessThanOrEqual(Math.min(3, hit.matchCount));
      for (const match of hit.matches) {
        expect(match).toEqual({
          messageId: expect.any(Number),
          uuid: match.uuid === null ? null : expect.any(String),
          role: expect.stringMatching(/^(user|assistant)$/),
          kind: expect.any(String),
          subagentId: match.subagentId === null ? null : expect.any(String),
          agentId: match.subagentId,
          timestamp: match.timestamp === null ? null : expect.stringMatching(iso),
          // Only what was done has these.
          ...(/^tool-(input|output)$/.test(match.kind)
            ? { tool: expect.any(String), target: expect.any(String), isError: expect.any(Boolean) }
            : {}),
          snippet: expect.stringMatching(/«(jwt|middleware)»/i),
        });
      }
    }
  });

  test('a fork is counted as a copy and a subagent is named, also by the older field', () => {
    const [first] = searchJson(['jwt', 'middleware']).hits;
    expect(first.copies).toBe(1);
    const [owner] = searchJson(['reduce', 'initial value']).hits;
    for (const field of ['subagentId', 'agentId'])
      expect(owner.matches.map((match: Record<string, unknown>) => match[field])).toContain('244922a0');
  });

  test('subagents on their own name their parent', () => {
    const { hits } = searchJson(['reduce', 'is:subagent']);
    expect(hits[0]).toMatchObject({ id: '244922a0', kind: 'subagent', resumable: true });
    expect(hits[0].parentId).toMatch(/^ee79cf1c/);
    expect(hits[0].resume.argv).toEqual(['claude', '-r', hits[0].parentId]);
    expect(idsOf(searchJson(['reduce', '--subagents']))).toContain('244922a0');
  });

  test.each([
    [['--agents'], ['--subagents']],
    [
      ['--kind', 'agent'],
      ['--kind', 'subagent'],
    ],
    [['is:agent'], ['is:subagent']],
    [['kind:agent'], ['kind:subagent']],
    [
      ['-is:agent', '--agents'],
      ['-is:subagent', '--subagents'],
    ],
    [
      ['-kind:agent', '--agents'],
      ['-kind:subagent', '--subagents'],
    ],
  ])('%j is the older name of %j', (older, name) => {
    const ids = idsOf(searchJson(['reduce', ...older]));
    expect(ids).toEqual(idsOf(searchJson(['reduce', ...name])));
    expect(ids.includes('244922a0')).toBe(
      !older.some((word) => word.startsWith('-is') || word.startsWith('-kind')),
    );
  });

  test('a deleted session is found and cannot be resumed', () => {
    const { hits } = searchJson(['prometheus', 'histogram']);
    expect(hits[0]).toMatchObject({ kind: 'history', resumable: false, resume: null });
  });

  test('a correction is reported', () => {
    expect(searchJson(['strpie'])).toMatchObject({ tier: 'fuzzy', didYouMean: { strpie: 'stripe' } });
  });

  test('nothing found is an empty list and exit 1', () => {
    expect(searchJson(['xylophonist'])).toMatchObject({ code: 1, total: 0, hits: [] });
  });
});

describe('errors', () => {
  test.each([
    [['jwt', '--limit', '0']],
    [['jwt', '--limit', '1001']],
    [['jwt', '--limit', 'many']],
    [['jwt', '--since', 'whenever']],
    [['jwt', '--role', 'robot']],
    [['jwt', '--claude-dir', '/nowhere', '--db', 'none/recall.db']],
    [[]],
  ])('%j', (args) => {
    const plain = run(args);
    expect([plain.code, plain.stdout]).toEqual([2, '']);
    expect(plain.stderr).not.toMatch(/internal error|^ +at /m);
    const json = run([...args, '--json']);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toEqual({
      error: {
        code: expect.any(String),
        message: expect.any(String),
        hint: json.stdout.includes('"hint":null') ? null : expect.any(String),
      },
    });
  });

  test('a mistyped option is reported, with the one that was probably meant', () => {
    const { code, stdout, stderr } = run(['jwt', '--limt', '3']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--limit');
  });
});

describe('for people', () => {
  test('a page on stdout, nothing on stderr, no colour in a pipe', () => {
    const { code, stdout, stderr } = run(['jwt', 'middleware']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ 1 JWT auth middleware/);
    expect(stdout).not.toContain('\x1b');
    expect(run(['jwt', '--color', 'always']).stdout).toContain('\x1b[');
    expect(run(['--color=never', 'jwt']).stdout).not.toContain('\x1b[');
  });

  test.each([['search', 'redis'], ['list'], ['files', 'jwt-auth.ts'], ['projects'], ['stats']])(
    '-q leaves the last line of a %s out, and nothing else',
    (...args) => {
      const whole = runRecall(home, args).stdout.trimEnd().split('\n');
      const quiet = runRecall(home, [...args, '-q']).stdout;
      expect(whole.at(-1)).toMatch(/recall open <number>|recall list --project <name>/);
      expect(quiet).toBe(`${whole.slice(0, -2).join('\n')}\n`);
    },
  );

  test('nothing found says what was searched and what to try', () => {
    const { code, stdout, stderr } = run(['xylophonist\x1b[2J']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/nothing found for “xylophonist\[2J” in \d+ sessions/);
    expect(stderr).toMatch(/try:/);
  });

  test.each([
    [['--', '--flag'], 0],
    [['--xylophonist'], 1],
    [['"'], 1],
    [["don't"], 0],
    [['AND', 'OR', 'NOT'], 0],
    [['project:shop', 'redis'], 0],
    [['role:admin', 'since:never', 'kind:Deployment', 'redis'], 0],
    [['is:weird'], 1],
  ])('%j is a query', (words, code) => {
    expect(run(words)).toMatchObject({ code });
  });

  test('an unknown date is searched for as words, with a note', () => {
    const { stderr } = run(['jwt', 'since:yesteday']);
    expect(stderr).toContain(
      'recall: since:yesteday is not a date that recall recognises; searched for it as words\n',
    );
    expect(run(['jwt', 'since:yesteday', '-q']).stderr).toBe('');
    expect(searchJson(['jwt', '--since', 'Oct 28 2026']).total).toBeLessThan(searchJson(['jwt']).total);
    expect(searchJson(['jwt since:"Oct 28 2026"']).total).toBe(
      searchJson(['jwt', '--since', '2026-10-28']).total,
    );
  });

  test.each([
    [['jwt', '--project', '/nowhere'], 'no session is in project /nowhere', 'recall projects'],
    [['jwt', 'project:/nowhere'], 'no session is in project /nowhere', 'recall projects'],
    [['jwt', '--project', '.'], 'no session is in project DIRECTORY', 'recall projects'],
    [
      ['jwt', '--since', '2026-11-01', '--until', '2026-10-01'],
      '--since 2026-11-01 is after --until 2026-10-01',
      'swap them',
    ],
    [
      ['jwt since:2026-11-01', '--until', '2026-10-01'],
      'since:2026-11-01 is after --until 2026-10-01',
      'swap them',
    ],
    [['jwt branch:zebra'], 'no session is on branch zebra', 'leave branch:zebra out'],
    [['jwt', '--model', 'gpt\x1b[2J'], 'no session used model gpt[2J', 'leave --model gpt[2J out'],
    [['file:zebra.ts'], 'no session touched zebra.ts', 'leave file:zebra.ts out'],
    [
      ['jwt', '--since', '2190-01-01'],
      'no session was active since 2190-01-01',
      'leave --since 2190-01-01 out',
    ],
    [
      ['jwt', '--project', 'blog', '--file', 'jwt-auth.ts'],
      'no session matches --project blog and --file jwt-auth.ts',
      'fewer filters',
    ],
  ])('%j: a filter that leaves nothing is named', (args, message, hint) => {
    const stderr = `recall: ${message.replace('DIRECTORY', home.path)}\n  try: ${hint}\n`;
    expect(run(args)).toEqual({ code: 1, stdout: '', stderr });
  });

  test('a list names it too; and if the words are the cause, they are named', () => {
    const { stderr } = runRecall(home, ['list', '--project', '/nowhere']);
    expect(stderr).toBe('recall: no session is in project /nowhere\n  try: recall projects\n');
    expect(run(['xylophonist', '--project', 'shop']).stderr).toContain('nothing found for “xylophonist”');
  });

  test('filters alone are a valid search, nothing at all is not', () => {
    const file = ['--file', 'jwt-auth.ts'];
    expect(idsOf(searchJson(file))).toEqual(idsOf(searchJson(['file:jwt-auth.ts'])));
    expect(idsOf(searchJson(file)).length).toBeGreaterThan(0);
    expect(run(['--role', 'user', '--limit', '1']).code).toBe(0);
    for (const args of [[], ['--limit', '3'], ['--all']])
      expect(run(args)).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'recall: search needs words to search for, or a filter such as --project\n  try: recall search <words>; for recent sessions: recall list\n',
      });
  });

  test.each(['head -1', 'head -c 1', 'true'])('a reader that stops early (%s) is not an error', (reader) => {
    const line = `"${process.execPath}" "${programPath}" search --limit 50 "the"; echo "exit $?" >&2`;
    const done = spawnSync('/bin/sh', ['-c', `{ ${line}; } | ${reader}`], {
      env: toEnv(home),
      encoding: 'utf8',
    });
    expect(done.stderr).toBe('exit 0\n');
  });
});

describe('filters', () => {
  test.each([
    [
      ['redis', '--project', 'shop'],
      ['98bfb5a7', '853fdd74'],
    ],
    [['redis', '--project', '/home/maya/work'], ['1c17221f']],
    [['redis project:billing-service'], ['1c17221f']],
    [['redis', '--branch', 'rounding'], ['1c17221f']],
    [['redis', '--file', 'totals.go'], ['1c17221f']],
    [['redis', '--since', '2026-11'], ['853fdd74']],
    [['redis', '--until', '2026-09-30'], ['98bfb5a7']],
    [['redis', '--since', '2026-10-01', '--until', '2026-10-31'], ['1c17221f']],
    [['redis', '--project', 'nowhere'], []],
  ])('%j', (args, ids) => {
    expect(idsOf(searchJson(args)).sort()).toEqual([...ids].sort());
  });

  test.each([
    [['redis', '-project:shop'], ['1c17221f']],
    [['redis', '-project:/home/maya/work', '-branch:login'], ['98bfb5a7']],
    [
      ['redis', '-file:totals.go', '-project:/nowhere'],
      ['98bfb5a7', '853fdd74'],
    ],
    [['reduce is:subagent -kind:subagent'], []],
  ])('%j: everything except that', (args, ids) => {
    expect(idsOf(searchJson(args)).sort()).toEqual([...ids].sort());
  });

  test('a filter and its negation together give everything', () => {
    const total = (...args: string[]) => searchJson([...args, '--limit', '100']).total;
    const all = total('kind:main');
    for (const filter of ['project:shop', 'branch:main', 'model:opus', 'file:jwt-auth.ts'])
      expect(total('kind:main', filter) + total('kind:main', `-${filter}`), filter).toBe(all);
    expect(total('-role:user', 'jwt')).toBe(total('role:assistant', 'jwt'));
    expect(total('-is:subagent', '-kind:history', '-kind:transcript', '-kind:precompact')).toBe(all);
  });

  test('what a subagent touched counts as touched by its session', () => {
    const touching = idsOf(searchJson(['file:ws/upgrade.ts', '--subagents', '--limit', '100']));
    const others = idsOf(searchJson(['-file:ws/upgrade.ts', '--subagents', '--limit', '100']));
    const owner = searchJson(['file:ws/upgrade.ts']).hits[0].id.slice(0, 8);
    expect(touching.length).toBeGreaterThan(0);
    expect(others).not.toContain(owner);
    expect(others.filter((id) => touching.includes(id))).toEqual([]);
  });

  test('a negated date is not understood, with a note', () => {
    expect(run(['redis', '-since:7d']).stderr).toContain('recall: -since:7d was not understood');
  });

  test('a file relative to the current directory', () => {
    const cwd = join(home.path, 'work', 'src');
    mkdirSync(cwd, { recursive: true });
    const edit = toolUse('Edit', { file_path: join(cwd, 'griffin.ts') });
    const id = '77777777-0000-4000-8000-000000000007';
    home.writeSession(id, [userLine('a griffin'), assistantLine([edit])], '-work');
    for (const file of ['./griffin.ts', '../src/griffin.ts', 'griffin.ts']) {
      expect(idsOf(searchJson(['--file', file, 'griffin'], { cwd })), file).toEqual(['77777777']);
      expect(idsOf(searchJson([`file:${file}`], { cwd })), file).toEqual(['77777777']);
      expect(idsOf(searchJson([`griffin -file:${file}`], { cwd })), file).toEqual([]);
    }
    expect(searchJson(['--file', './griffin.ts', 'griffin']).total).toBe(0);
  });

  test.each(['America/Los_Angeles', 'Pacific/Kiritimati'])('the limits of time in %s', (TZ) => {
    const all = searchJson(['jwt'], { env: { TZ } });
    expect(all.total).toBeGreaterThan(0);
    expect(searchJson(['jwt', '--until', '9999'], { env: { TZ } }).total).toBe(all.total);
    expect(searchJson(['jwt', '--since', '0000'], { env: { TZ } }).total).toBe(all.total);
    expect(searchJson(['jwt', '--until', '0050'], { env: { TZ } }).total).toBe(0);
  });

  test('the project of the current directory', () => {
    const cwd = join(home.path, 'here');
    const lines = [userLine('the hippogriff report', { cwd, timestamp: at(0, '2026-11-01') })];
    home.write('projects/-here/99999999-0000-4000-8000-000000000009.jsonl', lines);
    mkdirSync(cwd);
    expect(idsOf(searchJson(['hippogriff', '--project', '.'], { cwd }))).toEqual(['99999999']);
    expect(searchJson(['redis', '--project', '.'], { cwd }).hits).toEqual([]);
    // Called from inside Claude Code, the newest session here is the one that runs the search.
    expect(searchJson(['hippogriff'], { cwd, env: { CLAUDECODE: '1' } }).hits).toEqual([]);
    const below = join(cwd, 'src/deep');
    mkdirSync(below, { recursive: true });
    expect(searchJson(['hippogriff'], { cwd: below, env: { CLAUDECODE: '1' } }).hits).toEqual([]);
  });

  test('the limit', () => {
    const found = searchJson(['redis', '--limit', '1']);
    expect(found.hits).toHaveLength(1);
    expect(found.total).toBeGreaterThan(1);
  });
});

describe('odd surroundings', () => {
  test.each(['--project', '--file', '--model', '--branch', '--since', '--db'])(
    'an empty %s is refused',
    (flag) => {
      const { code, stderr } = run(['jwt', flag, '']);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${flag} needs a`)]);
    },
  );

  test.skipIf(process.platform !== 'linux')('a deleted current directory does not matter', () => {
    const done = spawnSync(
      'sh',
      ['-c', `mkdir gone && cd gone && rmdir ../gone && "${process.execPath}" "${programPath}" search jwt`],
      {
        cwd: home.path,
        env: toEnv(home),
        encoding: 'utf8',
      },
    );
    expect([done.status, done.stderr]).toEqual([0, '']);
  });

  test.skipIf(process.platform !== 'linux').each([[[]], [['--json']]])(
    'an output that takes nothing is reported: %j',
    (flags) => {
      const line = `"${process.execPath}" "${programPath}" search jwt ${flags.join(' ')} > /dev/full`;
      const done = spawnSync('sh', ['-c', line], { env: toEnv(home), encoding: 'utf8' });
      expect(done.status).toBe(2);
      expect(done.stderr).toMatch(/^recall: cannot write the output: no space left on device\n {2}try: /);
    },
  );

  test('a first search during a first index does not wait for all of it', () => {
    const other = new TempHome();
    other.writeSession('aaaaaaaa', [userLine('hello')]);
    mkdirSync(join(other.path, 'recall'));
    const lock = acquireIndexLock(other.indexPath, process.pid, 0);
    const meanwhile = runRecall(other, ['search', 'hello']);
    expect([meanwhile.code, meanwhile.stdout]).toEqual([1, '']);
    expect(meanwhile.stderr).toContain('another recall is indexing; using what is already indexed');
    if (isLocked(lock)) lock.release();
    const after = runRecall(other, ['search', 'hello']);
    expect([after.code, after.stdout]).toEqual([0, expect.stringContaining('hello')]);
    other.remove();
  });
});

describe('freshness', () => {
  test('what was written a second ago is found, except with --no-refresh', () => {
    const id = '88888888-0000-4000-8000-000000000008';
    home.writeSession(id, [userLine('the pterodactyl incident', { timestamp: at(0, '2026-11-15') })]);
    expect(searchJson(['pterodactyl', '--no-refresh'])).toMatchObject({
      code: 1,
      freshness: { refreshed: false, pendingFiles: 0 },
    });
    expect(idsOf(searchJson(['pterodactyl']))).toEqual(['88888888']);
    home.append(`projects/-home-u-shop/${id}.jsonl`, [
      userLine('and a stegosaurus', { timestamp: at(1, '2026-11-15') }),
    ]);
    expect(idsOf(searchJson(['stegosaurus', 'pterodactyl']))).toEqual(['88888888']);
  });

  test('what was indexed is found although the transcripts are gone', () => {
    const { code, stdout, stderr } = run(['stripe', 'webhook', '--claude-dir', '/nowhere']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ 1 Stripe webhook/);
    expect(stderr).toMatch(/no Claude Code folder at \/nowhere/);
    expect(searchJson(['stripe', '--claude-dir', '/nowhere']).freshness.refreshed).toBe(false);
  });

  test('the first search of all indexes everything', () => {
    const db = join(home.path, 'fresh', 'recall.db');
    expect(idsOf(searchJson(['stripe', 'webhook'], { env: { RECALL_DB: db } }))[0]).toBe('0a0c32c9');
    for (const name of readdirSync(join(home.path, 'fresh'))) {
      expect(statSync(join(home.path, 'fresh', name)).mode & 0o077, name).toBe(0);
    }
  });

  test('the session that recall is called from is not a result', () => {
    const all = idsOf(searchJson(['redis']));
    expect(all).toContain('98bfb5a7');
    const env = { CLAUDE_CODE_SESSION_ID: '98bfb5a7-e9eb-4144-81f9-d76edb6f5079' };
    expect(idsOf(searchJson(['redis'], { env })).sort()).toEqual(
      all.filter((id) => id !== '98bfb5a7').sort(),
    );
  });
});
