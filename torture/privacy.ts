// Who else could read what recall keeps, where it writes, whom it talks to, and what is left of a session it was asked to
// forget: nobody, beside its index and its cache, nobody, nothing.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../bench/home/random.ts';
import { assistantLine, TempHome, toolUse, userLine } from '../test/support/home.ts';
import { someLines } from '../test/support/made-home.ts';
import { codeCache, finish, runRecall, startRecall } from '../test/support/program.ts';
import { hasNetworkNamespace, hasStrace } from './faults.ts';
import type { Trials } from './tally.ts';
import { runQuietly } from './whole.ts';

export async function torturePrivacy(trials: Trials): Promise<void> {
  await narrowRights(trials);
  await noOtherPlaces(trials);
  await nothingLeft(trials);
}

const commands: readonly (readonly string[])[] = [
  ['index'],
  ['search', 'okapi'],
  ['search', 'okapi', '--json'],
  ['open', '1'],
  ['doctor'],
  ['index', '--rebuild'],
  ['doctor', '--repair'],
  ['forget', 'bbbbbbbb', '--yes'],
  ['help', 'search'],
  ['--version'],
];

function makeHome(): TempHome {
  const home = new TempHome();
  home.writeSession('aaaaaaaa', [userLine('the okapi', { cwd: home.path }), assistantLine('Yes.')]);
  home.writeSession('bbbbbbbb', [userLine('another okapi')]);
  return home;
}

/** recall's own files and folders, wherever below the home they are. */
function listOwn(home: TempHome): string[] {
  const below = readdirSync(home.path, { recursive: true, encoding: 'utf8' });
  return below.filter((name) => /(^|\/)recall(\/|$)/.test(name)).map((name) => join(home.path, name));
}

/** The write-ahead log, which is there while the index is open. */
function hasLog(home: TempHome): boolean {
  return listOwn(home).some((path) => path.endsWith('-wal'));
}

/** Files come and go while recall runs. */
function expectNarrow(home: TempHome): void {
  const modeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  const wide = listOwn(home).filter((path) => (modeOf(path) & 0o077) !== 0);
  assert.deepEqual(wide, []);
}

/** With a umask that grants everything, and after somebody else has widened what is there. */
export async function narrowRights({ tally }: Trials): Promise<void> {
  const check = 'privacy: permissions with umask 000';
  const open = { via: ['sh', '-c', 'umask 000 && exec "$@"', 'sh'], env: { RECALL_DB: '' } };
  const home = makeHome();
  try {
    for (const args of commands) {
      await tally.attempt(check, args.join(' '), () => {
        runRecall(home, args, open);
        assert.ok(args[0] !== 'index' || listOwn(home).length >= 3);
        expectNarrow(home);
      });
      await tally.attempt('privacy: permissions that were wider before', args.join(' '), () => {
        for (const path of listOwn(home)) chmodSync(path, statSync(path).isDirectory() ? 0o777 : 0o666);
        runRecall(home, args, open);
        // What it does not touch it does not fix: help knows nothing of the index.
        if (!args[0]?.startsWith('-') && args[0] !== 'help') runRecall(home, ['search', 'okapi'], open);
        else return;
        const isTouched = (path: string) =>
          !/\.code$|\.lock$|\.last(\/|$)/.test(path) || path.includes(`/${args[0]}.`);
        const wide = listOwn(home).filter((path) => isTouched(path) && (statSync(path).mode & 0o077) !== 0);
        assert.deepEqual(wide, []);
      });
      for (const path of listOwn(home)) chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
    }
    await tally.attempt(check, 'while it runs: index --rebuild', async () => {
      // It may be over before it is looked at.
      let isSeen = false;
      for (let i = 0; i < 50 && !isSeen; i++) {
        const child = startRecall(home, ['index', '--rebuild'], open);
        const result = finish(child);
        for (; child.exitCode === null && !isSeen; await sleep(2)) isSeen = hasLog(home);
        if (isSeen) expectNarrow(home);
        await result;
      }
      assert.ok(isSeen);
    });
  } finally {
    home.remove();
  }
}

const calls =
  'openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,%network';

