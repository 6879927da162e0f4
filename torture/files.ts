// Transcripts that change, vanish and are not what they were while they are being read, and names and times that nobody
// would choose: each costs that file only and is said once, and the next run has everything.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../bench/home/random.ts';
import { TempHome, toJsonl, userLine } from '../test/support/home.ts';
import { contentOf, indexHome } from '../test/support/index-home.ts';
import { someLines } from '../test/support/made-home.ts';
import { finish, type RunOptions, runRecall, startRecall } from '../test/support/program.ts';
import { asOrdinaryUser, hasStrace, injecting, whyNoRights, withoutStrace } from './faults.ts';
import type { Trials } from './tally.ts';
import { expectContent, expectPlain, runQuietly, undisturbed } from './whole.ts';

export async function tortureFiles(trials: Trials): Promise<void> {
  await moving(trials);
  await oddFiles(trials);
  await failingReads(trials);
}

const movingFiles = 24;

/** Everything that can happen to a file, again and again while an index is made of it. */
export async function moving({ tally, seed, count }: Trials): Promise<void> {
  const check = 'files: changing while read';
  const random = new Random(seed, 21);
  const home = new TempHome();
  const path = (n: number) => join(home.claudeDir, `projects/-home-u-${n % 3}/moving-${n}.jsonl`);
  const lines = (n: number) => someLines(random, 100 + random.below(600), `moving-${n}`);
  const writeAll = () => {
    for (let n = 0; n < movingFiles; n++) home.write(`projects/-home-u-${n % 3}/moving-${n}.jsonl`, lines(n));
  };
  const pipe = join(home.path, 'pipe');
  try {
    writeAll();
    execFileSync('mkfifo', [pipe]);
    const canRefuse = whyNoRights(home) === null;
    const user: RunOptions = canRefuse ? asOrdinaryUser : {};
    for (let round = 0; round < count; round++) {
      await tally.attempt(check, `seed ${seed}, round ${round}`, async () => {
        const args = round % 3 === 0 ? ['index', '--rebuild'] : ['index'];
        const child = startRecall(home, [...args, '--quiet'], user);
        const result = finish(child);
        while (child.exitCode === null && child.signalCode === null) {
          disturb(random, path(random.below(movingFiles)), toJsonl(lines(0)), pipe, canRefuse);
          await sleep(random.below(8));
        }
        const { code, stdout, stderr } = await result;
        expectPlain({ code, stdout, stderr });
        const complaints = stderr.split('\n').filter(Boolean);
        for (const line of complaints)
          assert.match(line, /^recall: .*moving-\d+\.jsonl: (permission denied|not a regular file)$/);
        assert.equal(new Set(complaints).size, complaints.length, stderr);
        assert.equal(code, complaints.length > 0 ? 2 : 0, stderr);
        // At rest again, with every file there and readable.
        for (let n = 0; n < movingFiles; n++) {
          if (statSync(path(n), { throwIfNoEntry: false })?.isFile() === false)
            rmSync(path(n), { recursive: true });
          appendFileSync(path(n), toJsonl([userLine(`at rest ${round}`)]));
          chmodSync(path(n), 0o644);
        }
        const rest = runRecall(home, ['index', '--quiet'], user);
        assert.deepEqual([rest.code, rest.stderr], [0, '']);
        await expectContent(home, await undisturbed(home));
      });
      if (round % 4 === 3) writeAll();
    }
  } finally {
    home.remove();
  }
}

