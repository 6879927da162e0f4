// recall show: the conversation in every format, selected and written as requested.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantLine, TempHome } from '../support/home.ts';
import { runRecall } from '../support/program.ts';
import { agentId, forkId, goneId, makeZebraHome, zebraId } from '../support/zebra-home.ts';

let home: TempHome;
beforeAll(async () => {
  home = await makeZebraHome((made) => expect(runRecall(made, ['index']).code).toBe(0));
});
afterAll(() => home.remove());

const show = (...args: string[]) => runRecall(home, ['show', ...args]);
const bodyOf = (text: string) => text.slice(text.indexOf('\n\n') + 2);

interface ShownMessage {
  readonly id: number | null;
  readonly uuid: string | null;
  readonly role: string;
  readonly kind: string;
  readonly timestamp: string | null;
  readonly text: string;
  readonly tools: readonly { name: string; target: string | null; isError: boolean }[];
}
interface Shown {
  readonly id: string;
  readonly messages: readonly ShownMessage[];
  readonly subagents?: readonly Shown[];
}
function json(...args: string[]): Shown {
  const { stdout, stderr } = show(...args, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Shown;
}
const textsOf = ({ messages }: Shown) => messages.map(({ text, kind }) => text.split('\n')[0] || kind);

describe('the conversation', () => {
  test('in a pipe', () => {
    const { code, stdout, stderr } = show(zebraId);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Counting stripes\nsession {4}aaaaaaaa-/);
    expect(stdout).toContain(
      '\ncopy       bbbbbbbb Counting stripes, again\ndirectory  gone: /home/u/shop\nresume     recall open aaaaaaaa\n',
    );
    expect(stdout).toContain('⋯ Read ×2, Bash npm test -- zebra … (1 error)');
    expect(stdout).not.toContain('\x1b');
  });

  test('drawn if colour is requested', () => {
    expect(show(zebraId, '--color', 'always').stdout).toContain('\x1b[1mstripes\x1b[22m are counted twice');
  });

  test('by the number of a result, by the start of an id, and of a subagent', () => {
    runRecall(home, ['search', 'stripes']);
    expect(show('1').stdout).toMatch(/^Counting stripes/);
    expect(show('aaaaaaaa').code).toBe(0);
    const agent = show(agentId).stdout;
    expect(agent).toMatch(/belongs to {2}aaaaaaaa Counting stripes\n/);
    expect(agent).toContain('There are 26 stripes and one okapi.');
  });

  test('of a session whose transcript is gone', () => {
    const { code, stdout } = show(goneId);
    expect(code).toBe(0);
    expect(stdout).toContain('transcript  deleted; this is the copy in the index\n');
    expect(stdout).toContain('a lost okapi');
    expect(stdout).toContain('recall open cccccccc --restore');
  });

  test('that does not exist', () => {
    expect(show('99999999')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/no session 9/),
    });
  });
});

