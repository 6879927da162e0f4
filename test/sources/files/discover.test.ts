// Which files of a Claude root are found, and what is done about those that cannot be.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claude } from '../../../src/sources/claude/source.ts';
import { TempHome } from '../../support/home.ts';

const isRoot = process.getuid?.() === 0;
const isWindows = process.platform === 'win32';

let home: TempHome;

beforeEach(() => {
  home = new TempHome();
});

afterEach(() => home.remove());

function foundPaths(): string[] {
  return claude
    .discover(home.claudeDir)
    .files.map((file) => file.path)
    .toSorted();
}

describe('layout', () => {
  test.each([
    ['projects/-a/s1.jsonl', 'main', 's1', null, '-a', false],
    ['projects/-a/with.dots.jsonl', 'main', 'with.dots', null, '-a', false],
    ['projects/-a/agent-1a2b.jsonl', 'subagent', '1a2b', null, '-a', false],
    ['projects/-a/agent-acompact-1.jsonl', 'subagent', 'acompact-1', null, '-a', true],
    ['projects/-a/agent-.jsonl', 'main', 'agent-', null, '-a', false],
    ['projects/-a/s1/subagents/agent-x.jsonl', 'subagent', 'x', 's1', '-a', false],
    ['projects/-a/s1/subagents/agent-acompaction-x.jsonl', 'subagent', 'acompaction-x', 's1', '-a', false],
    [
      'projects/-a/s1/subagents/agent-aside_question-9.jsonl',
      'subagent',
      'aside_question-9',
      's1',
      '-a',
      true,
    ],
    ['projects/-a/s1/subagents/workflows/wf_1/agent-y.jsonl', 'subagent', 'y', 's1', '-a', false],
    ['transcripts/ses_1.jsonl', 'transcript', 'ses_1', null, null, false],
    ['pre-compact-session-histories/2026-s1.jsonl', 'precompact', '2026-s1', null, null, false],
    ['history.jsonl', 'history', 'history', null, null, false],
  ])('%s is a session of kind %s', (path, kind, nativeId, parentNativeId, slug, isMachinery) => {
    home.write(path, '{}\n');
    const { files, sidecars, obstacles } = claude.discover(home.claudeDir);
    expect(files).toMatchObject([{ path, kind, nativeId, parentNativeId, slug, isMachinery, sizeBytes: 3 }]);
    expect([sidecars, obstacles]).toEqual([[], []]);
  });

  test.each([
    ['projects/-a/sessions-index.json', 'sessions-index', null],
    ['projects/-a/s1/custom-title.json', 'custom-title', 's1'],
    ['projects/-a/s1/subagents/agent-x.meta.json', 'agent-meta', 'x'],
    ['projects/-a/s1/subagents/workflows/wf_1/agent-y.meta.json', 'agent-meta', 'y'],
  ])('%s is a sidecar of kind %s', (path, kind, nativeId) => {
    home.write(path, '{}');
    const { files, sidecars } = claude.discover(home.claudeDir);
    expect(sidecars).toMatchObject([{ path, kind, slug: '-a', nativeId }]);
    expect(files).toEqual([]);
  });

  test.each([
    'projects/loose.jsonl',
    'projects/-a/notes.txt',
    'projects/-a/.jsonl',
    'projects/-a/s1.jsonl.bak',
    'projects/-a/memory/agent-x.jsonl',
    'projects/-a/memory/subagents/agent-x.jsonl',
    'projects/-a/s1/tool-results/out.jsonl',
    'projects/-a/s1/agent-x.jsonl',
    'projects/-a/s1/workflows/wf_1.json',
    'projects/-a/s1/subagents/journal.jsonl',
    'projects/-a/s1/subagents/a/b/c/d/agent-too-deep.jsonl',
    'transcripts/deeper/ses_1.jsonl',
    'todos/x.jsonl',
    'other.jsonl',
  ])('%s is nothing', (path) => {
    home.write(path, '{}\n');
    expect(claude.discover(home.claudeDir)).toMatchObject({ files: [], sidecars: [], obstacles: [] });
  });

  test('a file is found with its stamp', () => {
    const stat = statSync(home.write('projects/-a/s1.jsonl', '{"type":"user"}\n'));
    expect(claude.discover(home.claudeDir).files[0]).toMatchObject({
      ...{ sizeBytes: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, inode: stat.ino },
    });
  });
});

