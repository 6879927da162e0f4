// `recall doctor` finds what is wrong, says what to do, and with --repair does it without losing what exists
// only in the index.

import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getEngine } from '../../src/api/upkeep/diagnose.ts';
import { openDatabase } from '../../src/store/open/database.ts';
import { noise, pageBytes, putIndex, ruinPageWith, ruinTable, ruinWords } from '../support/damage.ts';
import { assistantLine, at, claudeKey, TempHome, toJsonl, toolUse, userLine } from '../support/home.ts';
import { contentOf, forgetForGood, indexHome, rowsOf, withStore } from '../support/index-home.ts';
import { hasTerminals, type Result, runAtTerminal, runRecall } from '../support/program.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const folder = 'projects/-home-u-shop';

function doctor(...args: string[]): Result {
  return runRecall(home, ['doctor', ...args]);
}

function doctorJson(...args: string[]) {
  const { code, stdout, stderr } = doctor('--json', ...args);
  expect(stderr).toBe('');
  return { code, ...JSON.parse(stdout) };
}

function found(word: string): string[] {
  const { stdout } = runRecall(home, ['search', '--no-refresh', '--json', word]);
  return (JSON.parse(stdout) as { hits: { id: string }[] }).hits.map((hit) => hit.id).sort();
}

/** The program takes the same as this process. */
const engine = getEngine();

function change(sql: string): void {
  const db = openDatabase(home.indexPath);
  db.unsafeMode(true);
  db.pragma('writable_schema = on');
  db.exec(sql);
  db.close();
}

/** Sets a file's time to this many days ago. */
function age(path: string, days: number): void {
  const seconds = Date.now() / 1000 - days * 86_400;
  utimesSync(path, seconds, seconds);
}

test('what to do about files that could not be read depends on why', () => {
  const day = join(home.path, '.codex/sessions/2026/03/05');
  mkdirSync(day, { recursive: true });
  const name = 'rollout-2026-03-05T10-00-00-00000001-0000-7000-8000-000000000000.jsonl.zst';
  writeFileSync(join(day, name), 'not compressed at all');
  expect(runRecall(home, ['index']).code).toBe(2);
  const { stdout } = doctor();
  expect(stdout).toContain('✗ 1 file could not be read\n');
  expect(stdout).toContain(': cannot be decompressed (');
  expect(stdout).toContain(
    '→ the content is damaged: put an intact copy in its place, or delete it, then: recall index\n',
  );
});

describe('a transcript of which nothing is understood', () => {
  const findings = () =>
    doctorJson().findings.filter(({ message }: { message: string }) => message.includes('understood'));

  function writeRollout(items: readonly object[]): void {
    const day = join(home.path, '.codex/sessions/2026/03/05');
    mkdirSync(day, { recursive: true });
    const id = '00000001-0000-7000-8000-000000000000';
    const lines = [
      { timestamp: at(0), type: 'session_meta', payload: { id, cwd: '/home/u/shop' } },
      ...items.map((payload, i) => ({ timestamp: at(i + 1), type: 'response_item', payload })),
    ];
    writeFileSync(join(day, `rollout-2026-03-05T10-00-00-${id}.jsonl`), toJsonl(lines));
  }

  test('is a finding, for every program', () => {
    writeRollout([{ author: 'me', words: 'zebra' }, { author: 'it' }]);
    home.write(`${folder}/aaaaaaaa.jsonl`, [{ kind: 'said' }, { kind: 'said' }]);
    home.write(`${folder}/bbbbbbbb.jsonl`, [{ type: 'speech', text: 'zebra' }]);
    // Opened and closed again: there is nothing to understand, whatever is noted beside.
    home.write(`${folder}/cccccccc.jsonl`, [
      { type: 'mode' },
      { type: 'permission-mode' },
      { type: 'novelty' },
    ]);
    home.write(`${folder}/dddddddd.jsonl`, [
      userLine('all is well'),
      { type: 'novelty' },
      { type: 'novelty' },
    ]);
    runRecall(home, ['index']);
    expect(findings()).toMatchObject([
      {
        level: 'note',
        message: 'nothing was understood of 3 transcripts',
        fix: expect.stringContaining('update'),
      },
    ]);
    expect(findings()[0].details.join('\n')).toMatch(/rollout-/);
  });

  test('is not one whose items have no type, but a role and a content', () => {
    writeRollout([
      { role: 'user', content: [{ type: 'input_text', text: 'inspect the zebra' }] },
      { role: 'developer', content: [{ type: 'input_text', text: 'flamingo' }] },
      { role: 'user', content: '<environment_context>flamingo</environment_context>' },
      { content: [{ type: 'output_text', text: 'The pelican ate it.' }], role: 'assistant' },
    ]);
    runRecall(home, ['index']);
    expect(findings()).toEqual([]);
    for (const word of ['zebra', 'pelican']) expect(found(word)).toHaveLength(1);
    expect(found('flamingo')).toEqual([]);
    expect(doctorJson().messages).toBe(2);
  });
});