describe('which part is shown', () => {
  test('--match: the messages that match and those around them', () => {
    const { code, stdout } = show(zebraId, '--match', 'fixing test', '--context', '0');
    expect(code).toBe(0);
    expect(bodyOf(stdout)).toBe(
      '… 5 messages …\n\nclaude  Mar 6 10:02  #6\nFixed: 26 stripes, all tests pass.\n',
    );
    expect(bodyOf(show(zebraId, '--match', 'fix', '--context', '0').stdout)).toMatch(
      /^… 4 messages …\n\nyou .*\nfix it\n\nclaude .*\n⋯ Edit src\/zebra.ts\n\nFixed: 26/,
    );
    expect(show(zebraId, '--match', 'giraffe')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('nothing in aaaaaaaa'),
    });
    expect(show(zebraId, '--match', 'fixedd').stderr).toContain('did you mean “fixed”');
  });

  test('--match: a subagent is shown in full if only it contains the words', () => {
    const { code, stdout } = show(zebraId, '--match', 'okapi');
    expect(code).toBe(0);
    expect(stdout).toContain('│ There are 26 stripes and one okapi.');
  });

  test('--around: by number, by id, by uuid', () => {
    const { messages } = json(zebraId);
    const second = messages.find(({ text }) => text.startsWith('# Stripes'));
    for (const ref of ['#2', '2', String(second?.id), second?.uuid ?? '', (second?.uuid ?? '').slice(0, 8)]) {
      const shown = json(zebraId, '--around', ref, '--context', '0');
      expect(shown.messages.filter(({ id }) => id !== null)).toEqual([second]);
    }
    expect(show(zebraId, '--around', '#7')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('#1 to #6'),
    });
    for (const ref of ['7', '0', '99999'])
      expect(show(zebraId, '--around', ref).stderr).toContain(`no message #${ref} in`);
    expect(show(zebraId, '--around', 'zebra').stderr).toContain('try: it has 6: #1 to #6; or the id or uuid');
    expect(show(zebraId, '--around', '0000').code).toBe(2);
    const ofSubagent = String(json(agentId).messages[0]?.id);
    expect(show(zebraId, '--around', ofSubagent).stderr).toContain(
      `recall show ${agentId} --around ${ofSubagent}`,
    );
    expect(show(agentId, '--around', ofSubagent).code).toBe(0);
    expect(show(zebraId, '--around', 'ffff').code).toBe(1);
  });

  test('--last and --role', () => {
    expect(textsOf(json(zebraId, '--last', '2'))).toEqual([
      'fix it',
      'tools',
      expect.stringMatching(/^Fixed/),
    ]);
    expect(textsOf(json(zebraId, '--role', 'user'))).toEqual([expect.stringMatching(/^why/), 'fix it']);
    expect(textsOf(json(zebraId, '--role', 'user', '--last', '1'))).toEqual(['fix it']);
    expect(textsOf(json(zebraId, '--role', 'assistant', '--last', '1'))).toEqual([
      expect.stringMatching(/^Fixed/),
    ]);
  });

  // The built program did not recognise a dash that is not ASCII.
  test('--range with the dash that a page prints', () => {
    expect(textsOf(json(zebraId, '--range', '1–2'))).toEqual(textsOf(json(zebraId, '--range', '1-2')));
  });

  // Only the first one had an effect, and a role without words matched nothing.
  test('two parts cannot be combined; a role alone means the same as --role', () => {
    expect(show(`${zebraId}:2`, '--last', '1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('message #2 and --last choose different parts'),
    });
    expect(JSON.parse(show(zebraId, '--last', '1', '--around', '#1', '--json').stdout).error.code).toBe(
      'usage',
    );
    expect(json(zebraId, '--match', 'role:user')).toEqual(json(zebraId, '--role', 'user'));
    expect(json(zebraId, '--match', 'fix', '--last', '2').messages.length).toBeGreaterThan(0);
  });

  test('--tools, --subagents, --recaps unfold what is folded', () => {
    const { stdout } = show(zebraId, '--tools', '--subagents', '--recaps');
    expect(stdout).toContain(
      '⋯ Read test/zebra.ts\n⋯ Read src/zebra.ts\n✗ Bash npm test -- zebra …  error\n',
    );
    expect(stdout).toContain('│ There are 26 stripes');
    expect(stdout).toContain('This session is being continued');
  });

  test.each([
    [['--last', '0'], /--last takes a number of at least 1, not 0/],
    [['--last', 'x'], /--last takes a number/],
    [['--context', '-1'], /--context takes a number of at least 0/],
    [['--role', 'cat'], /--role must be one of user, assistant, not cat/],
    [['--html', '--markdown'], /different formats/],
    [['--html', '--json'], /different formats/],
    [['--around', '#1', '--range', '2-2'], /--around and --range choose different parts/],
    [['--range', '2-2', '--last', '1'], /--range and --last choose different parts/],
    [['--range', 'x'], /--range takes two message numbers/],
    [['--match', 'project:shop'], /--match “project:shop” has no words to search for/],
    [['--match', 'role:user -stripes'], /has no words/],
    [['--match', ''], /has no words/],
  ])('%j is an error', (args, message) => {
    const { code, stdout, stderr } = show(zebraId, ...args);
    expect(code).toBe(2);
    expect(stdout + stderr).toMatch(message);
  });
});

