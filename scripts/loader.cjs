#!/usr/bin/env node
// The entry of the shipped program. Its modules stand in a few scripts as functions by their names: in recall.pack those that a
// search loads, in the others, which are many times as large, all others, read when one of them is asked for.
// V8 keeps what it compiled of a script in a file, one for each command, and takes it from there the next time: compiling
// was a third of the time of a search. What one run did not call is not in it, so the first few add to it. A file that is
// missing, cut off or of another version costs that time and nothing else; its bytes are not checked one by one.

'use strict';

const {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { basename, join } = require('node:path');
const { Script } = require('node:vm');

/** Of each script, what tells it from any other; written by the build. */
const packIds = {};
/** Every word that is a command; written by the build. */
const commandNames = [];
const entry =
  module.parent === null || module.parent === undefined ? 'main.cjs' : basename(module.parent.filename);
/** A second search finds what the first did not, and code that is compiled every time is an eighth of a long one. */
const runsToLearn = 3;
const modules = openPack('recall.pack');
const { elsewhere } = modules;
const opened = new Map([[undefined, modules]]);
const loaded = new Map();

function load(name) {
  const key = name.startsWith('./') ? name.slice(2) : name;
  let exports = loaded.get(key);
  if (exports === undefined) {
    exports = name.startsWith('./') || name === entry ? run(key) : require(name);
    loaded.set(key, exports);
  }
  return exports;
}

/** Modules never wait for each other in a circle. */
function run(key) {
  const pack = elsewhere[key];
  if (!opened.has(pack)) opened.set(pack, openPack(pack));
  return opened.get(pack)[key](load, __filename) ?? {};
}

load(entry);

/** The modules of a script, with what was compiled of it before. */
function openPack(name) {
  const path = join(__dirname, name);
  // Nothing but ASCII, as it is built.
  const source = readFileSync(path, 'latin1');
  const cachePath = entry === 'main.cjs' ? toCachePath(packIds[name]) : null;
  const kept = cachePath === null ? undefined : readCache(cachePath);
  // The last byte is the number of runs that it comes from.
  const script = new Script(source, { filename: path, cachedData: kept?.subarray(0, -1) });
  const runs = kept === undefined || script.cachedDataRejected ? 0 : kept[kept.length - 1];
  if (cachePath !== null && runs < runsToLearn) {
    process.on('exit', () =>
      writeCache(cachePath, Buffer.concat([script.createCachedData(), Buffer.from([runs + 1])])),
    );
  }
  return script.runInThisContext();
}

/** Beside other programs' caches, in a folder of its own; null when there is no telling where. */
function toCachePath(packId) {
  const { env, platform } = process;
  const home = env.HOME || env.USERPROFILE;
  if (!home) return null;
  const folders = { darwin: join(home, 'Library', 'Caches'), win32: env.LOCALAPPDATA };
  const xdg = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : undefined;
  const folder = join(xdg ?? folders[platform] ?? join(home, '.cache'), 'recall');
  return join(folder, `${toCacheName(process.argv[2])}.${packId}.code`);
}

/** A word that is not a command is searched for, and what people search for must not become a file name. */
function toCacheName(asked) {
  if (asked === undefined || asked === '--print') return 'screen';
  if (asked.startsWith('-')) return 'other';
  return commandNames.includes(asked) ? asked : 'search';
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

/** What somebody else could have written is not run; it is made again, with narrower rights. */
function isPrivate(path) {
  if (process.getuid === undefined) return true;
  const { mode, uid } = statSync(path);
  return (mode & 0o077) === 0 && uid === process.getuid();
}

/** What the command left when the code was another, and what older versions named after words of a search. */
function removeOlder(path, folder) {
  const command = basename(path).split('.')[0];
  const known = [...commandNames, 'screen', 'other'];
  const ids = Object.values(packIds);
  for (const name of readdirSync(folder)) {
    const [, of, id] = /^([a-z_]+)\.([0-9a-f]{16})\.code/.exec(name) ?? [];
    const isOlder = of === command ? !ids.includes(id) : of !== undefined && !known.includes(of);
    if (isOlder) rmSync(join(folder, name), { force: true });
  }
}

/** Under another name first: half a file must never be read. */
function writeCache(path, data) {
  try {
    const folder = join(path, '..');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    const written = `${path}.${process.pid}`;
    writeFileSync(written, data, { mode: 0o600 });
    renameSync(written, path);
    removeOlder(path, folder);
  } catch {
    // A home that cannot be written to is slower to search, no more.
  }
}
