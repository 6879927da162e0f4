// Transcripts bent in every way: cut, spliced, flipped, nested, with wrong types and foreign bytes. Reading them never fails
// or hangs, keeps within its memory, and finds every good line.

import assert from 'node:assert/strict';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Random } from '../bench/home/random.ts';
import { TempHome, toJsonl, userLine } from '../test/support/home.ts';
import { rowsOf } from '../test/support/index-home.ts';
import { someLines } from '../test/support/made-home.ts';
import { finish, startRecall } from '../test/support/program.ts';
import { bendBytes, bendLine } from './bend.ts';
import type { Trials } from './tally.ts';
import { expectPlain, expectSound } from './whole.ts';

const filesAtATime = 60;
const maxPeakMb = 250;
const maxSeconds = 120;

export async function tortureLines(trials: Trials): Promise<void> {
  await bentTranscripts(trials);
  await hugeTranscripts(trials);
}

/** Every transcript begins, ends and is mixed with good lines that must be found whatever is between them. */
export async function bentTranscripts({ tally, seed, count, data }: Trials): Promise<void> {
  const check = 'lines: bent transcripts';
  const random = new Random(seed, 61);
  const real = data.flatMap(listTranscripts);
  let peakMb = 0;
  let bentLines = 0;
  for (let done = 0; done < count; done += filesAtATime) {
    const home = new TempHome();
    try {
      await tally.attempt(check, `seed ${seed}, files ${done} to ${done + filesAtATime}`, async () => {
        const good = new Map<string, number>();
        const files = Math.min(filesAtATime, count - done);
        for (let n = 0; n < files; n++) {
          const { bytes, marks, lines } = makeTranscript(random, `bent-${done + n}`, real);
          bentLines += lines;
          const path = home.write(`projects/-home-u-bent/bent-${done + n}.jsonl`, '');
          const fd = openSync(path, 'w');
          writeSync(fd, bytes);
          closeSync(fd);
          good.set(`bent-${done + n}`, marks);
        }
        peakMb = Math.max(peakMb, await indexWatched(home));
        const rows = await rowsOf<{ id: string; n: number }>(
          home,
          `select native_id as id, count(*) as n from message join session on session.id = session_id
          where text glob 'good line [0-9]*' and message.kind = 'prompt' group by native_id`,
        );
        const found = new Map(rows.map(({ id, n }) => [id, n]));
        for (const [id, marks] of good) assert.equal(found.get(id) ?? 0, marks, `good lines of ${id}`);
        await expectSound(home);
        tally.count(check, files - 1);
      });
    } finally {
      home.remove();
    }
  }
  tally.note(check, `${bentLines.toLocaleString('en')} bent lines, most memory ${peakMb.toFixed(0)} MB`);
}

function makeTranscript(random: Random, id: string, real: readonly string[]) {
  const isReal = real.length > 0 && random.chance(0.7);
  const source = isReal
    ? readFileSync(random.pick(real), 'latin1').slice(0, 400_000).split('\n')
    : toJsonl(someLines(random, 40, id)).split('\n');
  const lines = source.filter(Boolean).map((line) => Buffer.from(line, isReal ? 'latin1' : 'utf8'));
  const parts: Buffer[] = [];
  let marks = 0;
  let bent = 0;
  const mark = () => parts.push(Buffer.from(toJsonl([userLine(`good line ${marks++}`, { sessionId: id })])));
  for (const line of lines.slice(0, 200)) {
    if (random.chance(0.2)) mark();
    if (random.chance(0.3)) {
      parts.push(line, Buffer.from('\n'));
      continue;
    }
    bent++;
    parts.push(
      bendLine(random, line, random.pick(lines)),
      // An end of its own, so that the next line is not part of this one.
      Buffer.from(random.chance(0.1) ? '\r\n' : '\n'),
    );
  }
  mark();
  // Some real transcripts are empty.
  if (lines.length > 0 && random.chance(0.3)) parts.push(bendBytes(random, random.pick(lines)));
  return { bytes: Buffer.concat(parts), marks, lines: bent };
}

function listTranscripts(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name));
}

