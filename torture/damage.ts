// An index file with bits flipped, pages lost, its end cut off, or a log that is not its own: every command says what is
// wrong and what to do, and after a repair whatever can still be read is there, also what exists only in the index.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Random } from '../bench/home/random.ts';
import { type Database, openDatabase } from '../src/store/open/database.ts';
import { noise, pageBytes, putIndex } from '../test/support/damage.ts';
import { assistantLine, TempHome, toolUse, userLine } from '../test/support/home.ts';
import { type Result, runRecall } from '../test/support/program.ts';
import type { Trials } from './tally.ts';
import { expectPlain, expectSound, runQuietly } from './whole.ts';

export async function tortureDamage({ tally, seed, count }: Trials): Promise<void> {
  const random = new Random(seed, 31);
  const home = new TempHome();
  let keptWhole = 0;
  try {
    const whole = makeIndex(home);
    const row = readRow(home.indexPath);
    for (let i = 0; i < count; i++) {
      const { name, ruin } = damages[i % damages.length] as Damage;
      const bytes = Buffer.from(whole);
      const log = `${home.indexPath}-wal`;
      const ruined = ruin(bytes, random);
      await tally.attempt(`damage: ${name}`, `seed ${seed}, trial ${i}`, async () => {
        const put = () => {
          removeLeftovers(home);
          putIndex(home.indexPath, ruined);
          if (name === 'a log that is not its own') writeFileSync(log, noise(50_000));
        };
        const [args = []] = [commands[Math.floor(i / damages.length) % commands.length]];
        put();
        expectTold(runRecall(home, args), home, args);
        put();
        const isIntact = readRow(home.indexPath) === row;
        const readable = isIntact ? readTexts(home.indexPath) : [];
        put();
        await expectRepaired(home);
        const saved = readTexts(home.indexPath);
        if (saved.size === aloneMessages) keptWhole++;
        for (const text of readable) assert.ok(saved.has(text), `lost though it could be read: ${text}`);
      });
    }
    tally.note(
      'damage: one bit',
      `a session that is nowhere else was kept whole in ${keptWhole} of all ${count}`,
    );
  } finally {
    home.remove();
  }
}

const aloneMessages = 121;

/** The row of the session that is only in the index: without it nobody knows whose its messages are. */
function readRow(path: string): string | null {
  let db: Database | null = null;
  try {
    db = openDatabase(path, { readOnly: true });
    return JSON.stringify(
      db.prepare("select * from session not indexed where native_id = 'bbbbbbbb'").raw().get(),
    );
  } catch {
    return null;
  } finally {
    db?.close();
  }
}

/** What plain SQL can read of the session that is only in the index, from either end. */
function readTexts(path: string): Set<string> {
  const texts = new Set<string>();
  let db: Database | null = null;
  try {
    db = openDatabase(path, { readOnly: true });
    const id = db.prepare("select id from session not indexed where native_id = 'bbbbbbbb'").pluck().get();
    if (typeof id !== 'number') return texts;
    for (const direction of ['asc', 'desc']) {
      try {
        const rows = db
          .prepare(`select session_id, text from message order by id ${direction}`)
          .raw()
          .iterate();
        for (const [sessionId, text] of rows as Iterable<[unknown, unknown]>)
          if (sessionId === id && typeof text === 'string') texts.add(text);
      } catch {
        // Up to here.
      }
    }
  } catch {
    // Not even the session.
  } finally {
    db?.close();
  }
  return texts;
}

const commands: readonly (readonly string[])[] = [
  ['search', 'okapi'],
  ['index'],
  ['doctor'],
  ['index', '--rebuild'],
  ['search', '--no-refresh', 'savanna', '--sort', 'recent'],
  ['forget', 'aaaaaaaa', '--yes'],
  ['open', 'aaaaaaaa'],
];