/** Every file that is written and every socket that is made, by the system's own account. */
export async function noOtherPlaces({ tally }: Trials): Promise<void> {
  const home = makeHome();
  try {
    const log = join(home.path, 'calls.txt');
    const temporary = join(home.path, 'tmp');
    mkdirSync(temporary);
    for (const args of commands) {
      if (hasStrace) {
        await tally.attempt('privacy: writes only beside its index', args.join(' '), () => {
          const via = ['strace', '-f', '-o', log, '-e', `trace=${calls}`];
          runRecall(home, args, { via, env: { TMPDIR: temporary } });
          const lines = readFileSync(log, 'utf8').split('\n');
          assert.ok(lines.length > 5);
          assert.deepEqual(
            lines.filter((line) => isWrite(line, home.path)),
            [],
          );
          assert.deepEqual(readdirSync(temporary), []);
          tally.count('privacy: no socket', 1);
          assert.deepEqual(
            lines.filter((line) => /\b(socket|connect|sendto|bind)\(/.test(line)),
            [],
          );
        });
      }
      if (hasNetworkNamespace) {
        await tally.attempt('privacy: works without a network', args.join(' '), () => {
          const { code, stderr } = runRecall(home, args, { via: ['unshare', '-n'] });
          assert.ok(code === 0 || args[0] === 'open' || args[0] === 'forget', stderr);
        });
      }
    }
    if (!hasStrace) tally.skip('privacy: writes only beside its index', 'no strace here');
    if (!hasNetworkNamespace) tally.skip('privacy: works without a network', 'no namespaces here');
  } finally {
    home.remove();
  }
}

/** Opened for writing, made or renamed, elsewhere than in recall's own folders. */
function isWrite(line: string, home: string): boolean {
  const isWriting = /O_WRONLY|O_RDWR|O_CREAT/.test(line) || /\b(creat|mkdir|rename|link|symlink)/.test(line);
  const paths = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] ?? '');
  const own = [`${home}/recall`, codeCache];
  const isOwn = (path: string) => path.startsWith('/dev/') || own.some((folder) => path.startsWith(folder));
  return isWriting && paths.length > 0 && !paths.every(isOwn);
}

/** A secret in many places of a session that grew, was rewritten and copied about: no byte of it is left. */
export async function nothingLeft({ tally, seed, count }: Trials): Promise<void> {
  for (let i = 0; i < count; i++) {
    const random = new Random(seed, 81, i);
    const home = new TempHome();
    await tally.attempt('privacy: forget leaves nothing', `seed ${seed}, home ${i}`, () => {
      const secret = Array.from({ length: 24 }, () => String.fromCharCode(97 + random.below(26))).join('');
      const telling = () => [
        userLine(`about ${secret} ${random.hex(6)}`, { gitBranch: secret, cwd: `/home/${secret}` }),
        assistantLine([
          { type: 'text', text: `${secret}.` },
          toolUse('Read', { file_path: `${secret}/x.ts` }),
        ]),
        { type: 'ai-title', aiTitle: `${secret} again` },
      ];
      for (let n = 0; n < 8; n++) home.writeSession(`other-${n}`, someLines(random, 80, `other-${n}`));
      const path = home.writeSession('secret-session', telling());
      runQuietly(home, ['index']);
      for (let round = 0; round < 2 + random.below(4); round++) {
        if (random.chance(0.3)) home.writeSession('secret-session', telling());
        else home.append(path, telling());
        if (random.chance(0.3))
          home.write('projects/-home-u-shop/secret-session/subagents/agent-s1.jsonl', telling());
        home.append(`projects/-home-u-shop/other-${random.below(8)}.jsonl`, someLines(random, 20, 'other'));
        runQuietly(home, random.chance(0.2) ? ['index', '--rebuild'] : ['index']);
      }
      assert.ok(holding(home, secret).length > 0);
      runRecall(home, ['search', secret]);
      runQuietly(home, ['forget', 'secret-session', '--yes']);
      assert.deepEqual(holding(home, secret), []);
      runQuietly(home, ['index', '--rebuild']);
      assert.deepEqual(holding(home, secret), []);
    });
    home.remove();
  }
}

/** Of recall's files, those that hold either end of the word: the full-text index shares beginnings between words. */
function holding(home: TempHome, secret: string): string[] {
  return listOwn(home).filter((path) => {
    if (statSync(path).isDirectory()) return false;
    const text = readFileSync(path).toString('latin1').toLowerCase();
    return text.includes(secret.slice(0, 10)) || text.includes(secret.slice(-10));
  });
}