describe('as JSON', () => {
  test('it has the fields of a session and its messages', () => {
    const shown = JSON.parse(show(zebraId, '--json').stdout);
    expect(shown).toMatchObject({ schemaVersion: 2, id: zebraId, kind: 'main', copies: 1, messageCount: 6 });
    expect(shown).not.toHaveProperty('subagents');
    expect(shown.messages.map(({ kind }: ShownMessage) => kind)).toEqual([
      'prompt',
      'tools',
      'reply',
      'reply',
      'recap',
      'prompt',
      'tools',
      'reply',
    ]);
    expect(shown.messages[1]).toEqual({
      id: null,
      uuid: null,
      role: 'assistant',
      kind: 'tools',
      timestamp: null,
      text: '',
      tools: [
        { name: 'Read', target: '/home/u/shop/test/zebra.ts', isError: false },
        { name: 'Read', target: '/home/u/shop/src/zebra.ts', isError: false },
        { name: 'Bash', target: expect.stringContaining('npm test'), isError: true },
      ],
    });
    expect(shown.messages[2]).toMatchObject({ tools: [{ name: 'Task' }], role: 'assistant' });
  });

  test('--subagents adds them, --match narrows all of it', () => {
    const shown = json(zebraId, '--subagents');
    expect(shown.subagents?.map(({ id, messages }) => [id, messages.length])).toEqual([[agentId, 3]]);
    expect(json(forkId, '--subagents').subagents).toEqual([]);
    const matched = json(zebraId, '--subagents', '--match', 'okapi', '--context', '0');
    expect(matched.subagents?.map(({ messages }) => messages.at(-1)?.text)).toEqual([
      'There are 26 stripes and one okapi.',
    ]);
  });

  test('--agents is the older name of --subagents', () => {
    expect(json(zebraId, '--agents')).toEqual(json(zebraId, '--subagents'));
  });

  test('no match is an empty list and exit 1', () => {
    const { code, stdout } = show(zebraId, '--json', '--match', 'giraffe');
    expect([code, JSON.parse(stdout).messages]).toEqual([1, []]);
  });
});

