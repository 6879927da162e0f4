// Only files are opened, whatever has come into their place.

import { execFileSync } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readJob } from '../src/indexing/reader.ts';
import { openFile, readForeignFile } from '../src/open-file.ts';
import { claudeReader } from '../src/sources/claude/reader.ts';
import { WordForms } from '../src/text/words.ts';
import { TempHome } from './support/home.ts';
import { finish, runRecall, startRecall } from './support/program.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

test('a file is', () => {
  closeSync(openFile(home.write('file', 'text')));
});

test.skipIf(process.platform === 'win32')('a pipe is not waited for, a link is not followed', () => {
  execFileSync('mkfifo', [join(home.path, 'pipe')]);
  symlinkSync(home.write('file', 'text'), join(home.path, 'link'));
  expect(() => openFile(join(home.path, 'pipe'))).toThrow('not a regular file');
  expect(() => openFile(join(home.path, 'link'))).toThrow(/ELOOP|EMLINK/);
  expect(() => openFile(home.path)).toThrow('not a regular file');
});

test.skipIf(process.platform === 'win32')(
  'a transcript that became a pipe costs that file, not the run',
  () => {
    const path = join(home.path, 'pipe');
    execFileSync('mkfifo', [path]);
    const from = { bytes: 0, lines: 0, version: null };
    const job = {
      path,
      kind: 'main',
      sizeBytes: 10,
      from,
      fingerprint: null,
      isRedacting: false,
      keepsToolTexts: true,
    } as const;
    const options = { forms: new WordForms(), shouldStop: () => false };
    expect([...readJob(claudeReader, job, 0, options)]).toEqual([
      { nth: 0, failure: { code: 'ENOTREG', reason: 'not a regular file' } },
    ]);
  },
);

test.skipIf(process.platform === 'win32')('a small file is read through a link, a device is not', () => {
  symlinkSync(home.write('file', 'text'), join(home.path, 'link'));
  expect(readForeignFile(join(home.path, 'link')).toString()).toBe('text');
  expect(() => readForeignFile('/dev/zero')).toThrow('not a regular file');
});

/** Every other place that reads a file, and why that file cannot be somebody else's. */
const ownReads: Readonly<Record<string, string>> = {
  'open-file.ts': 'the one way',
  'process.ts': '/proc',
  'terminal.ts': 'the terminal, for writing',
  'sources/claude/source.ts': '/proc',
  'archive/segments.ts': 'what openFile has opened, and new files',
  'archive/restore-file.ts': 'new files',
  'setup/rewrite-file.ts': 'new files',
  'hub/folder.ts': 'what openFile has opened',
  'commands/labels-command.ts': 'stdin',
  'store/labels.ts': 'the labels',
  'web/serve.ts': 'the files of the page, and what it wrote of its run',
  'store/open/open-store.ts': 'the index',
  'store/open/store-error.ts': 'the index',
};

test('nothing else opens a file by its name', () => {
  const files = (readdirSync('src', { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'));
  const opens = /\b(?:readFileSync|openSync|createReadStream|readFile|open)\((?!\))/;
  const imports =
    /import [^;]*\b(?:readFileSync|openSync|createReadStream|readFile|open)\b[^;]*from 'node:fs/;
  const found = files.filter((name) => {
    const text = readFileSync(join('src', name), 'utf8');
    return imports.test(text) && opens.test(text);
  });
  expect(found.sort()).toEqual(Object.keys(ownReads).sort());
});

test.skipIf(process.platform === 'win32')('pipes in place of what agents keep hold nothing up', async () => {
  cpSync('fixtures/demo-home', home.claudeDir, { recursive: true });
  rmSync(join(home.claudeDir, 'settings.json'));
  const folders = ['.claude/sessions', '.local/share/opencode', '.gemini/tmp/abc/chats', 'shop', 'tree/.git'];
  for (const folder of folders) mkdirSync(join(home.path, folder), { recursive: true });
  for (const pipe of [
    '.claude/sessions/123.json',
    '.claude/settings.json',
    '.claude.json',
    '.local/share/opencode/opencode.db',
    '.gemini/settings.json',
    '.gemini/tmp/abc/.project_root',
    'shop/.git',
    'tree/.git/commondir',
  ])
    execFileSync('mkfifo', [join(home.path, pipe)]);
  home.write('.gemini/tmp/abc/chats/session-2026-01-01T00-00-abcdef.json', '{"sessionId":"a","messages":[]}');
  for (const args of [
    ['index'],
    ['search', 'jwt'],
    ['show', '66c737db'],
    ['open', '66c737db'],
    ['list'],
    ['doctor'],
    ['archive'],
    ['setup', '--yes'],
  ]) {
    const child = startRecall(home, args);
    const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
    const { code } = await finish(child);
    clearTimeout(timer);
    expect([args, code]).toEqual([args, expect.any(Number)]);
  }
  for (const folder of ['shop', 'tree'])
    expect(runRecall(home, ['list', '--project', '.'], { cwd: join(home.path, folder) }).code).not.toBeNull();
});