test('a session whose prompts are newer than its transcript is not being saved', () => {
  const id = 'aaaaaaaa-0000-4000-8000-000000000001';
  const other = 'bbbbbbbb-0000-4000-8000-000000000002';
  for (const each of [id, other])
    home.write(`${folder}/${each}.jsonl`, [userLine('zebra', { timestamp: at(1) })]);
  const typed = (sessionId: string, minute: number, display: string) => ({
    ...{ display, sessionId, timestamp: Date.parse(at(minute)), project: '/home/u/shop' },
  });
  const findings = () =>
    doctorJson().findings.filter(({ message }: { message: string }) => message.includes('does not save'));
  // A command of the program itself is not part of the conversation.
  home.write('history.jsonl', [
    typed(id, 1, 'zebra'),
    typed(id, 9, '/exit'),
    typed(id, 9, '/rename it'),
    typed(other, 1, 'zebra'),
  ]);
  runRecall(home, ['index']);
  expect(findings()).toEqual([]);
  home.append('history.jsonl', [typed(id, 20, 'and the pelican')]);
  expect(findings()).toMatchObject([
    {
      message:
        'Claude Code does not save what is said in 1 session: the prompt history is newer than the transcript',
      details: [`${id}: saved until ${at(1)}, typed in ${at(20)}`],
    },
  ]);
  // What was not indexed yet says nothing.
  home.append(`${folder}/${id}.jsonl`, [userLine('and the pelican', { timestamp: at(20) })]);
  expect(findings()).toEqual([]);
  runRecall(home, ['index']);
  expect(findings()).toEqual([]);
});