/** On disk: aaaaaaaa. Only in the index: bbbbbbbb. */
function makeIndex(home: TempHome): Buffer {
  const filler = (word: string) =>
    Array.from({ length: 120 }, (_, i) => assistantLine(`${word} ${i} ${'about the build '.repeat(20)}`));
  home.writeSession('aaaaaaaa', [
    userLine('the okapi stays'),
    ...filler('savanna'),
    assistantLine([toolUse('Read', { file_path: 'src/okapi.ts' })]),
  ]);
  home.write('projects/-home-u-shop/aaaaaaaa/subagents/agent-b1.jsonl', [userLine('the okapi agent')]);
  const gone = home.writeSession('bbbbbbbb', [userLine('the pangolin lives on'), ...filler('forest')]);
  runQuietly(home, ['index']);
  rmSync(join(home.claudeDir, gone));
  runQuietly(home, ['index']);
  return readFileSync(home.indexPath);
}

interface Damage {
  readonly name: string;
  readonly ruin: (bytes: Buffer, random: Random) => Buffer;
}

function flip(bytes: Buffer, at: number, random: Random): void {
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
}

const damages: readonly Damage[] = [
  {
    name: 'one bit',
    ruin: (bytes, random) => {
      flip(bytes, random.below(bytes.length), random);
      return bytes;
    },
  },
  {
    name: 'a hundred bits',
    ruin: (bytes, random) => {
      for (let i = 0; i < 100; i++) flip(bytes, random.below(bytes.length), random);
      return bytes;
    },
  },
  {
    name: 'bits of the header and the schema',
    ruin: (bytes, random) => {
      flip(bytes, random.chance(0.5) ? random.below(100) : random.below(pageBytes), random);
      return bytes;
    },
  },
  {
    name: 'heads of pages',
    ruin: (bytes, random) => {
      const page = random.below(Math.floor(bytes.length / pageBytes));
      flip(bytes, page * pageBytes + random.below(12), random);
      return bytes;
    },
  },
  {
    name: 'a page overwritten',
    ruin: (bytes, random) => {
      const page = random.below(Math.floor(bytes.length / pageBytes));
      noise(pageBytes).copy(bytes, page * pageBytes);
      return bytes;
    },
  },
  {
    name: 'a page of zeros',
    ruin: (bytes, random) => {
      const page = random.below(Math.floor(bytes.length / pageBytes));
      return bytes.fill(0, page * pageBytes, (page + 1) * pageBytes);
    },
  },
  { name: 'cut short', ruin: (bytes, random) => bytes.subarray(0, random.below(bytes.length)) },
  { name: 'a log that is not its own', ruin: (bytes) => bytes },
];

function removeLeftovers(home: TempHome): void {
  const folder = dirname(home.indexPath);
  for (const name of readdirSync(folder))
    if (name !== basename(home.indexPath)) rmSync(join(folder, name), { recursive: true });
}

/** It works as if nothing were wrong, or says what is and what to do about it. */
function expectTold(result: Result, home: TempHome, args: readonly string[]): void {
  expectPlain(result);
  if (result.code !== 2) return;
  const text = result.stdout + result.stderr;
  assert.ok(text.includes(home.indexPath), `${args.join(' ')} does not name the index: ${text}`);
  assert.match(text, /\n {2}(try:|→) /);
}

/** Sound again, with what is on disk, and with what was readable of the rest. */
async function expectRepaired(home: TempHome): Promise<void> {
  const repair = runRecall(home, ['doctor', '--repair']);
  expectPlain(repair);
  // A version that a bit has made higher looks like a newer recall's, which is not to be overwritten.
  if (/made by a newer recall|is not an index of recall/.test(repair.stderr)) return;
  const isForgottenLost = repair.stderr.includes('the list of forgotten sessions could not be read');
  assert.equal(repair.code, isForgottenLost ? 2 : 0, repair.stdout + repair.stderr);
  assert.ok(!existsSync(`${home.indexPath}.repair`));
  await expectSound(home);
  runQuietly(home, ['index', '--rebuild']);
  const found = JSON.parse(runRecall(home, ['search', 'okapi', '--json']).stdout).hits;
  assert.equal(found[0]?.id, 'aaaaaaaa');
}
