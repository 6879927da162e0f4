// `recall index` as a person or a script sees it: what it prints, what it counts, where it looks, what it
// refuses.

import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/open/database.ts';
import { assistantLine, at, TempHome, toJsonl, toolUse, userLine } from '../support/home.ts';
import { contentOf, indexHome, rowsOf, withStore } from '../support/index-home.ts';
import { finish, programPath, runRecall, startRecall, toEnv } from '../support/program.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

interface IndexJson {
  readonly files: Record<string, number>;
  readonly bytesRead: number;
  readonly sessions: number;
  readonly messages: number;
  readonly skippedLines: number;
  readonly unknownTypes: Record<string, number>;
  readonly tookMs: number;
}

function indexJson(...args: string[]): IndexJson {
  const { code, stdout, stderr } = runRecall(home, ['index', '--json', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** The file counts of one run, without zeros. */
function fileCounts(...args: string[]): Record<string, number> {
  return Object.fromEntries(Object.entries(indexJson(...args).files).filter(([, count]) => count > 0));
}

/** The ids that a word finds, without a refresh. */
function found(word: string): string[] {
  const { stdout } = runRecall(home, ['search', '--no-refresh', '--json', word]);
  return (JSON.parse(stdout) as { hits: { id: string }[] }).hits.map((hit) => hit.id).sort();
}

/** Two sessions and a subagent: three files, five messages. */
function writeSmallHome(): void {
  home.writeSession('aaaaaaaa', [
    userLine('why does the login fail'),
    assistantLine([
      { type: 'text', text: 'The token expired.' },
      toolUse('Read', { file_path: 'src/jwt.ts' }),
    ]),
  ]);
  home.writeSession('bbbbbbbb', [userLine('move the queue to redis'), assistantLine('Done.')]);
  home.write('projects/-home-u-shop/aaaaaaaa/subagents/agent-cccccccc.jsonl', [userLine('find dead code')]);
}

describe('what a run reports', () => {
  test('the first run counts everything, a second one nothing', () => {
    writeSmallHome();
    const first = indexJson();
    const zero = { seen: 0, new: 0, grown: 0, rewritten: 0, gone: 0, unchanged: 0, failed: 0 };
    const bytes = ['aaaaaaaa.jsonl', 'bbbbbbbb.jsonl', 'aaaaaaaa/subagents/agent-cccccccc.jsonl']
      .map((name) => statSync(join(home.claudeDir, 'projects/-home-u-shop', name)).size)
      .reduce((sum, size) => sum + size);
    expect(first).toEqual({
      schemaVersion: 2,
      files: { ...zero, seen: 3, new: 3 },
      bytesRead: bytes,
      sessions: 2,
      messages: 5,
      skippedLines: 0,
      unknownTypes: {},
      tookMs: expect.any(Number),
      total: { sessions: 2, messages: 4 },
      agents: { claude: { sessions: 2, messages: 4 } },
      fromArchive: 0,
      archive: null,
      hub: null,
    });
    expect(first.tookMs).toBeGreaterThan(0);
    expect(indexJson()).toEqual({
      ...first,
      files: { ...zero, seen: 3, unchanged: 3 },
      bytesRead: 0,
      sessions: 0,
      messages: 0,
      tookMs: expect.any(Number),
    });
  });

  test('a second run writes nothing, neither to the file nor to its log', () => {
    writeSmallHome();
    home.write('history.jsonl', [
      { display: 'a lost prompt', sessionId: 'dddddddd', timestamp: 1772704800000 },
    ]);
    home.write('projects/-home-u-shop/sessions-index.json', {
      entries: [{ sessionId: 'eeeeeeee', summary: 'Only a hint is left' }],
    });
    indexJson();
    const bytes = readFileSync(home.indexPath);
    const reader = openDatabase(home.indexPath, { readOnly: true });
    try {
      const version = () => reader.pragma('data_version', { simple: true });
      const logBytes = () => statSync(`${home.indexPath}-wal`).size;
      // Reading creates the log.
      reader.prepare('select count(*) from session').get();
      const before = [version(), logBytes()];
      expect(indexJson().bytesRead).toBe(0);
      expect([version(), logBytes()]).toEqual(before);
    } finally {
      reader.close();
    }
    expect(readFileSync(home.indexPath).equals(bytes)).toBe(true);
  });

  test('the summary is one line on stdout', () => {
    writeSmallHome();
    const first = runRecall(home, ['index']);
    expect(first.stdout).toMatch(
      /^indexed 3 new of 3 files \([\d.]+ k?B read\) in [\d.]+ m?s; the index holds 2 sessions, 4 messages\n$/,
    );
    expect(first.stderr).toBe('');
    const second = runRecall(home, ['index']);
    expect(second.stdout).toMatch(
      /^up to date: 3 files, nothing changed in [\d.]+ m?s; the index holds 2 sessions, 4 messages\n$/,
    );
  });

  test('grown, rewritten, gone and returned files are counted', () => {
    writeSmallHome();
    const path = (id: string) => join(home.claudeDir, `projects/-home-u-shop/${id}.jsonl`);
    indexJson();
    home.append('projects/-home-u-shop/aaaaaaaa.jsonl', [userLine('and the logout?')]);
    expect(fileCounts()).toEqual({ seen: 3, grown: 1, unchanged: 2 });
    home.writeSession('bbbbbbbb', [userLine('start over')]);
    expect(fileCounts()).toEqual({ seen: 3, rewritten: 1, unchanged: 2 });
    rmSync(path('bbbbbbbb'));
    expect(fileCounts()).toEqual({ seen: 2, gone: 1, unchanged: 2 });
    expect(fileCounts()).toEqual({ seen: 2, unchanged: 2 });
    expect(fileCounts('--rebuild')).toEqual({ seen: 2, rewritten: 2 });
    expect(found('start')).toEqual(['bbbbbbbb']);
  });

  test('only the new bytes of a grown file are read', () => {
    const path = home.writeSession('aaaaaaaa', [userLine('first')]);
    indexJson();
    const line = toJsonl([userLine('second')]);
    home.append(path, line);
    expect(indexJson()).toMatchObject({ bytesRead: Buffer.byteLength(line), messages: 1, sessions: 1 });
  });

  test('bad lines and unknown types are skipped and counted', () => {
    const path = home.writeSession('aaaaaaaa', [userLine('kept')]);
    home.append(path, '{"torn":\n[1]\n{}\n');
    home.append(path, [{ type: 'hologram', version: '9.9.9' }, { type: 'hologram' }, userLine('also kept')]);
    expect(indexJson()).toMatchObject({ messages: 2, skippedLines: 3, unknownTypes: { hologram: 2 } });

    const again = runRecall(home, ['index', '--rebuild', '--verbose']);
    const full = join(home.claudeDir, path);
    expect(again.code).toBe(0);
    expect(again.stderr.split('\n')).toEqual([
      `${full}:2: not valid JSON`,
      `${full}:3: not a JSON object`,
      `${full}:4: has no type`,
      '3 lines could not be read; 1 unknown entry type (hologram): see recall doctor',
      '',
    ]);
  });

  test('--quiet prints nothing, with --json only the object', () => {
    writeSmallHome();
    home.append('projects/-home-u-shop/aaaaaaaa.jsonl', '{"torn":\n');
    expect(runRecall(home, ['index', '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
    const { stdout, stderr } = runRecall(home, ['index', '--rebuild', '--quiet', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ skippedLines: 1 });
    expect(stderr).toBe('');
  });

  test('control characters of a file name do not reach the terminal', () => {
    const path = home.writeSession('aaaaaaaa', [userLine('kept')], '-home-\x1b[31mred');
    home.append(path, '{"torn":\n');
    const { stderr } = runRecall(home, ['index', '--verbose']);
    expect(stderr).toContain(':2: not valid JSON');
    expect(stderr).not.toContain('\x1b');
  });
});

describe('progress', () => {
  const hasScript = existsSync('/usr/bin/script');

  /** On a terminal, where stdout and stderr are the same. */
  function onTerminal(args: readonly string[]): string {
    const quoted = [process.execPath, programPath, ...args].map((part) => `'${part}'`).join(' ');
    const command = `stty cols 100; ${quoted}`;
    const done = spawnSync('/usr/bin/script', ['-qec', command, '/dev/null'], {
      cwd: home.path,
      env: toEnv(home, { TERM: 'xterm' }),
      encoding: 'utf8',
    });
    return done.stdout;
  }

  beforeEach(() => {
    home.refuseArchive();
    const lines = toJsonl(Array.from({ length: 150 }, (_, i) => userLine(`line ${i} `.repeat(300))));
    for (let i = 0; i < 10; i++) home.write(`projects/-home-u-shop/session-${i}.jsonl`, lines);
  });

  test('a short run prints no progress to a pipe', () => {
    expect(runRecall(home, ['index']).stderr).toBe('');
  });

  test.skipIf(!hasScript)('a terminal shows a bar, which is cleared at the end', () => {
    const output = onTerminal(['index']);
    expect(output).toMatch(/\r\x1b\[2Kindexing [█░]+ \d+% {2}\d+\/10 files {2}/);
    expect(output).toMatch(/\r\x1b\[2Kindexed 10 new of 10 files/);
  });

  test.skipIf(!hasScript)('--quiet draws no bar', () => {
    expect(onTerminal(['index', '--quiet'])).toBe('');
  });
});

describe('where it looks and where it writes', () => {
  test('several folders, each with its own files', () => {
    writeSmallHome();
    const second = join(home.path, 'work-claude');
    mkdirSync(join(second, 'projects/-w'), { recursive: true });
    writeFileSync(join(second, 'projects/-w/dddddddd.jsonl'), toJsonl([userLine('a giraffe at work')]));
    expect(fileCounts('--claude-dir', home.claudeDir, '--claude-dir', second)).toEqual({ seen: 4, new: 4 });
    // Only one of them is indexed now: the other one's files do not count as gone.
    expect(fileCounts('--claude-dir', second)).toEqual({ seen: 1, unchanged: 1 });
    expect(found('giraffe')).toEqual(['dddddddd']);
    expect(found('redis')).toEqual(['bbbbbbbb']);
  });

  test('a folder named twice, even through a link, is one', () => {
    writeSmallHome();
    const link = join(home.path, 'link');
    symlinkSync(home.claudeDir, link);
    expect(fileCounts('--claude-dir', home.claudeDir, '--claude-dir', link)).toEqual({ seen: 3, new: 3 });
    expect(fileCounts('--claude-dir', '.claude')).toEqual({ seen: 3, unchanged: 3 });
  });

  test('CLAUDE_CONFIG_DIR, overridden by --claude-dir', () => {
    writeSmallHome();
    const other = join(home.path, 'other');
    mkdirSync(join(other, 'projects'), { recursive: true });
    const run = (args: string[]) =>
      JSON.parse(runRecall(home, ['index', '--json', ...args], { env: { CLAUDE_CONFIG_DIR: other } }).stdout);
    expect(run([]).files.seen).toBe(0);
    expect(run(['--claude-dir', home.claudeDir]).files.seen).toBe(3);
  });

  test('the index is at --db, else at RECALL_DB, else in XDG_DATA_HOME, else in the home', () => {
    writeSmallHome();
    const file = (...parts: string[]) => existsSync(join(home.path, ...parts));
    const env = { RECALL_DB: '', XDG_DATA_HOME: join(home.path, 'xdg') };
    runRecall(home, ['index', '--db', 'here/my.db'], { env });
    expect([file('here/my.db'), file('xdg')]).toEqual([true, false]);
    runRecall(home, ['index'], { env });
    expect(file('xdg/recall/recall.db')).toBe(true);
    runRecall(home, ['index'], { env: { ...env, RECALL_DB: join(home.path, 'env.db') } });
    expect(file('env.db')).toBe(true);
    if (process.platform === 'linux') {
      runRecall(home, ['index'], { env: { RECALL_DB: '', XDG_DATA_HOME: 'relative/is/ignored' } });
      expect([file('.local/share/recall/recall.db'), file('relative')]).toEqual([true, false]);
    }
  });

  test('flags work before and after the command', () => {
    writeSmallHome();
    const db = join(home.path, 'elsewhere.db');
    const before = runRecall(home, ['--json', '--db', db, '--claude-dir', home.claudeDir, 'index']);
    expect(JSON.parse(before.stdout).files.new).toBe(3);
    const after = runRecall(home, ['index', '--claude-dir', home.claudeDir, '--db', db, '--json']);
    expect(JSON.parse(after.stdout).files.unchanged).toBe(3);
    expect(existsSync(home.indexPath)).toBe(false);
  });

  test('a missing folder is an error with a hint, and no index is created', () => {
    const missing = join(home.path, 'nowhere');
    const { code, stdout, stderr } = runRecall(home, ['index', '--claude-dir', missing]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `recall: no Claude Code folder at ${missing}: no such file or directory\n` +
        '  try: set it with --claude-dir <dir> or CLAUDE_CONFIG_DIR\n',
    );
    const json = runRecall(home, ['index', '--claude-dir', missing, '--json']);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toEqual({
      error: {
        code: 'no-agent-dir',
        message: `no Claude Code folder at ${missing}: no such file or directory`,
        hint: 'set it with --claude-dir <dir> or CLAUDE_CONFIG_DIR',
      },
    });
    expect(existsSync(home.indexPath)).toBe(false);
  });

  test('a file in place of the folder is an error too', () => {
    const path = home.write('settings.json', {});
    expect(runRecall(home, ['index', '--claude-dir', path])).toMatchObject({ code: 2, stdout: '' });
  });

  test('an empty folder is not an error', () => {
    expect(fileCounts()).toEqual({});
  });

  test('links below the stores are not followed, but reported', () => {
    writeSmallHome();
    const outside = join(home.path, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.jsonl'), toJsonl([userLine('a pangolin outside')]));
    const project = join(home.claudeDir, 'projects/-home-u-shop');
    symlinkSync(outside, join(home.claudeDir, 'projects/-linked'));
    symlinkSync(join(outside, 'secret.jsonl'), join(project, 'linked.jsonl'));
    symlinkSync(project, join(project, 'loop'));
    const { code, stdout, stderr } = runRecall(home, ['index', '--verbose', '--json']);
    expect([code, JSON.parse(stdout).files.seen]).toEqual([0, 3]);
    expect(
      stderr
        .split('\n')
        .filter((line) => line !== '')
        .sort(),
    ).toEqual(
      [join(project, 'linked.jsonl'), join(project, 'loop'), join(home.claudeDir, 'projects/-linked')].map(
        (path) => `${path}: symbolic link, not followed`,
      ),
    );
    expect(found('pangolin')).toEqual([]);
  });
});

describe('an unreadable file', () => {
  const isRoot = process.getuid?.() === 0;
  const nobody = 65534;

  const runAsOrdinaryUser = (args: readonly string[]) =>
    runRecall(home, args, isRoot ? { cwd: '/', uid: nobody } : { cwd: '/' });

  test.skipIf(process.platform === 'win32')('is skipped, and the exit code is 2', (context) => {
    writeSmallHome();
    if (isRoot) {
      for (const entry of ['', '.claude']) chownSync(join(home.path, entry), nobody, nobody);
      if (runAsOrdinaryUser(['--version']).code !== 0) context.skip('the program is not readable by others');
    }
    const file = join(home.claudeDir, 'projects/-home-u-shop/bbbbbbbb.jsonl');
    chmodSync(file, 0o000);
    const first = runAsOrdinaryUser(['index', '--json', '--quiet']);
    expect(first.code).toBe(2);
    expect(first.stderr).toBe(`recall: ${file}: permission denied\n`);
    expect(JSON.parse(first.stdout).files).toMatchObject({ seen: 3, new: 2, failed: 1 });

    const doctor = runAsOrdinaryUser(['doctor']);
    expect(doctor.code).toBe(2);
    expect(doctor.stdout).toContain('1 file could not be read');
    expect(doctor.stdout).toContain(`${file}: permission denied`);

    chmodSync(file, 0o644);
    const second = runAsOrdinaryUser(['index', '--json']);
    expect(second.code).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({ messages: 2, files: { failed: 0, unchanged: 2 } });
    expect(runAsOrdinaryUser(['doctor']).code).toBe(0);
  });

  test.skipIf(process.platform === 'win32')(
    'an unreadable folder leaves what is known below it',
    (context) => {
      writeSmallHome();
      if (isRoot) {
        for (const entry of ['', '.claude']) chownSync(join(home.path, entry), nobody, nobody);
        if (runAsOrdinaryUser(['--version']).code !== 0)
          context.skip('the program is not readable by others');
      }
      const folder = join(home.claudeDir, 'projects/-home-u-shop');
      runAsOrdinaryUser(['index']);
      chmodSync(folder, 0o000);
      const { code, stdout, stderr } = runAsOrdinaryUser(['index', '--json']);
      chmodSync(folder, 0o755);
      expect(code).toBe(2);
      expect(stderr).toBe(`recall: ${folder}: permission denied\n`);
      expect(JSON.parse(stdout).files).toMatchObject({ seen: 0, gone: 0, failed: 1 });
    },
  );
});

describe('unusual files', () => {
  test.skipIf(process.platform !== 'linux')('a line of 20 MB is skipped in bounded memory', async () => {
    const long = JSON.stringify(userLine('x'.repeat(20 * 1024 * 1024)));
    const path = home.writeSession('aaaaaaaa', [userLine('before the okapi')]);
    home.append(path, `${long}\n`);
    home.append(path, [userLine('after the okapi')]);
    // A line just within the limit is kept and parsed.
    const wide = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'okapi '.repeat(2_600_000) };
    home.writeSession('bbbbbbbb', [userLine([wide]), userLine('after the wide one')]);

    const child = startRecall(home, ['index', '--json']);
    const result = finish(child);
    let peakKb = 0;
    const poll = setInterval(() => {
      peakKb = Math.max(peakKb, readPeakKb(child.pid));
    }, 5);
    const { code, stdout } = await result;
    clearInterval(poll);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ skippedLines: 1, messages: 3 });
    expect(found('before')).toEqual(['aaaaaaaa']);
    expect(found('after')).toEqual(['aaaaaaaa', 'bbbbbbbb']);
    const [skipped] = await rowsOf(home, 'select line, reason from skipped_line');
    expect(skipped).toEqual({ line: 2, reason: 'longer than 16 MiB' });
    expect(peakKb).toBeGreaterThan(30_000);
    expect(peakKb).toBeLessThan(250_000);
  });

  test('a partial write is never kept', async () => {
    home.writeSession('aaaaaaaa', [userLine('before')]);
    await indexHome(home);
    await withStore(home, ({ db }) =>
      db.exec(
        `create trigger boom before insert on message when new.text = 'boom' begin select raise(abort, 'boom'); end`,
      ),
    );
    home.writeSession('bbbbbbbb', [userLine('the okapi'), userLine('boom'), userLine('the other okapi')]);
    for (let i = 0; i < 20; i++)
      home.writeSession(
        `c${i}`,
        Array.from({ length: 10 }, () => assistantLine('word '.repeat(10_000))),
      );
    expect(runRecall(home, ['index'])).toMatchObject({ code: 2 });
    await withStore(home, ({ db }) => db.exec('drop trigger boom'));
    expect(indexJson()).toMatchObject({ messages: 203, files: { new: 21 } });
    expect(found('okapi')).toEqual(['bbbbbbbb']);
    const counts = `select message_count, (select count(*) from message where session_id = session.id) as stored
      from session where native_id = 'bbbbbbbb'`;
    expect(await rowsOf(home, counts)).toEqual([{ message_count: 3, stored: 3 }]);
  });

  test('a line of millions of values is skipped alone', () => {
    const items = `${'{},'.repeat(5_500_000)}{}`;
    const path = home.writeSession('aaaaaaaa', [userLine('before the okapi')]);
    home.append(path, `{"type":"user","message":{"content":[${items}]}}\n{"type":[${items}]}\n`);
    home.append(path, [userLine('after the okapi')]);
    expect(indexJson()).toMatchObject({ skippedLines: 2, messages: 2 });
    expect(found('okapi')).toEqual(['aaaaaaaa']);
  });

  test('a file with more lines than row ids allow does not affect its neighbours', async () => {
    const quiet = '{"type":"progress"}\n';
    const path = home.writeSession('aaaaaaaa', []);
    home.append(path, quiet.repeat(1_048_500));
    home.append(
      path,
      Array.from({ length: 100 }, () => userLine('the last okapi')),
    );
    home.append(path, quiet.repeat(2000));
    utimesSync(join(home.claudeDir, path), 1000, 1000);
    home.writeSession('bbbbbbbb', [userLine('the gnu'), assistantLine('yes')]);
    expect(indexJson()).toMatchObject({ messages: 77, skippedLines: 2025 });
    const blocks = 'select session.native_id as id, sum(length(hashes) / 6) as entries from entry_block';
    expect(
      await rowsOf(home, `${blocks} join session on session.id = entry_block.id >> 20 group by 1`),
    ).toEqual([
      { id: 'aaaaaaaa', entries: 75 },
      { id: 'bbbbbbbb', entries: 2 },
    ]);
  });

  test('what is appended while a file is being read is not lost or duplicated', async () => {
    const path = home.writeSession(
      'aaaaaaaa',
      Array.from({ length: 4000 }, (_, i) => userLine(`question ${i} ${'about the build '.repeat(80)}`)),
    );
    const full = join(home.claudeDir, path);
    const child = startRecall(home, ['index', '--json']);
    let isRunning = true;
    const result = finish(child).finally(() => {
      isRunning = false;
    });
    let appended = 0;
    while (isRunning) {
      // In two writes, so that a half-written line is seen too.
      const line = toJsonl([userLine(`appended ${appended++}`)]);
      appendFileSync(full, line.slice(0, 40));
      await new Promise((done) => setTimeout(done, 3));
      appendFileSync(full, line.slice(40));
      await new Promise((done) => setTimeout(done, 3));
    }
    expect((await result).code).toBe(0);
    indexJson();
    const texts = await rowsOf<{ text: string }>(home, 'select text from message order by id');
    expect(texts.length).toBe(4000 + appended);
    expect(texts.slice(4000).map((row) => row.text)).toEqual(
      Array.from({ length: appended }, (_, i) => `appended ${i}`),
    );
    const stepwise = await contentOf(home);
    runRecall(home, ['index', '--rebuild']);
    expect(await contentOf(home)).toEqual(stepwise);
  });

  test('an edit of the same length before an append is noticed', () => {
    const lines = Array.from({ length: 40 }, (_, i) => userLine(`line ${i} says yes`));
    const path = join(home.claudeDir, home.writeSession('aaaaaaaa', lines));
    runRecall(home, ['index']);
    writeFileSync(path, readFileSync(path, 'utf8').replace('line 11 says yes', 'line 11 says noo'));
    home.append('projects/-home-u-shop/aaaaaaaa.jsonl', [userLine('one more')]);
    runRecall(home, ['index']);
    expect(runRecall(home, ['search', 'noo', '--no-refresh']).stdout).toContain('line 11 says noo');
  });

  test('a byte order mark does no harm, even in the middle of a concatenated file', () => {
    home.write(
      'projects/-home-u-shop/aaaaaaaa.jsonl',
      [
        ...['\uFEFF', ''].map((mark, i) => mark + JSON.stringify(userLine(`before ${i}`))),
        `\uFEFF${JSON.stringify(userLine('behind'))}`,
      ].join('\n'),
    );
    expect(indexJson()).toMatchObject({ messages: 3, skippedLines: 0 });
  });

  test('tool calls beyond the limit of one line are reported', () => {
    const calls = Array.from({ length: 70 }, (_, i) => toolUse('Read', { file_path: `f${i}` }, `t${i}`));
    home.writeSession('aaaaaaaa', [userLine('read them'), assistantLine(calls)]);
    const { stderr } = runRecall(home, ['index', '--verbose']);
    expect(stderr).toContain('aaaaaaaa.jsonl:2: more than 64 tool calls');
  });

  test.skipIf(process.platform !== 'linux')('a folder whose name is not UTF-8 is reported, once', () => {
    home.writeSession('aaaaaaaa', [userLine('an ordinary file')]);
    const folder = Buffer.concat([
      Buffer.from(`${home.claudeDir}/projects/-odd-`),
      Buffer.from([0xff, 0xfe]),
    ]);
    mkdirSync(folder);
    writeFileSync(Buffer.concat([folder, Buffer.from('/s.jsonl')]), JSON.stringify(userLine('hidden')));
    const { code, stderr } = runRecall(home, ['index']);
    expect(code).toBe(2);
    expect(stderr.match(/-odd-/g)).toHaveLength(1);
    expect(runRecall(home, ['search', 'ordinary']).code).toBe(0);
  });

  test('changed sidecars are picked up', async () => {
    writeSmallHome();
    indexJson();
    const titles = async () =>
      Object.fromEntries(
        (await rowsOf<{ id: string; title: string }>(home, 'select native_id as id, title from session')).map(
          ({ id, title }) => [id, title],
        ),
      );
    expect(await titles()).toMatchObject({ aaaaaaaa: 'why does the login fail', cccccccc: 'find dead code' });

    home.write('projects/-home-u-shop/sessions-index.json', {
      entries: [{ sessionId: 'bbbbbbbb', summary: 'Redis migration' }],
    });
    home.write('projects/-home-u-shop/aaaaaaaa/subagents/agent-cccccccc.meta.json', {
      agentType: 'Explore',
      description: 'Dead code hunt',
    });
    home.write('projects/-home-u-shop/aaaaaaaa/custom-title.json', { customTitle: 'Login trouble' });
    expect(fileCounts()).toEqual({ seen: 3, unchanged: 3 });
    expect(await titles()).toEqual({
      aaaaaaaa: 'Login trouble',
      bbbbbbbb: 'Redis migration',
      cccccccc: 'Dead code hunt',
    });
    expect(found('trouble')).toEqual(['aaaaaaaa']);

    home.write('projects/-home-u-shop/aaaaaaaa/custom-title.json', { customTitle: 'Login solved' });
    indexJson();
    expect(await titles()).toMatchObject({ aaaaaaaa: 'Login solved' });
    expect(found('trouble')).toEqual([]);
  });

  test('a deleted transcript is recovered from history.jsonl only while it is missing', () => {
    home.write('history.jsonl', [
      {
        display: 'the lost armadillo',
        sessionId: 'ffffffff',
        project: '/home/u/shop',
        timestamp: Date.parse(at(1)),
      },
    ]);
    indexJson();
    expect(found('armadillo')).toEqual(['ffffffff']);
    home.writeSession('ffffffff', [userLine('the lost armadillo'), assistantLine('It is back.')]);
    indexJson();
    expect(found('armadillo')).toEqual(['ffffffff']);
    expect(found('back')).toEqual(['ffffffff']);
  });

  test('a new parser version reads everything on disk again', async () => {
    writeSmallHome();
    indexJson();
    const before = await contentOf(home);
    const db = openDatabase(home.indexPath);
    db.exec('update transcript set parser_version = 0; update snapshot set parser_version = 0');
    db.close();
    expect(fileCounts()).toEqual({ seen: 3, rewritten: 3 });
    expect(await contentOf(home)).toEqual(before);
    expect(fileCounts()).toEqual({ seen: 3, unchanged: 3 });
  });
});

describe('an index that cannot be used', () => {
  test('from a newer recall: refused and left unchanged', () => {
    writeSmallHome();
    indexJson();
    const db = openDatabase(home.indexPath);
    db.pragma('user_version = 99');
    db.close();
    const bytes = readFileSync(home.indexPath);
    for (const args of [
      ['index'],
      ['doctor'],
      ['doctor', '--repair'],
      ['search', 'redis'],
      ['forget', 'aaaaaaaa'],
    ]) {
      const { code, stdout, stderr } = runRecall(home, args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        /^recall: the index .* was made by a newer recall \(schema 99, this one knows \d+\)\n/,
      );
      expect(stderr).toContain('  try: update recall, or use another index with --db <file>\n');
    }
    const json = runRecall(home, ['index', '--json']);
    expect(JSON.parse(json.stdout).error.code).toBe('index-too-new');
    expect(readFileSync(home.indexPath).equals(bytes)).toBe(true);
  });

  test('not a database: refused, with how to repair it', () => {
    writeSmallHome();
    mkdirSync(join(home.path, 'recall'));
    writeFileSync(home.indexPath, 'this is no database at all, only text. '.repeat(1000));
    const { code, stderr } = runRecall(home, ['index']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^recall: the index .* is damaged \(.*\)\n {2}try: recall doctor --repair\n$/);
    const json = runRecall(home, ['index', '--json']);
    expect(JSON.parse(json.stdout).error).toMatchObject({
      code: 'index-damaged',
      hint: 'recall doctor --repair',
    });
    // Which sessions were forgotten cannot be known any more.
    expect(runRecall(home, ['doctor', '--repair']).code).toBe(2);
    expect(found('redis')).toEqual(['bbbbbbbb']);
  });

  test.skipIf(process.platform === 'win32')(
    'no space for it: reported, and completed once there is',
    async () => {
      home.writeSession(
        'aaaaaaaa',
        Array.from({ length: 3000 }, (_, i) => userLine(`okapi ${i} ${'about the build '.repeat(20)}`)),
      );
      // A limit on the size of files simulates a full disk.
      const limited = `ulimit -f 2000 && exec '${process.execPath}' '${programPath}' index --json`;
      const done = spawnSync('sh', ['-c', limited], { cwd: home.path, env: toEnv(home), encoding: 'utf8' });
      expect(done.status).toBe(2);
      expect(done.stderr).not.toContain('internal error');
      expect(JSON.parse(done.stdout).error).toMatchObject({
        code: 'index-unusable',
        hint: expect.any(String),
      });
      expect(indexJson().files.seen).toBe(1);
      expect((await rowsOf(home, 'select id from message')).length).toBe(3000);
      expect(runRecall(home, ['doctor']).code).toBe(0);
    },
  );

  test('a folder in its place: refused with a hint', () => {
    writeSmallHome();
    mkdirSync(home.indexPath, { recursive: true });
    const { code, stderr } = runRecall(home, ['index']);
    expect(code).toBe(2);
    expect(stderr).toContain('is a folder, so it cannot be the index');
    expect(stderr).toContain('  try: ');
    expect(stderr).not.toContain('internal error');
  });
});

test('transcripts are never written', () => {
  writeSmallHome();
  const copy = join(home.path, 'copy');
  cpSync(home.claudeDir, copy, { recursive: true });
  const before = listTree(home.claudeDir);
  for (const args of [
    ['index'],
    ['index', '--rebuild'],
    ['doctor', '--repair'],
    ['forget', 'aaaaaaaa', '--yes'],
  ])
    expect(runRecall(home, args).code).toBe(0);
  expect(listTree(home.claudeDir)).toEqual(before);
});

/** Every file with its size and times. */
function listTree(folder: string): string {
  return spawnSync('find', [folder, '-printf', '%p %s %T@ %C@ %m\n'], { encoding: 'utf8' }).stdout;
}

function readPeakKb(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