describe('a check', () => {
  test('of a healthy index: no problems found, exit 0', () => {
    home.writeSession('aaaaaaaa', [userLine('hello'), assistantLine('hi')]);
    home.write(`${folder}/aaaaaaaa/subagents/agent-b1.jsonl`, [userLine('look')]);
    runRecall(home, ['index']);
    const { code, stdout, stderr } = doctor();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replace(/[\d.]+ kB/, 'N kB')).toBe(
      [
        `index      ${home.indexPath}`,
        '           N kB, schema 8, integrity ok, full text ok',
        `engine     ${engine.name}, SQLite ${engine.sqliteVersion}`,
        'files      2 known, 0 gone (kept here), 0 failed',
        'sessions   1 in 1 project, 2 messages',
        'besides    1 subagent; 1 more message',
        '',
        'no problems found',
        '',
      ].join('\n'),
    );
  });

  test('as JSON', () => {
    home.writeSession('aaaaaaaa', [userLine('hello')]);
    runRecall(home, ['index']);
    expect(doctorJson()).toEqual({
      code: 0,
      schemaVersion: 3,
      index: {
        path: home.indexPath,
        sizeBytes: statSync(home.indexPath).size,
        schemaVersion: 8,
        integrity: 'ok',
        redact: false,
        fullText: 'ok',
      },
      engine,
      files: { known: 1, gone: 0, failed: 0, pending: 0 },
      failures: [],
      sessions: 1,
      messages: 1,
      projects: 1,
      held: {
        sessions: 1,
        messages: 1,
        kinds: { main: 1 },
        copies: 0,
        subagents: 0,
        savedHistories: 0,
        hidden: 0,
      },
      forgotten: 0,
      skippedLines: 0,
      skipped: [],
      unknownTypes: [],
      obstacles: [],
      cleanupPeriodDays: 30,
      expiring: [],
      archive: {
        ...{
          isOn: false,
          path: join(home.path, 'recall/archive'),
          sessions: 0,
          bytes: 0,
          transcriptBytes: 0,
        },
        ...{ pending: expect.any(Number), incomplete: [] },
      },
      repaired: [],
      findings: [],
    });
  });

  test('before anything was indexed, and without a Claude folder', () => {
    home.writeSession('aaaaaaaa', [userLine('hello')]);
    expect(doctorJson()).toMatchObject({ code: 0, files: { known: 0, pending: 1 } });
    rmSync(home.claudeDir, { recursive: true });
    const { code, stdout, stderr } = doctor();
    expect([code, stderr]).toEqual([2, '']);
    expect(stdout).toContain('files      0 known');
    expect(stdout).toContain(
      `✗ no Claude Code folder at ${home.claudeDir}: no such file or directory; no folder of another agent was found either\n  → set it`,
    );
    expect(stdout).not.toContain('no problems found');
    expect(doctorJson().findings).toMatchObject([{ level: 'problem' }]);
  });

  test('reports a folder without sessions', () => {
    const { code, stdout } = doctor();
    expect(code).toBe(0);
    expect(stdout).toContain(`• no Claude Code sessions in ${home.claudeDir} yet\n  → start one`);
    expect(stdout).not.toContain('no problems found');
  });

  test('lists unknown types with the version that wrote them, and skipped lines with their reason', () => {
    const path = home.writeSession('aaaaaaaa', [
      { type: 'hologram', version: '9.9.9' },
      { type: 'hologram', version: '9.9.9' },
      { type: 'hologram', version: '9.10.0' },
      { type: 'telepathy' },
    ]);
    home.append(path, '{"torn":\n');
    home.append(path, [userLine('kept')]);
    runRecall(home, ['index']);
    expect(doctorJson()).toMatchObject({
      code: 0,
      skippedLines: 1,
      skipped: [{ path: join(home.claudeDir, path), line: 5, reason: 'not valid JSON' }],
      unknownTypes: [
        { type: 'hologram', version: '9.9.9', count: 2 },
        { type: 'hologram', version: '9.10.0', count: 1 },
        { type: 'telepathy', version: '9.10.0', count: 1 },
      ],
    });
    const { stdout } = doctor();
    expect(stdout).toContain('• 1 line could not be read and was skipped\n');
    expect(stdout).toContain(`    ~/.claude/${path}: line 5: not valid JSON\n`);
    expect(stdout).toContain(
      '• 2 unknown entry types: newer Claude Code than this recall knows; nothing was lost\n',
    );
    expect(stdout).toContain('    hologram (version 9.9.9, 9.10.0): 3\n');
    expect(stdout).toContain('  → update recall');
  });

  test('lists skipped lines by file, on a terminal in lines that fit', () => {
    const path = home.writeSession('aaaa1111-0000-4000-8000-000000000001', [userLine('kept')]);
    home.append(path, '{"torn":\n');
    home.append(path, [userLine('kept too')]);
    home.append(path, '{"torn":\n'.repeat(3));
    runRecall(home, ['index']);
    expect(doctor().stdout).toContain(`\n    ~/.claude/${path}: lines 2, 4–6: not valid JSON\n`);
    if (!hasTerminals) return;
    const { stdout } = runAtTerminal(home, ['doctor'], '', { columns: 80, rows: 50 });
    expect(stdout).toContain(
      '\n    ~/…/aaaa1111-0000-4000-8000-000000000001.jsonl: lines 2, 4–6: not valid JSON\n',
    );
  });

  test('says how many more there are than it lists, and so does index --verbose', () => {
    const path = home.writeSession('aaaaaaaa', [userLine('kept')]);
    home.append(path, '{"torn":\n'.repeat(1023));
    const { stderr } = runRecall(home, ['index', '--verbose']);
    expect(stderr.match(/not valid JSON$/gm)).toHaveLength(20);
    expect(stderr).toContain(':21: not valid JSON\nand 1,003 more lines in these files\n');
    expect(doctor().stdout).toMatch(/: lines 2–6: not valid JSON\n {4}and 1,018 more\n {2}→ nothing to do/);
    expect(runRecall(home, ['index', '--verbose', '--rebuild', '--json']).stderr).toContain('and 1,003 more');
  });

  test('counts files that changed since the last index', () => {
    const path = home.writeSession('aaaaaaaa', [userLine('hello')]);
    home.writeSession('bbbbbbbb', [userLine('hello')]);
    runRecall(home, ['index']);
    home.append(path, [userLine('more')]);
    home.writeSession('cccccccc', [userLine('new')]);
    rmSync(join(home.claudeDir, folder, 'bbbbbbbb.jsonl'));
    expect(doctorJson()).toMatchObject({ code: 0, files: { known: 2, pending: 3 } });
    expect(doctor().stdout).toContain('• 3 files changed since the last index\n  → recall index');
    runRecall(home, ['index']);
    expect(doctorJson()).toMatchObject({ code: 0, files: { known: 3, gone: 1, pending: 0 } });
  });

  test('lists sessions that Claude Code will delete within seven days', () => {
    const path = (id: string) => join(home.claudeDir, folder, `${id}.jsonl`);
    for (const [id, days] of [
      ['fresh', 1],
      ['safe', 22],
      ['soon', 24],
      ['sooner', 29.5],
      ['overdue', 40],
    ] as const) {
      home.writeSession(id, [userLine(`session ${id}`)]);
      age(path(id), days);
    }
    home.writeSession('empty', []);
    age(path('empty'), 29);
    runRecall(home, ['index']);
    const { expiring, cleanupPeriodDays } = doctorJson();
    expect(cleanupPeriodDays).toBe(30);
    expect(expiring.map((session: { id: string }) => session.id)).toEqual(['overdue', 'sooner', 'soon']);
    const leftDays = (Date.parse(expiring[2].deletedAt) - Date.now()) / 86_400_000;
    expect(leftDays).toBeCloseTo(6, 1);
    expect(doctor().stdout).toContain(
      '• Claude Code will delete 3 transcripts within 7 days (it keeps them for 30 days)',
    );
    expect(doctor().code).toBe(0);

    home.write('settings.json', { cleanupPeriodDays: 365 });
    expect(doctorJson()).toMatchObject({ cleanupPeriodDays: 365, expiring: [] });
    home.write('settings.json', { cleanupPeriodDays: 8 });
    expect(doctorJson().expiring.map((session: { id: string }) => session.id)).toContain('fresh');
  });

  test('does not list a session whose transcript is already gone', () => {
    home.writeSession('aaaaaaaa', [userLine('hello')]);
    age(join(home.claudeDir, folder, 'aaaaaaaa.jsonl'), 29);
    runRecall(home, ['index']);
    rmSync(join(home.claudeDir, folder, 'aaaaaaaa.jsonl'));
    runRecall(home, ['index']);
    expect(doctorJson().expiring).toEqual([]);
  });

  test('changes nothing', () => {
    home.writeSession('aaaaaaaa', [userLine('hello')]);
    runRecall(home, ['index']);
    const before = readFileSync(home.indexPath);
    home.writeSession('bbbbbbbb', [userLine('hello')]);
    doctor();
    doctor('--repair');
    expect(readFileSync(home.indexPath).equals(before)).toBe(true);
  });
});