interface Huge {
  readonly name: string;
  /** `share` is how much of it, in a short run. */
  readonly write: (fd: number, share: number) => void;
}

const mb = 1024 * 1024;

const huge: readonly Huge[] = [
  {
    name: 'lines of 64 MB',
    write: (fd) => {
      for (const [head, fill, tail] of [
        ['{"type":"user","message":{"role":"user","content":"', 'x', '"}}\n'],
        ['', '[', '\n'],
        ['{"type":"user","message":{"role":"user","content":[', '{"a":"b\\n"},', '0]}}\n'],
        ['{"a":', '9', '}\n'],
        ['', '\0', '\n'],
      ] as const) {
        writeSync(fd, head);
        const block = fill.repeat(Math.floor(mb / fill.length));
        for (let i = 0; i < 64; i++) writeSync(fd, block);
        writeSync(fd, tail);
      }
    },
  },
  {
    name: 'lines of just under 16 MB',
    write: (fd) => {
      for (let i = 0; i < 3; i++) {
        writeSync(fd, '{"type":"assistant","message":{"role":"assistant","content":[');
        const block = '{"type":"text","text":"a b c d e f g h"},';
        writeSync(fd, block.repeat(Math.floor((15.9 * mb) / block.length)));
        writeSync(fd, '{"type":"text","text":"end"}]}}\n');
      }
    },
  },
  {
    name: 'a hundred thousand levels deep',
    write: (fd) => {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
        ['{"type":"user","message":', '}'],
      ] as const)
        writeSync(fd, `${open.repeat(100_000)}1${close.repeat(100_000)}\n`);
    },
  },
  {
    name: '65,536 tiny messages',
    write: (fd) => {
      const line = '{"type":"user","message":{"role":"user","content":"a"}}\n';
      writeSync(fd, line.repeat(65_536));
    },
  },
  {
    name: 'a million lines of one byte',
    write: (fd, share) => {
      for (const byte of ['{', '1', '"', '\0', ' ']) writeSync(fd, `${byte}\n`.repeat(200_000 * share));
    },
  },
];

/** Each between two good lines. */
export async function hugeTranscripts({ tally, count }: Trials): Promise<void> {
  const check = 'lines: huge';
  const home = new TempHome();
  let mostMb = 0;
  try {
    const isShort = count < 100;
    for (const { name, write } of huge.slice(isShort ? -1 : 0)) {
      await tally.attempt(check, name, async () => {
        const path = home.write('projects/-home-u-huge/huge.jsonl', [userLine('good line 0')]);
        const fd = openSync(path, 'a');
        write(fd, isShort ? 0.1 : 1);
        writeSync(fd, toJsonl([userLine('good line 1')]));
        closeSync(fd);
        mostMb = Math.max(mostMb, await indexWatched(home));
        const rows = await rowsOf(home, "select text from message where text glob 'good line *'");
        assert.equal(rows.length, 2);
        await expectSound(home);
        rmSync(dirname(home.indexPath), { recursive: true });
      });
    }
    tally.note(check, `most memory ${mostMb.toFixed(0)} MB`);
  } finally {
    home.remove();
  }
}

/** The most memory held, in megabytes; a run that goes on for too long is ended and is a finding. */
async function indexWatched(home: TempHome): Promise<number> {
  const child = startRecall(home, ['index', '--quiet']);
  const result = finish(child);
  let peakKb = 0;
  const poll = setInterval(() => {
    peakKb = Math.max(peakKb, readPeakKb(child.pid));
  }, 10);
  const timer = setTimeout(() => child.kill('SIGKILL'), maxSeconds * 1000);
  const { code, stdout, stderr } = await result;
  clearInterval(poll);
  clearTimeout(timer);
  expectPlain({ code, stdout, stderr });
  assert.equal(code, 0, child.signalCode === null ? stderr : `still running after ${maxSeconds} s`);
  assert.ok(peakKb / 1024 <= maxPeakMb, `held ${(peakKb / 1024).toFixed(0)} MB`);
  return peakKb / 1024;
}

function readPeakKb(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
