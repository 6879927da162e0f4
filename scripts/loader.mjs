#!/usr/bin/env node
// The entry of the shipped program: runs program.cjs, or of it what a thread is for. V8 keeps what it compiled of each script in a
// file for each command, and takes it from there the next time: compiling takes longer than a search. What one run did not
// call is not in it, so the first few runs add to it. A file that is missing, cut off or of another version costs that time
// and nothing else; its bytes are not checked one by one.

import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { Script } from 'node:vm';
import { firstWords } from '../src/command-line/argv.ts';

/** Of each script, by its path, what tells it from any other; set by the build. */
const scriptIds = SCRIPT_IDS;
/** What each script that has been run exports. */
const loaded = new Map();
/** A second search finds what the first did not, and code that is compiled every time is an eighth of a long one. */
const runsToLearn = 3;
/** Parts of Node that take long to load (node:crypto 4 ms) and that most runs never use. */
const rarelyUsed = /^node:(?:child_process|crypto|fs\/promises|v8|worker_threads|zlib)$/;

const thread = module.parent ? basename(module.parent.filename, '.cjs') : null;
run('./program.cjs')[thread ?? 'cli']();

/** The `require` of the scripts. */
function load(name) {
  if (rarelyUsed.test(name)) return Object.create(new Proxy({}, { get: (_, key) => require(name)[key] }));
  if (!(name in scriptIds)) return require(name);
  if (!loaded.has(name)) loaded.set(name, run(name));
  return loaded.get(name);
}

/** Runs a script, with what was compiled of it before. */
function run(name) {
  const path = join(__dirname, name);
  const cachePath = thread === null ? findCachePath(scriptIds[name]) : null;
  const cached = cachePath === null ? undefined : readCache(cachePath);
  // The script is ASCII. The last byte of the cache is the number of runs that it comes from.
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    cachedData: cached?.subarray(0, -1),
  });
  const runs = cached === undefined || script.cachedDataRejected ? 0 : cached[cached.length - 1];
  if (cachePath !== null && runs < runsToLearn)
    process.on('exit', () => writeCache(cachePath, script.createCachedData(), runs + 1));
  const module = { exports: {} };
  script.runInThisContext()(module.exports, load, module, __filename);
  return module.exports;
}

/** Beside other programs' caches, in a folder of its own; null when there is no telling where. */
function findCachePath(scriptId) {
  const { env, platform } = process;
  const home = env.HOME || env.USERPROFILE;
  if (!home) return null;
  const folders = { darwin: join(home, 'Library', 'Caches'), win32: env.LOCALAPPDATA };
  const xdg = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : undefined;
  const folder = join(xdg ?? folders[platform] ?? join(home, '.cache'), 'recall');
  return join(folder, `${nameCommand(process.argv[2])}.${scriptId}.code`);
}

/** A word that is not a command is searched for, and what people search for must not become a file name. */
function nameCommand(word) {
  if (word === undefined || word === '--print') return 'screen';
  if (word.startsWith('-')) return 'other';
  return firstWords.includes(word) ? word : 'search';
}

/** Undefined when there is none. V8 refuses what another version of it has left; of the code it compares only the length, so the name says which code it is. */
function readCache(path) {
  try {
    const folder = join(path, '..');
    if (!isPrivate(folder))
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
    return isPrivate(folder) && isPrivate(path) ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** What somebody else could have written is not run; it is made again, with narrower permissions. */
function isPrivate(path) {
  if (process.getuid === undefined) return true;
  const { mode, uid } = statSync(path);
  return (mode & 0o077) === 0 && uid === process.getuid();
}

/** Under another name first: half a file must never be read. What older scripts left is removed. */
function writeCache(path, data, runs) {
  try {
    const folder = join(path, '..');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    const written = `${path}.${process.pid}`;
    writeFileSync(written, Buffer.concat([data, Buffer.from([runs])]), { mode: 0o600 });
    renameSync(written, path);
    for (const name of readdirSync(folder)) {
      const id = /^[a-z_]+\.([0-9a-f]{16})\.code/.exec(name)?.[1];
      if (id !== undefined && !Object.values(scriptIds).includes(id))
        rmSync(join(folder, name), { force: true });
    }
  } catch {
    // A home that cannot be written to makes recall slower, no more.
  }
}