/** On disk: aaaaaaaa and its subagent. Only in the index: bbbbbbbb. Forgotten: cccccccc. */
async function indexThreeFates(): Promise<void> {
  const filler = (word: string) =>
    Array.from({ length: 200 }, (_, i) => assistantLine(`${word} ${i} ${'about the build '.repeat(20)}`));
  home.writeSession('aaaaaaaa', [
    userLine('the okapi stays'),
    ...filler('savanna'),
    assistantLine([toolUse('Read', { file_path: 'src/okapi.ts' })]),
  ]);
  home.write(`${folder}/aaaaaaaa/subagents/agent-b1.jsonl`, [userLine('the okapi agent')]);
  home.writeSession('bbbbbbbb', [userLine('the pangolin lives on'), ...filler('forest')]);
  home.writeSession('cccccccc', [userLine('the armadillo is forgotten')]);
  await indexHome(home);
  await withStore(home, (store) => forgetForGood(store, claudeKey('cccccccc'), at(0)));
  rmSync(join(home.claudeDir, folder, 'bbbbbbbb.jsonl'));
  await indexHome(home);
}

describe('a damaged full-text index', () => {
  test.each([
    ['segments lost', 'delete from message_fts_data where id > 10'],
    ['rows lost', 'delete from message_fts_docsize where id % 2 = 0'],
    ['words of sessions lost', 'delete from session_fts_docsize'],
    ['words of tools lost', 'delete from tool_call_fts_docsize'],
  ])('%s: found, and repaired from the stored text', async (_, sql) => {
    await indexThreeFates();
    const before = await contentOf(home);
    change(sql);
    const sick = doctor();
    expect(sick.code).toBe(2);
    expect(sick.stdout).toContain('DAMAGED');
    expect(sick.stdout).toContain('✗ the full-text index is damaged or incomplete');
    expect(sick.stdout).toContain('  → recall doctor --repair');
    expect(doctorJson().index.fullText).toEqual([expect.any(String)]);

    const repaired = doctor('--repair');
    expect(repaired.code).toBe(0);
    expect(repaired.stdout).toContain('repaired   ');
    expect(await contentOf(home)).toEqual(before);
    expect(doctor().code).toBe(0);
  });
});