describe('odd homes', () => {
  const nothing = { files: [], sidecars: [], obstacles: [] };

  test('an empty or missing root holds nothing', () => {
    expect(claude.discover(home.claudeDir)).toMatchObject(nothing);
    expect(claude.discover(join(home.path, 'nowhere'))).toMatchObject(nothing);
  });

  test('projects and sessions that are files or folders where the other is meant are passed over', () => {
    home.write('projects/-a/folder.jsonl/inner.jsonl', '{}\n');
    home.write('projects/-a/s1/subagents', 'a file');
    home.write('transcripts', 'a file');
    mkdirSync(join(home.claudeDir, 'history.jsonl'));
    mkdirSync(join(home.claudeDir, 'projects/-a/s2/subagents/agent-x.jsonl'), { recursive: true });
    mkdirSync(join(home.claudeDir, 'projects/-a/s2/custom-title.json'), { recursive: true });
    expect(claude.discover(home.claudeDir)).toMatchObject(nothing);
  });

  test.skipIf(isWindows)('names with quotes, line breaks and any letters are found', () => {
    const names = [
      "it's",
      'say "hi"',
      'two\nlines',
      '$(rm -rf)',
      '数据库',
      'emoji 😀',
      '-dash',
      'a\\b',
      ' space ',
    ];
    const paths = names.flatMap((name) => [
      `projects/-${name}/${name}.jsonl`,
      `projects/-${name}/${name}/subagents/agent-${name}.jsonl`,
    ]);
    for (const path of paths) home.write(path, '{}\n');
    expect(foundPaths()).toEqual(paths.toSorted());
    const ids = claude.discover(home.claudeDir).files.map((file) => file.nativeId);
    expect(new Set(ids)).toEqual(new Set(names));
  });

  test.skipIf(process.platform !== 'linux')(
    'a name that is not UTF-8 is an obstacle, not a loss of the rest',
    () => {
      home.write('projects/-a/s1.jsonl', '{}\n');
      const name = Buffer.concat([
        Buffer.from(join(home.claudeDir, 'projects/-a/bad-')),
        Buffer.from([0xff]),
      ]);
      writeFileSync(Buffer.concat([name, Buffer.from('.jsonl')]), '{}\n');
      expect(foundPaths()).toEqual(['projects/-a/s1.jsonl']);
      expect(claude.discover(home.claudeDir).obstacles).toMatchObject([{ isLink: false }]);
    },
  );

  test.skipIf(isWindows)('a pipe named like a transcript is ignored and not waited for', () => {
    mkdirSync(join(home.claudeDir, 'projects/-a/s1/subagents'), { recursive: true });
    mkdirSync(join(home.claudeDir, 'transcripts'));
    const pipes = [
      'projects/-a/x.jsonl',
      'projects/-a/s1/subagents/agent-x.jsonl',
      'transcripts/x.jsonl',
      'history.jsonl',
    ];
    execFileSync(
      'mkfifo',
      pipes.map((pipe) => join(home.claudeDir, pipe)),
    );
    expect(claude.discover(home.claudeDir)).toMatchObject(nothing);
  });
});

describe('links and closed doors', () => {
  test.skipIf(isWindows)('symbolic links are named, not followed, wherever they lead', () => {
    const outside = home.write('../outside/s9.jsonl', '{}\n');
    home.write('projects/-a/s1.jsonl', '{}\n');
    const projects = join(home.claudeDir, 'projects');
    symlinkSync(join(outside, '..'), join(projects, '-linked'));
    symlinkSync(projects, join(projects, '-a/loop'));
    symlinkSync(outside, join(projects, '-a/s2.jsonl'));
    symlinkSync('nowhere', join(projects, '-a/s3.jsonl'));
    expect(foundPaths()).toEqual(['projects/-a/s1.jsonl']);
    const { obstacles } = claude.discover(home.claudeDir);
    expect(obstacles.map(({ path, isLink }) => [path, isLink]).toSorted()).toEqual([
      ['projects/-a/loop', true],
      ['projects/-a/s2.jsonl', true],
      ['projects/-a/s3.jsonl', true],
      ['projects/-linked', true],
    ]);
  });

  test.skipIf(isRoot || isWindows)(
    'a folder that may not be read is an obstacle, the others are read',
    () => {
      home.write('projects/-a/s1.jsonl', '{}\n');
      const closed = join(home.write('projects/-closed/s2.jsonl', '{}\n'), '..');
      chmodSync(closed, 0o000);
      try {
        expect(foundPaths()).toEqual(['projects/-a/s1.jsonl']);
        expect(claude.discover(home.claudeDir).obstacles).toEqual([
          { path: 'projects/-closed', reason: 'permission denied', isLink: false, isOfName: false },
        ]);
      } finally {
        chmodSync(closed, 0o700);
      }
    },
  );
});