/** `pipe` is one to put in the place of the file. */
function disturb(random: Random, path: string, text: string, pipe: string, canRefuse: boolean): void {
  const choice = random.below(canRefuse ? 9 : 8);
  try {
    // Writing to a pipe would wait for a reader.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) rmSync(path, { recursive: true });
    if (choice === 0) appendFileSync(path, text);
    // Without the end of its last line.
    else if (choice === 1) appendFileSync(path, `\n${text.slice(0, random.below(text.length))}`);
    else if (choice === 2) truncateSync(path, random.below(statSync(path).size + 1));
    else if (choice === 3) {
      writeFileSync(`${path}.new`, text, { mode: 0o644 });
      renameSync(`${path}.new`, path);
    } else if (choice === 4) rmSync(path, { force: true });
    else if (choice === 5) writeFileSync(path, text, { mode: 0o644 });
    else if (choice === 6) {
      rmSync(path, { force: true });
      mkdirSync(path);
    } else if (choice === 7) {
      linkSync(pipe, `${path}.pipe`);
      renameSync(`${path}.pipe`, path);
    } else chmodSync(path, random.chance(0.7) ? 0o000 : 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

interface OddFile {
  readonly name: string;
  /** Brings it about; the home was indexed before. */
  readonly make: (home: TempHome, project: string) => void;
  /** What may be said of it, once. */
  readonly says?: RegExp;
  /** Makes it as it was, where a comparison needs that. */
  readonly fix?: (home: TempHome, project: string) => void;
}

const kept = 'kept.jsonl';
const other = (text: string) => toJsonl([userLine(text, { uuid: '00000000-0000-4000-8000-00000000abcd' })]);

/** Sets a file's times, in seconds from now. */
function setTime(path: string, seconds: number): void {
  const time = Date.now() / 1000 + seconds;
  utimesSync(path, time, time);
}

const oddities: readonly OddFile[] = [
  {
    name: 'written anew with an older time',
    make: (_, project) => {
      writeFileSync(join(project, kept), other('an older version came back'));
      setTime(join(project, kept), -86_400 * 300);
    },
  },
  {
    name: 'written with a time in the future',
    make: (_, project) => {
      appendFileSync(join(project, kept), other('from tomorrow'));
      setTime(join(project, kept), 86_400 * 400);
    },
  },
  {
    name: 'another content of the same size and time',
    make: (_, project) => {
      const path = join(project, kept);
      const { atime, mtime } = statSync(path);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('okapi', 'tapir'));
      utimesSync(path, atime, mtime);
    },
  },
  {
    name: 'times before 1970 and after 2100',
    make: (_, project) => {
      for (const [name, seconds] of [
        ['ancient', -1e9],
        ['distant', 5e9],
      ] as const) {
        writeFileSync(join(project, `${name}.jsonl`), other(`an ${name} file`));
        utimesSync(join(project, `${name}.jsonl`), seconds, seconds);
      }
    },
  },
  {
    name: 'a folder in the place of a transcript',
    make: (_, project) => mkdirSync(join(project, 'folder.jsonl/subagents'), { recursive: true }),
  },
  {
    name: 'a project folder that became a file',
    make: (home) => {
      rmSync(join(home.claudeDir, 'projects/-second'), { recursive: true });
      writeFileSync(join(home.claudeDir, 'projects/-second'), 'no folder any more');
    },
    fix: (home) => rmSync(join(home.claudeDir, 'projects/-second')),
  },
  {
    name: 'a session folder that became a file',
    make: (_, project) => {
      rmSync(join(project, 'kept'), { recursive: true });
      writeFileSync(join(project, 'kept'), 'no folder any more');
    },
  },
  {
    name: 'a link to itself, and a circle of links',
    make: (home, project) => {
      symlinkSync('self.jsonl', join(project, 'self.jsonl'));
      symlinkSync('b', join(home.claudeDir, 'projects/a'));
      symlinkSync('a', join(home.claudeDir, 'projects/b'));
      symlinkSync('..', join(project, 'up'));
    },
  },
  {
    name: 'names with newlines, quotes and dollars',
    make: (_, project) => {
      for (const name of [
        'new\nline',
        `it's "quoted" $(id)`,
        '\x1b[31mred',
        '-rf',
        ' ',
        '\\',
        '%s%n',
        'ａ/'.slice(0, 1),
      ])
        writeFileSync(join(project, `${name}.jsonl`), other(`in a file called ${JSON.stringify(name)}`));
    },
  },
  {
    name: 'names of 255 bytes',
    make: (home, project) => {
      writeFileSync(join(project, `${'x'.repeat(249)}.jsonl`), other('a long name'));
      writeFileSync(join(project, `${'数'.repeat(83)}.jsonl`), other('a long wide name'));
      home.write(`projects/${'-x'.repeat(127)}/${'y'.repeat(249)}.jsonl`, other('long all the way'));
    },
  },
  {
    name: 'a name that is not UTF-8',
    make: (_, project) => {
      const name = Buffer.concat([
        Buffer.from(`${project}/bad-`),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('.jsonl'),
      ]);
      writeFileSync(name, other('nobody can name me'));
    },
    says: /^recall: .*bad-.*: no such file or directory$/,
    fix: (_, project) =>
      rmSync(
        Buffer.concat([Buffer.from(`${project}/bad-`), Buffer.from([0xff, 0xfe]), Buffer.from('.jsonl')]),
      ),
  },
  {
    name: 'empty, and nothing but newlines',
    make: (_, project) => {
      writeFileSync(join(project, 'empty.jsonl'), '');
      writeFileSync(join(project, 'newlines.jsonl'), '\n'.repeat(1000));
    },
  },
];

const ways = [['index'], ['index', '--rebuild'], ['search', 'okapi']];

/** Each oddity by itself, found by an update and by a rebuild, never twice the same complaint. */
export async function oddFiles({ tally, count }: Trials): Promise<void> {
  for (const { name, make, says, fix } of oddities) {
    for (const args of ways.slice(0, count)) {
      await tally.attempt('files: odd names, times and kinds', `${name}, ${args.join(' ')}`, async () => {
        const home = new TempHome();
        try {
          const project = dirname(
            home.write(`projects/-home-u-shop/${kept}`, [userLine('the okapi of before')]),
          );
          home.write('projects/-home-u-shop/kept/subagents/agent-1.jsonl', [userLine('an agent')]);
          home.write('projects/-second/second.jsonl', [userLine('the second okapi')]);
          await indexHome(home);
          make(home, project);
          const result = runRecall(home, [...args, '--quiet']);
          expectPlain(result);
          const complaints = result.stderr.split('\n').filter(Boolean);
          for (const line of complaints) assert.match(line, says ?? /^$/);
          assert.equal(complaints.length, says === undefined || args[0] === 'search' ? 0 : 1);
          assert.equal(result.code, complaints.length === 0 ? 0 : 2);
          fix?.(home, project);
          await indexHome(home);
          const here = await contentOf(home);
          if (name.includes('became a file')) return;
          assert.deepEqual(here, await undisturbed(home));
        } finally {
          home.remove();
        }
      });
    }
  }
  await tally.attempt('files: odd names, times and kinds', 'a clock that goes back', async () => {
    const home = new TempHome();
    try {
      const path = home.writeSession('aaaaaaaa', [userLine('first')]);
      for (let day = 10; day > 0; day--) {
        home.append(path, [userLine(`day ${day}`)]);
        await indexHome(home, { nowMs: Date.UTC(2026, 0, day), trustFolders: true });
      }
      await expectContent(home, await undisturbed(home));
    } finally {
      home.remove();
    }
  });
}

/** EIO at each of the first reads of one file, and a refusal to open it: the others are there, and later this one too. */
export async function failingReads({ tally, seed, count }: Trials): Promise<void> {
  const check = 'files: reading fails (EIO)';
  if (!hasStrace) {
    tally.skip(check, withoutStrace);
    return;
  }
  const random = new Random(seed, 22);
  const home = new TempHome();
  try {
    const path = home.write('projects/-home-u-shop/bad.jsonl', someLines(random, 4000, 'bad'));
    home.write('projects/-home-u-shop/good.jsonl', [userLine('the okapi is well')]);
    home.write('projects/-home-u-shop/good/subagents/agent-1.jsonl', [userLine('an okapi agent')]);
    const expected = await undisturbed(home);
    const faults = ['openat:error=EIO:when=1', 'openat:error=EMFILE:when=1', 'openat:error=ENFILE:when=1'];
    for (let n = 1; n <= Math.min(6, Math.ceil(count / 2)); n++)
      faults.push(`read,pread64:error=EIO:when=${n}`);
    for (const fault of faults) {
      await tally.attempt(check, fault, async () => {
        rmSync(dirname(home.indexPath), { recursive: true, force: true });
        const { code, stderr, stdout } = runRecall(home, ['index', '--quiet'], {
          via: injecting(fault, path),
        });
        expectPlain({ code, stdout, stderr });
        // Past the last read of the file nothing fails.
        if (code !== 0) assert.match(stderr, new RegExp(`^recall: ${path}: [a-z/ -]+\\n$`));
        const search = runRecall(home, ['search', '--no-refresh', '--json', 'okapi']);
        assert.equal(JSON.parse(search.stdout).hits[0]?.id, 'good');
        runQuietly(home, ['index']);
        await expectContent(home, expected);
      });
    }
  } finally {
    home.remove();
  }
}
