// Makes the index in fixtures/indexes that later migrations are tested on: the demo home as it was indexed by the schema of
// today, with sessions that were deleted and one that was forgotten since. The same bytes in every run, as far as SQLite
// allows: node scripts/run-ts.mjs scripts/make-index-fixture.ts
//
// Run it once when a migration has landed, and keep what it made before: an index of every older schema stays as it was.

import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDatabase } from '../src/store/open/database.ts';
import { schemaVersion } from '../src/store/open/versions.ts';

const deleted = [
  // Titled by a summary in another file; Chinese; slash commands and local commands.
  'projects/-home-maya-shop/33ca1fe9-31bb-4e4d-b54b-52e4ec0b4724.jsonl',
  'projects/-home-maya-shop/7c88b795-ae86-40d6-aa62-3d6b2eeeb11b.jsonl',
  'projects/-home-maya-dotfiles/24ce48fb-6295-4a7e-835b-7cafc412d127.jsonl',
  // A subagent whose session is still there, and a session with its subagents.
  'projects/-home-maya-shop/66c737db-5f67-4dd0-9273-a03a6dc911d8/subagents/agent-a4b73d611b63bec2f.jsonl',
  'projects/-home-maya-shop/5b60eaeb-0af3-4a4b-96ad-2d11669e8939.jsonl',
  'projects/-home-maya-shop/5b60eaeb-0af3-4a4b-96ad-2d11669e8939/subagents',
];
const forgotten = '8b56364c';
/** Where the home is said to be: no path of the machine that made the fixture. */
const root = '/home/maya/.claude';

const home = mkdtempSync(join(tmpdir(), 'recall-fixture-'));
const claudeDir = join(home, '.claude');
const indexPath = join(home, 'recall.db');
const target = resolve('fixtures', 'indexes', `${String(schemaVersion).padStart(4, '0')}.db`);
try {
  if (spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' }).status !== 0)
    throw new Error('the program could not be built');
  cpSync('fixtures/demo-home', claudeDir, { recursive: true });
  setTimes();
  recall('index');
  for (const path of deleted) rmSync(join(claudeDir, path), { recursive: true });
  recall('index');
  recall('forget', forgotten, '--yes');
  recall('index');
  makePortable();
  copyFileSync(indexPath, target);
  console.log(`${target}: ${statSync(target).size} bytes`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

function recall(...args: string[]): void {
  const done = spawnSync(process.execPath, ['dist/recall.cjs', ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TZ: 'UTC',
      RECALL_DB: indexPath,
      // forgotten_at is the only time that is not from a file.
      NODE_OPTIONS: `--require ${resolve('scripts/fixed-clock.cjs')}`,
    },
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`recall ${args.join(' ')}: ${done.stderr}`);
}

/** Session ids follow the age of the files. */
function setTimes(): void {
  const files = readdirSync(claudeDir, { recursive: true, encoding: 'utf8' }).sort();
  for (const [i, file] of files.entries()) {
    const seconds = Date.parse('2026-11-01T00:00:00Z') / 1000 + i;
    utimesSync(join(claudeDir, file), seconds, seconds);
  }
}

/** Without what depends on the machine, and with small pages, which halve a file with so little in each table. */
function makePortable(): void {
  const db = openDatabase(indexPath);
  db.prepare('update root set path = ?').run(root);
  for (const table of ['transcript', 'sidecar']) db.exec(`update ${table} set ctime_ms = 0, inode = 0`);
  db.exec('delete from snapshot');
  db.pragma('journal_mode = delete');
  db.pragma('page_size = 512');
  db.exec('vacuum');
  db.close();
}