describe('as a file', () => {
  const path = (name: string) => join(home.path, name);

  test('the extension chooses the format, and only the owner can read it', () => {
    for (const [name, beginning] of [
      ['a.md', '# Counting stripes\n'],
      ['a.html', '<!doctype html>\n'],
      ['a.json', '{"schemaVersion":2,'],
      ['a.txt', 'Counting stripes\n'],
    ] as const) {
      const { code, stdout, stderr } = show(zebraId, '--output', name);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(stderr).toContain(`wrote ${path(name)}`);
      expect(readFileSync(path(name), 'utf8').startsWith(beginning)).toBe(true);
      expect(statSync(path(name)).mode & 0o777).toBe(0o600);
    }
  });

  test.skipIf(process.platform === 'win32')('what is not a file is refused, even with --force', () => {
    execFileSync('mkfifo', [path('pipe')]);
    symlinkSync(path('nowhere'), path('dangling'));
    mkdirSync(path('folder'));
    for (const name of ['pipe', 'dangling', 'folder']) {
      const { code, stderr } = show(zebraId, '--output', name, '--force');
      expect([code, stderr]).toEqual([2, expect.stringContaining('is not a file')]);
      expect(lstatSync(path(name)).isFile()).toBe(false);
    }
    expect(show(zebraId, '--output', '').stderr).toContain('--output needs the name of a file');
    expect(show(zebraId, '--output', '-').stdout).toBe(show(zebraId).stdout);
  });

  test('nothing is overwritten without --force', () => {
    writeFileSync(path('kept.md'), 'mine');
    chmodSync(path('kept.md'), 0o644);
    expect(show(zebraId, '-o', 'kept.md')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--force'),
    });
    expect(readFileSync(path('kept.md'), 'utf8')).toBe('mine');
    expect(show(zebraId, '-o', 'kept.md', '--force').code).toBe(0);
    expect(readFileSync(path('kept.md'), 'utf8')).toContain('# Counting stripes');
    expect(statSync(path('kept.md')).mode & 0o777).toBe(0o600);
  });

  test('nothing is written among Claude Code’s files, nor over the index', () => {
    symlinkSync(home.claudeDir, path('link'));
    for (const name of ['.claude/x.md', 'link/x.md', 'link/projects/x.md', '.claude/../.claude/x.md']) {
      const { code, stderr } = show(zebraId, '-o', name, '--force');
      expect([code, stderr]).toEqual([2, expect.stringMatching(/is inside .*, which belongs to an agent/)]);
    }
    expect(existsSync(join(home.claudeDir, 'x.md'))).toBe(false);
    expect(show(zebraId, '-o', home.indexPath, '--force').code).toBe(2);
    expect(show(zebraId).code).toBe(0);
  });

  // Half-written pages had this name, and an existing file was deleted.
  test('someone else’s file is left alone', () => {
    writeFileSync(path('page.md.unfinished'), 'mine');
    expect(show(zebraId, '-o', 'page.md').code).toBe(0);
    expect(readFileSync(path('page.md.unfinished'), 'utf8')).toBe('mine');
    const long = `${'x'.repeat(250)}.md`;
    expect(show(zebraId, '-o', long).code).toBe(0);
    expect(readdirSync(home.path).filter((name) => name.includes('.recall-'))).toEqual([]);
  });

  // `..x.md` was mistaken for a path out of the folder, and ~/.claude.json is outside of it.
  test('nor under a name that looks like a path out of it, nor over ~/.claude.json', () => {
    const { code, stderr } = show(zebraId, '-o', '.claude/..x.md');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is inside .*, which belongs to an agent/)]);
    expect(existsSync(join(home.claudeDir, '..x.md'))).toBe(false);
    expect(show(zebraId, '-o', '..y.md').code).toBe(0);
    writeFileSync(path('.claude.json'), '{}');
    const other = { CLAUDE_CONFIG_DIR: path('other') };
    mkdirSync(path('other'));
    for (const env of [{}, other]) {
      const refused = runRecall(home, ['show', zebraId, '-o', '.claude.json', '--force'], { env });
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is an agent’s own file')]);
    }
    expect(readFileSync(path('.claude.json'), 'utf8')).toBe('{}');
  });

  // A path through the real folder was not recognised as the index, and replaced it.
  test('the index is recognised however it is named, and only the index', () => {
    const folder = dirname(home.indexPath);
    symlinkSync(folder, path('linked'));
    symlinkSync(home.indexPath, path('linked.db'));
    const before = statSync(home.indexPath).ino;
    for (const db of [home.indexPath, path('linked/recall.db'), path('linked.db')]) {
      for (const name of [
        'recall/recall.db',
        'linked/recall.db',
        'recall/recall.db-wal',
        'recall/recall.db.last',
      ]) {
        const { code, stderr } = show(zebraId, '--db', db, '-o', name, '--force');
        expect([code, stderr]).toEqual([2, expect.stringContaining('is the index itself')]);
      }
    }
    expect(statSync(home.indexPath).ino).toBe(before);
    expect(show(zebraId, '-o', 'recall/recall.db.html').code).toBe(0);
  });

  test('an error is reported if it cannot be written', () => {
    mkdirSync(path('folder.md'));
    expect(show(zebraId, '-o', 'folder.md', '--force').code).toBe(2);
    expect(show(zebraId, '-o', 'no/such/folder/x.md')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be written: no such file or directory'),
    });
    expect(readdirSync(home.path).filter((name) => name.includes('.recall-'))).toEqual([]);
  });
});

test('a session is never in memory as a whole', () => {
  const many = new TempHome();
  try {
    const text = `${'a long answer '.repeat(280)}\n`.repeat(2);
    many.writeSession(
      'dddddddd',
      Array.from({ length: 5000 }, () => assistantLine(text)),
    );
    expect(runRecall(many, ['index']).code).toBe(0);
    const [watcher, peak] = [join(many.path, 'watch.cjs'), join(many.path, 'peak')];
    writeFileSync(
      watcher,
      `const { readFileSync, writeFileSync } = require('fs');
      process.on('exit', () => writeFileSync('${peak}', readFileSync('/proc/self/status')));`,
    );
    const env = { NODE_OPTIONS: `--max-old-space-size=40 --require=${watcher}` };
    const { code, stdout } = runRecall(many, ['show', 'dddddddd', '--json'], { env });
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(37_000_000);
    // The index is not mapped into memory either, where everything read from it would count.
    const [, peakKb] = /VmHWM:\s+(\d+)/.exec(readFileSync(peak, 'utf8')) ?? [];
    expect(Number(peakKb)).toBeLessThan(135_000);
    expect(runRecall(many, ['show', 'dddddddd', '--html', '-o', 'big.html'], { env }).code).toBe(0);
  } finally {
    many.remove();
  }
});
