// Bringing deleted sessions back: from the archive as they were, from the index as well as can be, and never over anything.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assistantLine, TempHome, toJsonl, toolUse, userLine } from '../support/home.ts';
import { hasTerminals, runAtTerminal, runRecall } from '../support/program.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

let home: TempHome;
let project = '';
let transcript = '';
let slug = '';
beforeEach(() => {
  home = new TempHome();
  project = join(home.path, 'shop');
  mkdirSync(project);
  slug = project.replace(/[^A-Za-z0-9]/g, '-');
  transcript = join(home.claudeDir, `projects/${slug}/${id}.jsonl`);
});
afterEach(() => home.remove());

const run = (...args: string[]) => runRecall(home, args, { cwd: home.path });
const json = (...args: string[]) => JSON.parse(run(...args, '--json').stdout);
const command = () => `cd '${project}' && claude -r ${id}\n`;

const lines = () => [
  userLine('why does the zebra queue stall', { cwd: project, sessionId: id }),
  assistantLine([{ type: 'text', text: 'The lock.' }, toolUse('Bash', { command: 'cat stripes.log' })], {
    cwd: project,
  }),
  userLine('thanks', { cwd: project, sessionId: id }),
];

/** A session with all that belongs to one, indexed, and deleted as Claude Code does it. */
function writeDeleted({ isKept = true, torn = '' } = {}): Map<string, Buffer> {
  const text = toJsonl(lines());
  home.write(`projects/${slug}/${id}.jsonl`, `${text}${torn}`);
  home.write(`projects/${slug}/${id}/subagents/agent-x1.jsonl`, [userLine('look for the zebra')]);
  home.write(`projects/${slug}/${id}/tool-results/toolu_1.txt`, 'a long result without an end of line');
  run('archive', isKept ? 'on' : 'off');
  expect(run('index').code).toBe(0);
  const files = new Map<string, Buffer>();
  for (const name of [`${id}.jsonl`, `${id}/subagents/agent-x1.jsonl`, `${id}/tool-results/toolu_1.txt`])
    files.set(name, readFileSync(join(home.claudeDir, 'projects', slug, name)));
  files.set(`${id}.jsonl`, Buffer.from(text));
  rmSync(join(home.claudeDir, 'projects', slug), { recursive: true });
  run('index');
  return files;
}

const segments = () => {
  const archive = join(home.path, 'recall/archive');
  const names = readdirSync(archive, { recursive: true, encoding: 'utf8' }) as string[];
  return names.filter((name) => name.endsWith('.br')).map((name) => join(archive, name));
};

