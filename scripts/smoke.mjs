// Installs what npm would publish into empty folders, as users do, and tries it there with several versions of Node, with and
// without better-sqlite3: npm run smoke [-- 22 24]. Node comes from the npm package of that name, so it needs the
// registry and nothing else.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installDemoHome } from './install-demo-home.mjs';

/** A network that mirrors npm and nothing else, and no compiler. */
const nothingToBuildWith = {
  npm_config_better_sqlite3_binary_host: 'http://127.0.0.1:9',
  CC: 'false',
  CXX: 'false',
};

/** `engine` is what must be found; null where better-sqlite3 is used if it could be built. */
const cases = [
  { node: '20', how: 'npm install', install: [], engine: 'better-sqlite3' },
  { node: '22', how: 'no optional packages', install: ['--omit=optional'], engine: 'node:sqlite' },
  { node: '24', how: 'no install scripts', install: ['--ignore-scripts'], engine: 'node:sqlite' },
  { node: '24', how: 'a build that fails', install: [], without: nothingToBuildWith, engine: 'node:sqlite' },
  { node: '22', how: 'npm install', install: [], engine: null },
  { node: '24', how: 'npm install', install: [], engine: 'node:sqlite' },
];

const work = mkdtempSync(join(tmpdir(), 'recall-smoke-'));
const nodes = new Map();
const homes = [];
/** What the first case printed: no other may print anything else. */
let expected;
try {
  const tarball = pack();
  const asked = process.argv.slice(2);
  for (const each of cases) if (asked.length === 0 || asked.includes(each.node)) await smoke(tarball, each);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function pack() {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', work], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return join(work, readdirSync(work).find((name) => name.endsWith('.tgz')) ?? '');
}

async function smoke(tarball, { node, install, how, without = {}, engine }) {
  const startedMs = Date.now();
  const { bin, headers, version } = getNode(node);
  const folder = makeProject('installed');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, npm_config_nodedir: headers, ...without };
  npmInstall(folder, [...install, tarball], env);
  // What `claude plugin marketplace add` is given.
  assert.ok(
    existsSync(join(folder, 'node_modules', 'recall-sessions', '.claude-plugin', 'marketplace.json')),
  );
  assert.ok(existsSync(join(folder, 'node_modules', 'recall-sessions', 'plugin', '.mcp.json')));
  const { name, sqliteVersion } = await tryProgram(join(folder, 'node_modules', '.bin', 'recall'), bin);
  if (engine !== null) assert.equal(name, engine);
  const isMissed = engine === null && name !== 'better-sqlite3';
  const found = `${name}, SQLite ${sqliteVersion}${isMissed ? ' (better-sqlite3 could not be built)' : ''}`;
  console.log(`ok  Node ${version}, ${how}: ${found}, ${Math.round((Date.now() - startedMs) / 1000)} s`);
}

/** A folder with `npm install node@22` in it. Its headers let node-gyp build without downloading them. */
function getNode(major) {
  const known = nodes.get(major);
  if (known !== undefined) return known;
  const folder = makeProject(`node-${major}`);
  npmInstall(folder, [`node@${major}`], process.env);
  const bin = join(folder, 'node_modules', 'node', 'bin');
  const version = execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim().slice(1);
  const inside = join('node_modules', `node-${process.platform}-${process.arch}`);
  const headers = [join(folder, 'node_modules', 'node', inside), join(folder, inside)].find((path) =>
    existsSync(join(path, 'include', 'node')),
  );
  const found = { bin, version, headers: headers ?? '' };
  nodes.set(major, found);
  return found;
}

function makeProject(name) {
  const folder = mkdtempSync(join(work, `${name}-`));
  writeFileSync(join(folder, 'package.json'), '{}');
  return folder;
}

function npmInstall(folder, args, env) {
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--no-package-lock', ...args],
    { cwd: folder, env, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`npm install ${args.join(' ')} failed:\n${stderr}`);
}

/** What every user does, in a home of its own and in the one of the case before, whose index another engine may have made. */
async function tryProgram(program, bin) {
  const home = mkdtempSync(join(work, 'home-'));
  installDemoHome(home);
  assert.equal(JSON.parse(run(program, bin, home, 'index', '--json')).files.new, 32);
  homes.push(home);
  for (const each of homes.slice(-2)) {
    const printed = [
      ['search', 'jwt middleware'],
      ['open', '1'],
      ['show', '1', '--match', 'clock skew'],
      ['list', '--limit', '5'],
    ].map((args) => withoutAges(run(program, bin, each, ...args)).replaceAll(each, '~'));
    assert.match(printed[0], /^ 1 JWT auth middleware with refresh token rotation$/m);
    assert.equal(printed[1], "cd '~/shop' && claude -r 66c737db-5f67-4dd0-9273-a03a6dc911d8\n");
    expected ??= printed;
    assert.deepEqual(printed, expected);
  }
  const { index, engine } = JSON.parse(run(program, bin, home, 'doctor', '--json'));
  assert.deepEqual([index.integrity, index.fullText], ['ok', 'ok']);
  assert.ok(run(program, bin, home, '--version', '--verbose').includes(`(${engine.name})`));
  const { serverInfo } = await shakeHands(program, toOptions(bin, home));
  assert.equal(serverInfo.name, 'recall');
  await tryPage(program, toOptions(bin, home));
  return engine;
}

/** A week may begin between two cases. */
function withoutAges(text) {
  return text.replace(/\d+ \w+ ago/g, 'some time ago');
}

function run(program, bin, home, ...args) {
  const { status, stdout, stderr } = spawnSync(program, [...args, '--quiet'], toOptions(bin, home));
  assert.deepEqual({ args, status, stderr }, { args, status: 0, stderr: '' });
  return stdout;
}

function toOptions(bin, home) {
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, TZ: 'UTC' };
  return { cwd: join(home, 'shop'), env, encoding: 'utf8' };
}

/** The page is served with all its files, and its server answers whoever has the code. */
async function tryPage(program, options) {
  const server = spawn(program, ['web', '--no-open'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(server.stdout, 'data');
    const { origin, hash } = new URL(String(line).trim());
    for (const path of ['/', '/page.js', '/page.css', '/icon.svg'])
      assert.equal((await fetch(`${origin}${path}`)).status, 200);
    const exchanged = await fetch(`${origin}/api/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: origin },
      body: JSON.stringify({ code: hash.slice('#code='.length) }),
    });
    const headers = { Authorization: `Bearer ${(await exchanged.json()).token}` };
    const { total } = await (await fetch(`${origin}/api/search?q=jwt+middleware`, { headers })).json();
    assert.equal(total, 3);
  } finally {
    server.kill('SIGINT');
    await once(server, 'exit');
  }
}

/** The first message of an MCP client, and the answer to it. */
async function shakeHands(program, options) {
  const server = spawn(program, ['mcp'], { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'smoke', version: '1' },
  };
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  let answer = '';
  for await (const chunk of server.stdout) {
    answer += chunk;
    if (answer.includes('\n')) server.stdin.end();
  }
  return JSON.parse(answer).result;
}