const damagedFiles = () =>
  readdirSync(join(home.path, 'recall')).filter((name) => name.startsWith('recall.db.damaged-'));

describe('a damaged file', () => {
  const redactionLost =
    'recall: the damaged index does not say whether secrets were kept out, so they are kept out from now on; if you do not want that: recall index --no-redact\n';
  const forgottenLost =
    'recall: the list of forgotten sessions could not be read in full, so some of them may be in the index again; look for them with recall list and forget them again: recall forget <id>\n';
  const allLost = { code: 2, stderr: redactionLost + forgottenLost };

  async function expectRepaired(expected = { code: 0, stderr: '' }): Promise<void> {
    const { code, stdout, stderr } = doctor('--repair');
    expect({ code, stderr }).toEqual(expected);
    expect(stdout).toMatch(/repaired {3}recovered \d+ sessions? into a new index/);
    expect(stdout).toMatch(/repaired {3}the damaged file was kept as .*recall\.db\.damaged-/);
    expect(damagedFiles().length).toBe(1);
    expect(doctor().code).toBe(0);
    expect(found('okapi')).toEqual(['aaaaaaaa']);
    expect(existsSync(`${home.indexPath}.repair`)).toBe(false);
  }

  test('pages of messages overwritten: what exists only in the index is kept', async () => {
    await indexThreeFates();
    const before = await contentOf(home);
    ruinPageWith(home.indexPath, 'savanna 100 about');
    const sick = doctor();
    expect(sick.code).toBe(2);

    await expectRepaired();
    expect(found('pangolin')).toEqual(['bbbbbbbb']);
    // The lost page had rows of a transcript on disk, so nothing at all is missing.
    expect(await contentOf(home)).toEqual(before);
  });

  test('a page of a session that is only in the index: the rest of it is kept', async () => {
    await indexThreeFates();
    ruinPageWith(home.indexPath, 'forest 100 about');
    await expectRepaired();
    expect(found('pangolin')).toEqual(['bbbbbbbb']);
    const [row] = await rowsOf<{ n: number }>(
      home,
      "select count(*) as n from message join session on session.id = session_id where native_id = 'bbbbbbbb'",
    );
    expect(row?.n).toBeGreaterThan(100);
  });

  test.each([
    ['messages', () => ruinPageWith(home.indexPath, 'savanna 100 about')],
    ['words', () => ruinWords(home.indexPath)],
  ])('no command reports it as an internal error: %s', async (_, ruin) => {
    await indexThreeFates();
    ruin();
    const ruined = readFileSync(home.indexPath);
    for (const args of [
      ['index', '--rebuild'],
      ['search', '"savanna 100"'],
      ['doctor'],
      ['forget', 'aaaaaaaa', '--yes'],
    ]) {
      putIndex(home.indexPath, ruined);
      const { stdout, stderr } = runRecall(home, args);
      expect(stderr).not.toContain('internal error');
      expect(stdout + stderr).toContain('recall doctor --repair');
    }
  });

  test.each([
    ['session', 'native_id', 'native_iu'],
    ['message', 'timestamp', 'timectamp'],
    ['tombstone', 'native_id', 'native_iu'],
  ])('a wrong letter in the definition of %s: nothing is lost', async (table, name, wrong) => {
    await indexThreeFates();
    const before = await contentOf(home);
    change(
      `update sqlite_schema set sql = replace(sql, '${name}', '${wrong}') where tbl_name = '${table}' and sql is not null`,
    );
    expect(doctor().code).toBe(2);
    await expectRepaired();
    expect(found('pangolin')).toEqual(['bbbbbbbb']);
    expect(await contentOf(home)).toEqual(before);
    runRecall(home, ['index', '--rebuild']);
    expect(found('armadillo')).toEqual([]);
  });

  test('a page of the full-text index overwritten', async () => {
    await indexThreeFates();
    const before = await contentOf(home);
    ruinWords(home.indexPath);
    expect(doctor().code).toBe(2);
    expect(doctor('--repair').code).toBe(0);
    expect(doctor().code).toBe(0);
    expect(await contentOf(home)).toEqual(before);
  });

  test('what was forgotten stays forgotten', async () => {
    await indexThreeFates();
    ruinPageWith(home.indexPath, 'savanna 50 about');
    await expectRepaired();
    runRecall(home, ['index', '--rebuild']);
    expect(found('armadillo')).toEqual([]);
    expect(doctorJson().forgotten).toBe(1);
  });

  test('where the list of forgotten sessions is lost, it says so and exits with 2', async () => {
    await indexThreeFates();
    ruinTable(home.indexPath, 'tombstone');
    await expectRepaired({ code: 2, stderr: forgottenLost });
    expect(doctorJson()).toMatchObject({ code: 0, forgotten: 0, index: { redact: false } });
  });

  test('where it is not known whether secrets were kept out, they are, also of what is only in the index', async () => {
    const secret = `ghp_${'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zQ7'}`;
    home.writeSession('dddddddd', [userLine(`numbat with ${secret}`)]);
    home.writeSession('eeeeeeee', [userLine(`wombat with ${secret}`)]);
    await indexThreeFates();
    rmSync(join(home.claudeDir, folder, 'eeeeeeee.jsonl'));
    ruinTable(home.indexPath, 'setting');
    await expectRepaired({ code: 0, stderr: redactionLost });
    expect(doctorJson()).toMatchObject({ forgotten: 1, index: { redact: true } });
    expect([found('numbat'), found('wombat')]).toEqual([['dddddddd'], ['eeeeeeee']]);
    expect(readFileSync(home.indexPath, 'latin1').toLowerCase()).not.toContain(secret.slice(4).toLowerCase());
    runRecall(home, ['index', '--no-redact']);
    expect(doctorJson().index.redact).toBe(false);
  });

  test('where the configuration says that secrets are kept out, that is known', async () => {
    await indexThreeFates();
    mkdirSync(join(home.path, '.config/recall'), { recursive: true });
    writeFileSync(join(home.path, '.config/recall/config.json'), '{"redact": true}');
    ruinTable(home.indexPath, 'setting');
    await expectRepaired();
    expect(doctorJson().index.redact).toBe(true);
  });

  test('cut short: what can be read is kept, the rest is read again', async () => {
    await indexThreeFates();
    truncateSync(home.indexPath, Math.floor(statSync(home.indexPath).size / pageBytes / 2) * pageBytes);
    const index = runRecall(home, ['index']);
    expect(index.code).toBe(2);
    await expectRepaired();
  });

  test('random bytes: indexed again from disk, and the old file is kept next to it', async () => {
    await indexThreeFates();
    const bytes = noise(100_000);
    writeFileSync(home.indexPath, bytes);
    const { code, stderr } = doctor();
    expect(code).toBe(2);
    expect(stderr).toMatch(/^recall: the index .* is damaged .*\n {2}try: recall doctor --repair\n$/);
    await expectRepaired(allLost);
    const [kept] = damagedFiles();
    expect(readFileSync(join(home.path, 'recall', kept ?? '')).equals(bytes)).toBe(true);
    expect(statSync(join(home.path, 'recall', kept ?? '')).mode & 0o777).toBe(0o600);
  });

  test('empty: a new index is created', async () => {
    await indexThreeFates();
    const fd = openSync(home.indexPath, 'r+');
    ftruncateSync(fd, 0);
    closeSync(fd);
    expect(doctor().code).toBe(0);
    expect(doctor('--repair').code).toBe(0);
    expect(runRecall(home, ['index']).code).toBe(0);
    expect(found('okapi')).toEqual(['aaaaaaaa']);
  });

  test('repaired twice: the second time there is nothing to do', async () => {
    await indexThreeFates();
    writeFileSync(home.indexPath, noise(50_000));
    await expectRepaired(allLost);
    expect(doctorJson('--repair')).toMatchObject({ code: 0, repaired: [] });
    expect(damagedFiles().length).toBe(1);
  });

  test('repaired without a Claude folder: what was readable is kept', async () => {
    await indexThreeFates();
    ruinWords(home.indexPath);
    rmSync(home.claudeDir, { recursive: true });
    const { code, stdout } = doctor('--repair');
    expect(stdout).toMatch(/^repaired /m);
    // The folder is still missing.
    expect(code).toBe(2);
    expect(found('okapi')).toEqual(['aaaaaaaa']);
    expect(found('pangolin')).toEqual(['bbbbbbbb']);
  });
});

test('text from a transcript cannot act on the terminal', () => {
  home.write(
    'projects/-home-u-shop/aaaaaaaa.jsonl',
    toJsonl([{ type: 'evil\x1b[2J', version: '1\x1b]0;x\x07' }]),
  );
  runRecall(home, ['index']);
  const { stdout } = doctor();
  expect(stdout).toContain('evil');
  expect(stdout).not.toMatch(/[\x1b\x07]/);
});

test('lines beyond those that recall reads of a file are named as such', () => {
  const quiet = `${'{"type":"mode"}\n'.repeat(2 ** 20)}`;
  home.write(
    'projects/-a/aaaaaaaa-0000-4000-8000-000000000001.jsonl',
    `${quiet}${toJsonl([userLine('okapi')])}`,
  );
  runRecall(home, ['index']);
  const { stdout } = runRecall(home, ['doctor', '--verbose']);
  expect(stdout).toContain('1 line could not be read');
  expect(stdout).toContain('beyond line 1048575');
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'beyond what recall reads (lines of 16 MiB, 1048575 of them in a file)',
  );
});