describe('from the archive', () => {
  test('every file is back as it was, up to the last newline, new, and nothing is written twice', () => {
    const files = writeDeleted({ torn: '{"type":"user","mess' });
    const [hit] = json('search', 'zebra').hits;
    expect(hit).toMatchObject({ id, resumable: false, restorable: 'archive' });
    expect(json('list').sessions[0].restorable).toBe('archive');
    const planned = run('restore', id, '--dry-run');
    expect(planned.stdout.trim().split('\n')).toHaveLength(3);
    expect(existsSync(transcript)).toBe(false);

    const before = Date.now();
    const restored = run('restore', 'aaaa');
    expect(restored).toMatchObject({ code: 0, stdout: command() });
    expect(restored.stderr).toContain('from the archive (3 files)');
    for (const [name, bytes] of files) {
      const path = join(home.claudeDir, 'projects', slug, name);
      expect(readFileSync(path)).toEqual(bytes);
      expect(statSync(path).mtimeMs).toBeGreaterThan(before - 2000);
    }
    expect(readdirSync(join(home.claudeDir, 'projects', slug)).sort()).toEqual([id, `${id}.jsonl`]);

    utimesSync(transcript, 1000, 1000);
    const again = run('restore', id);
    expect(again).toMatchObject({ code: 0, stdout: command() });
    expect(again.stderr).toContain('is there');
    expect(statSync(transcript).mtimeMs).toBe(1_000_000);
    expect(json('search', 'zebra').hits[0]).toMatchObject({ resumable: true, restorable: null });
  });

  test('a last line without a newline is back too, if it is whole', () => {
    const last = JSON.stringify(assistantLine('Use a smaller zebra.', { cwd: project }));
    const files = writeDeleted({ torn: last });
    const count = json('list').sessions[0].messageCount;
    expect(count).toBe(4);
    expect(run('restore', id).code).toBe(0);
    expect(readFileSync(transcript).toString()).toBe(`${files.get(`${id}.jsonl`)}${last}`);
    expect(run('index').code).toBe(0);
    expect(json('list').sessions[0].messageCount).toBe(count);
  });

  test('-o never overwrites a transcript, also where the store is a link', () => {
    writeDeleted();
    const store = join(home.path, 'elsewhere');
    renameSync(join(home.claudeDir, 'projects'), store);
    symlinkSync(store, join(home.claudeDir, 'projects'));
    mkdirSync(join(store, '-x'));
    const other = join(store, '-x', 'bbbbbbbb-0000-4000-8000-000000000002.jsonl');
    writeFileSync(other, 'a transcript');
    const through = join(home.claudeDir, 'projects', '-x', basename(other));
    for (const path of [other, through, join(store, 'new.jsonl')])
      expect(run('restore', id, '-o', path, '--force')).toMatchObject({ code: 2, stdout: '' });
    expect(readFileSync(other, 'utf8')).toBe('a transcript');
  });

  test('open says that it is kept and what to type; open --restore does both in one line', () => {
    writeDeleted();
    const refused = run('open', id);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toBe(
      `recall: the transcript of ${id} was deleted\n  try: a copy of it is kept; to bring it back: recall open aaaaaaaa --restore; or read it with: recall show aaaaaaaa\n`,
    );
    for (const args of [['search', 'stripes'], ['list']])
      expect(run(...args).stdout).toContain(
        '\nto bring a deleted one back: recall open <number> --restore\n',
      );
    expect(json('open', id)).toMatchObject({
      id,
      resumable: false,
      restorable: 'archive',
      reason: expect.any(String),
    });
    expect(run('open', id, '--restore')).toMatchObject({ code: 0, stdout: command() });
    expect(existsSync(transcript)).toBe(true);
    expect(run('open', id, '--restore').stdout).toBe(command());
    expect(run('list').stdout).not.toContain('--restore');
  });

  test('--into another directory, -o elsewhere, and never a second transcript of one id', () => {
    const files = writeDeleted();
    const target = join(home.path, 'out.jsonl');
    expect(run('restore', id, '-o', target).code).toBe(0);
    expect(readFileSync(target)).toEqual(files.get(`${id}.jsonl`));
    expect(run('restore', id, '-o', target).code).toBe(2);
    expect(run('restore', id, '-o', join(home.claudeDir, 'x.jsonl')).code).toBe(2);
    expect(run('restore', id, '--into', join(home.path, 'missing')).code).toBe(2);
    const moved = join(home.path, 'new shop');
    mkdirSync(moved);
    expect(run('restore', id, '--into', 'new shop').stdout).toBe(`cd '${moved}' && claude -r ${id}\n`);
    const inMoved = join(home.claudeDir, 'projects', moved.replace(/[^A-Za-z0-9]/g, '-'));
    expect(readdirSync(inMoved).sort()).toEqual([id, `${id}.jsonl`]);
    expect(run('restore', id).stderr).toContain(`is there: ${inMoved}`);
    expect(existsSync(transcript)).toBe(false);
  });

  test('-o - prints the transcript to a pipe, as show does, and nothing else', () => {
    const files = writeDeleted();
    const { code, stdout, stderr } = run('restore', id, '-o', '-');
    expect({ code, stdout }).toEqual({ code: 0, stdout: files.get(`${id}.jsonl`)?.toString() });
    expect(stderr).toBe(`recall: restored ${id} from the archive\n`);
    expect(existsSync(join(home.path, '-'))).toBe(false);
    expect(run('restore', id, '-o', '-', '--json')).toMatchObject({ code: 2, stderr: '' });
    expect(run('restore', id, '-o', '')).toMatchObject({ code: 2, stdout: '' });
    run('restore', id);
    expect(run('restore', id, '-o', '-')).toMatchObject({ code: 0, stdout, stderr: '' });
    expect(run('restore', id, '-o', './-')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(home.path, '-'), 'utf8')).toBe(stdout);
  });

  test.runIf(hasTerminals)('-o - prints no transcript to a terminal', () => {
    writeDeleted();
    const { code, stdout } = runAtTerminal(home, ['restore', id, '-o', '-'], '');
    expect(code).toBe(2);
    expect(stdout).toContain('a transcript is not meant for a terminal');
  });

  test('what is damaged is named, and the rest is restored', () => {
    home.write(`projects/${slug}/${id}.jsonl`, '');
    const big = (n: number) => userLine(`${n} ${'zebra '.repeat(900_000)}`, { cwd: project, sessionId: id });
    const all = [0, 1, 2, 3, 4].map(big);
    home.write(`projects/${slug}/${id}.jsonl`, all);
    run('archive', 'on');
    run('index');
    rmSync(transcript);
    const [, second = ''] = segments().sort();
    expect(segments().length).toBeGreaterThan(2);
    writeFileSync(second, readFileSync(second).subarray(0, 20));
    // Only where the index will read it, a first line says that something is missing.
    const exported = join(home.path, 'left.jsonl');
    expect(run('restore', id, '-o', exported).code).toBe(2);
    expect(readFileSync(exported, 'utf8')).not.toContain('recall-rebuilt');
    const { code, stdout, stderr } = run('restore', id);
    expect({ code, stdout }).toEqual({ code: 2, stdout: command() });
    expect(stderr).toContain(second);
    const [marker = '', ...kept] = readFileSync(transcript, 'utf8').trimEnd().split('\n');
    expect(JSON.parse(marker)).toEqual({ type: 'recall-rebuilt', lines: kept.length, sessionId: id });
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(all.length);
    const originals = new Set(all.map((line) => JSON.stringify(line)));
    expect(kept.every((line) => originals.has(line))).toBe(true);
    // What the copy has lost used to be dropped from the index as well, as if the transcript had been rewritten.
    run('index');
    expect(json('list').sessions[0]).toMatchObject({ id, messageCount: all.length });
  });

  test('where nothing of the copy can be read, it is rebuilt from the indexed text, and stays in the index', () => {
    writeDeleted();
    const damaged = segments().filter((path) => path.includes(`${id}.jsonl`));
    for (const path of damaged) writeFileSync(path, 'not what was written');
    const { code, stdout, stderr } = run('restore', id);
    expect({ code, stdout }).toEqual({ code: 2, stdout: command() });
    expect(stderr).toContain('1 part of the copy could not be read');
    expect(stderr).toContain('from the indexed text; what tools did is missing');
    expect(readFileSync(transcript, 'utf8')).toContain('The lock.');
    run('index');
    expect(json('search', 'zebra').hits[0]).toMatchObject({ id, resumable: true });
    expect(run('show', id).stdout).toContain('The lock.');
  });

  test('a damaged transcript of a subagent is not written, and its text stays in the index', () => {
    writeDeleted();
    const subagent = segments().filter((path) => path.includes('agent-x1'));
    for (const path of subagent) writeFileSync(path, 'not what was written');
    const { code, stdout, stderr } = run('restore', id);
    expect({ code, stdout }).toEqual({ code: 2, stdout: command() });
    const path = join(home.claudeDir, 'projects', slug, id, 'subagents', 'agent-x1.jsonl');
    expect(stderr).toContain(`not restored, since its copy is damaged: ${path}`);
    expect(stderr).toContain('1 transcript beside it is not restored, so that the indexed text stays');
    expect(existsSync(path)).toBe(false);
    run('index');
    expect(json('search', 'look for the zebra', '--all').hits.length).toBeGreaterThan(0);
  });

  test('a damaged copy of a transcript that is there is of no interest', () => {
    const files = writeDeleted();
    for (const path of segments()) if (path.includes('agent-x1')) writeFileSync(path, 'not what was written');
    const name = `${id}/subagents/agent-x1.jsonl`;
    home.write(`projects/${slug}/${name}`, files.get(name)?.toString() ?? '');
    const { code, stdout, stderr } = run('restore', id);
    expect({ code, stdout }).toEqual({ code: 0, stdout: command() });
    expect(stderr).not.toContain('damaged');
  });

  test.each([
    ['a directory', () => mkdirSync(transcript)],
    ['a symbolic link that leads to no file', () => symlinkSync('/nowhere/x.jsonl', transcript)],
  ])('%s in its place is not the transcript, and is not written over', (what, put) => {
    const files = writeDeleted();
    mkdirSync(join(transcript, '..'), { recursive: true });
    put();
    expect(run('open', id)).toMatchObject({ code: 1, stdout: '' });
    expect(json('search', 'zebra').hits[0]).toMatchObject({ resumable: false, restorable: 'archive' });
    for (const args of [
      ['restore', id],
      ['restore', id, '--dry-run'],
      ['open', id, '--restore'],
    ]) {
      const { code, stdout, stderr } = run(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`${transcript} cannot be written: ${what} has this name`);
    }
    expect(readdirSync(join(transcript, '..'))).toEqual([`${id}.jsonl`]);
    const output = join(home.path, 'out.jsonl');
    expect(run('restore', id, '-o', output).code).toBe(0);
    expect(readFileSync(output)).toEqual(files.get(`${id}.jsonl`));
  });

  test('a transcript that is a link to a file is there, and -o names it instead of the output', () => {
    const files = writeDeleted();
    const elsewhere = join(home.path, 'elsewhere.jsonl');
    writeFileSync(elsewhere, files.get(`${id}.jsonl`) ?? '');
    mkdirSync(join(transcript, '..'), { recursive: true });
    symlinkSync(elsewhere, transcript);
    expect(run('open', id).stdout).toBe(command());
    const { code, stderr } = run('restore', id, '-o', 'out.jsonl');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `recall: ${transcript} cannot be read: it is a symbolic link\n  try: copy the file that it points to\n`,
    });
    expect(existsSync(join(home.path, 'out.jsonl'))).toBe(false);
  });

  test('a version that was rewritten is kept, and can be brought back', () => {
    home.write(`projects/${slug}/${id}.jsonl`, lines());
    run('archive', 'on');
    run('index');
    const long = readFileSync(transcript);
    home.write(`projects/${slug}/${id}.jsonl`, lines().slice(0, 1));
    run('index');
    rmSync(transcript);
    const output = join(home.path, 'old.jsonl');
    expect(run('restore', id, '--older', '-o', output).code).toBe(0);
    expect(readFileSync(output)).toEqual(long);
    const { stderr } = run('restore', id);
    expect(stderr).toContain('1 older version');
    expect(readFileSync(transcript, 'utf8').trimEnd().split('\n')).toHaveLength(1);
  });

  test('no link is followed below the store, and no name in the archive leads out of it', () => {
    writeDeleted();
    const outside = join(home.path, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(home.claudeDir, 'projects', slug));
    const refused = run('restore', id);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('it is a symbolic link');
    expect(readdirSync(outside)).toEqual([]);
    rmSync(join(home.claudeDir, 'projects', slug));
    const tool = segments().find((path) => path.includes('toolu_1')) ?? '';
    const hostile = tool.replace('tool-results/toolu_1.txt', '%2E%2E/%2E%2E%2Fevil.txt');
    mkdirSync(join(hostile, '..'), { recursive: true });
    renameSync(tool, hostile);
    expect(run('restore', id).code).toBe(0);
    expect(readdirSync(join(home.claudeDir, 'projects', slug)).sort()).toEqual([id, `${id}.jsonl`]);
    expect(readdirSync(join(home.claudeDir, 'projects', slug, id))).toEqual(['subagents']);
  });
});

describe('from the index', () => {
  test('prompts and answers, labelled; indexing it replaces nothing, and takes in what is added', () => {
    writeDeleted({ isKept: false });
    expect(json('open', id)).toMatchObject({ resumable: false, restorable: 'text' });
    const { code, stdout, stderr } = run('open', id, '--restore');
    expect({ code, stdout }).toEqual({ code: 0, stdout: command() });
    expect(stderr).toContain('what tools did is missing');
    const [marker, ...rebuilt] = readFileSync(transcript, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(marker).toMatchObject({ type: 'recall-rebuilt', lines: 3 });
    expect(rebuilt.map(({ type }) => type)).toEqual(['user', 'assistant', 'user']);
    expect(rebuilt[1].parentUuid).toBe(rebuilt[0].uuid);
    expect(rebuilt[0].message.content).toBe('why does the zebra queue stall');

    home.append(`projects/${slug}/${id}.jsonl`, [
      userLine('and the giraffe?', { cwd: project, sessionId: id }),
    ]);
    for (const args of [['index'], ['index', '--rebuild'], ['index']]) {
      expect(run(...args).code).toBe(0);
      const shown = json('show', id);
      expect(shown.messages.map(({ text }: { text: string }) => text)).toEqual([
        'why does the zebra queue stall',
        'The lock.',
        'thanks',
        'and the giraffe?',
      ]);
      expect(JSON.stringify(shown)).toContain('cat stripes.log');
      expect(shown).toMatchObject({ resumable: true, restorable: null });
    }
    expect(run('doctor').stdout).not.toContain('unknown');
  });

  test('with the index lost as well, it is read as any other', () => {
    writeDeleted({ isKept: false });
    run('restore', id);
    rmSync(join(home.path, 'recall'), { recursive: true });
    expect(json('search', 'zebra').hits[0]).toMatchObject({ id, resumable: true, messageCount: 3 });
  });

  test('prompts of the history alone, one-sided and labelled so', () => {
    home.write('history.jsonl', [
      { display: 'remember the numbat', timestamp: 1_790_000_000_000, project, sessionId: id },
      { display: 'an old line', timestamp: 1_600_000_000_000, project },
    ]);
    const [hit] = json('search', 'numbat').hits;
    expect(hit).toMatchObject({ kind: 'history', resumable: false, restorable: 'text' });
    expect(run('open', id).stderr).toContain('without the answers');
    const { stdout, stderr } = run('restore', id);
    expect(stdout).toBe(command());
    expect(stderr).toContain('the answers are missing');
    expect(json('search', 'numbat').hits[0]).toMatchObject({ kind: 'main', resumable: true });
    // An id that recall has made up is none that Claude Code could resume.
    expect(json('search', 'old line').hits[0]).toMatchObject({ restorable: null });
  });

  test('nothing of it left, or nothing that could be resumed: says so', () => {
    home.write('transcripts/ses_1.jsonl', [
      { type: 'user', content: 'exported zebra', timestamp: '2026-03-05T10:00:00.000Z' },
    ]);
    run('index');
    rmSync(join(home.claudeDir, 'transcripts/ses_1.jsonl'));
    run('index');
    const { code, stderr } = run('restore', 'ses_1');
    expect(code).toBe(1);
    expect(stderr).toContain('is an exported transcript and cannot be resumed');
  });
});
