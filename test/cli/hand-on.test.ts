// A session goes from one home into another: what is exported, what is taken out, and what can be done with it there.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assistantLine, at, TempHome, toolUse, userLine } from '../support/home.ts';
import { hasTerminals, runAtTerminal, runRecall } from '../support/program.ts';

const id = '5c0de5ca-1e00-4000-8000-00000000b0a7';
const secret = `ghp_${'k3Y9'.repeat(9)}`;

let maya: TempHome;
let bob: TempHome;
beforeEach(() => {
  [maya, bob] = [new TempHome(), new TempHome()];
  const cwd = join(maya.path, 'shop');
  const about = { sessionId: id, cwd };
  const slug = cwd.replaceAll(/[^A-Za-z0-9]/g, '-');
  maya.writeSession(
    id,
    [
      userLine('where does the walrus sleep?', { ...about, uuid: 'p1', timestamp: at(1) }),
      assistantLine(
        [{ type: 'text', text: 'on ice' }, toolUse('Agent', { description: 'look' }, 'toolu_1')],
        {
          ...about,
          timestamp: at(2),
        },
      ),
      userLine([{ type: 'tool_result', tool_use_id: 'toolu_1', content: `see ${cwd}/env` }], {
        ...about,
        timestamp: at(3),
        toolUseResult: { agentId: 'a1' },
      }),
      userLine(`the token is ${secret}`, { ...about, timestamp: at(4) }),
      assistantLine('thanks', { ...about, cwd: `${cwd}/sub`, timestamp: at(5) }),
    ],
    slug,
  );
  maya.write(`projects/${slug}/${id}/subagents/agent-a1.jsonl`, [
    userLine('a narwhal', { ...about, agentId: 'a1', isSidechain: true }),
  ]);
  maya.write(`projects/${slug}/${id}/tool-results/toolu_1.txt`, `found in ${cwd}\nAPI_KEY=${secret}\n`);
  ok(maya, 'index');
});
afterEach(() => {
  for (const home of [maya, bob]) home.remove();
});

const run = (home: TempHome, ...args: string[]) =>
  runRecall(home, args, { cwd: home.path, env: { USER: home === maya ? 'maya' : 'bob' } });
function ok(home: TempHome, ...args: string[]) {
  const done = run(home, ...args);
  expect(done.code, done.stderr).toBe(0);
  return done;
}
const json = (home: TempHome, ...args: string[]) => JSON.parse(ok(home, ...args, '--json').stdout);
const bundle = () => join(maya.path, 'x.tar');
function handOn(...flags: string[]) {
  const exported = json(maya, 'export', id, '-o', bundle(), ...flags);
  return { exported, imported: json(bob, 'import', bundle()) };
}
const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('is found, read and continued there, with what belongs to it; only the directories of its lines are changed', () => {
  const { exported, imported } = handOn();
  expect(exported).toMatchObject({
    id,
    by: 'maya',
    takenOut: { kinds: { 'github-token': 1, 'api-key': 1 } },
  });
  expect(exported.files).toHaveLength(3);
  expect(imported).toMatchObject({ state: 'imported', id, by: 'maya', isRedacted: true, labels: 0 });
  const [hit] = json(bob, 'search', 'walrus').hits;
  expect(hit).toMatchObject({
    id,
    machine: 'imported',
    owner: 'maya',
    imported: { by: 'maya' },
    project: '~/shop',
  });
  expect(ok(bob, 'list').stdout).toContain('imported from maya');
  expect(json(bob, 'search', 'narwhal', '--machine', 'imported', '--owner', 'maya').total).toBe(1);
  expect(ok(bob, 'show', id).stdout).toContain('the token is [redacted github-token]');
  expect(run(bob, 'open', id).stderr).toContain('was handed on by maya');
  mkdirSync(join(bob.path, 'code'));
  const opened = json(bob, 'open', id, '--restore', '--into', 'code');
  expect(opened).toMatchObject({ cwd: join(bob.path, 'code'), argv: ['claude', '-r', id] });
  const [path = ''] = filesBelow(join(bob.claudeDir, 'projects')).filter((file) =>
    file.endsWith(`${id}.jsonl`),
  );
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ cwd }) => cwd)).toEqual([
    ...Array(4).fill(join(bob.path, 'code')),
    join(bob.path, 'code/sub'),
  ]);
  expect(lines[2].message.content[0].content).toBe('see ~/shop/env');
  expect(readFileSync(join(path.slice(0, -'.jsonl'.length), 'tool-results/toolu_1.txt'), 'utf8').trim()).toBe(
    'found in ~/shop\nAPI_KEY=[redacted api-key]',
  );
  // Again: it is there, and is not made a branch of itself.
  expect(json(bob, 'open', id, '--restore', '--into', 'code').id).toBe(id);
  expect(json(bob, 'list').total).toBe(1);
});

test('without --into it goes on in the same place below the home directory', () => {
  handOn();
  expect(run(bob, 'open', id, '--restore').stderr).toContain('its directory ~/shop is not on this machine');
  mkdirSync(join(bob.path, 'shop'));
  expect(json(bob, 'open', id, '--restore').cwd).toBe(join(bob.path, 'shop'));
});

test('--dry-run writes nothing and says what would be taken out, with --verbose each place', () => {
  const { stdout } = ok(maya, 'export', id, '--dry-run', '--verbose');
  expect(stdout).toContain('3 files; 2 secrets taken out:\n  1 × api-key\n  1 × github-token\n');
  expect(stdout).toMatch(/-shop\/5c0de5ca-1e00-4000-8000-00000000b0a7\.jsonl:4: github-token\n/);
  expect(stdout).toContain('your home directory is written as ~ in');
  expect(filesBelow(maya.path).filter((file) => file.endsWith('.tar'))).toEqual([]);
});

test('the file is readable with ordinary tools, private, and never written over another', () => {
  const { stdout } = ok(maya, 'export', id);
  expect(stdout).toBe('recall-5c0de5ca.tar\n');
  const path = join(maya.path, 'recall-5c0de5ca.tar');
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(run(maya, 'export', id)).toMatchObject({ code: 2 });
  expect(spawnSync('tar', ['-xf', path, '-C', bob.path]).status).toBe(0);
  const folder = join(bob.path, 'recall-session');
  expect(spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder }).status).toBe(0);
  const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
  const parts = readdirSync(folder).filter((name) => name.endsWith('.br'));
  const all = parts.map((name) => brotliDecompressSync(readFileSync(join(folder, name))).toString());
  expect(all.join('')).toContain('where does the walrus sleep?');
  for (const text of [manifest, ...all]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(maya.path);
    expect(text).not.toContain(maya.path.replaceAll(/[^A-Za-z0-9]/g, '-'));
  }
});

test('secrets stay only where that is typed and confirmed', () => {
  const refused = run(maya, 'export', id, '-o', bundle(), '--no-redact');
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('export would write secrets as they are');
  expect(existsSync(bundle())).toBe(false);
  if (hasTerminals)
    expect(runAtTerminal(maya, ['export', id, '--no-redact'], 'n\n').stdout).toContain('nothing was written');
  const { imported } = handOn('--no-redact', '--yes');
  expect(imported.isRedacted).toBe(false);
  expect(ok(bob, 'show', id).stdout).toContain(secret);
  ok(bob, 'index', '--redact');
  for (const file of filesBelow(join(bob.path, 'recall', 'archive')))
    if (file.endsWith('.br'))
      expect(brotliDecompressSync(readFileSync(file)).toString()).not.toContain(secret);
});

test('where secrets are kept out, they are kept out of what comes in', () => {
  ok(bob, 'index', '--redact');
  handOn('--no-redact', '--yes');
  expect(ok(bob, 'show', id).stdout).not.toContain(secret);
  for (const file of filesBelow(bob.path))
    expect(file.endsWith('.br') && brotliDecompressSync(readFileSync(file)).includes(secret)).toBe(false);
});

test('a range holds its messages and what they name, and nothing of the others', () => {
  const { exported } = handOn('--range', '3-4');
  expect(exported.files).toHaveLength(1);
  const { messages, title } = json(bob, 'show', id);
  expect(messages.map(({ text }: { text: string }) => text)).toEqual([
    'the token is [redacted github-token]',
    'thanks',
  ]);
  expect(title).not.toContain('walrus');
  for (const word of ['walrus', 'narwhal', 'ice'])
    for (const file of filesBelow(bob.path).filter((path) => path.endsWith('.br') || path.endsWith('.json')))
      expect(
        `${file.endsWith('.br') ? brotliDecompressSync(readFileSync(file)) : readFileSync(file)}`,
      ).not.toContain(word);
  expect(json(maya, 'export', id, '--range', '1-2', '--dry-run').files).toHaveLength(3);
  expect(run(maya, 'export', id, '--range', '9-9').stderr).toContain('has only 4 messages');
});

test('notes go with it only on request', () => {
  ok(maya, 'label', id, '--name', 'the walrus case', '--tag', 'sea', '--note', `ask ${secret}`);
  ok(maya, 'label', `${id}:1`, '--note', 'in the beginning');
  const { imported } = handOn('--with-notes');
  expect(imported.labels).toBe(4);
  expect(json(bob, 'label', id)).toMatchObject({
    title: 'the walrus case',
    labels: {
      tags: ['sea'],
      notes: [{ text: 'ask [redacted github-token]' }, { position: 1, text: 'in the beginning' }],
    },
  });
  ok(maya, 'forget', id, '--yes');
});

test('survives a rebuild and the loss of the index; forget removes it, and it does not come back', () => {
  handOn();
  ok(bob, 'index', '--rebuild');
  expect(json(bob, 'search', 'walrus').hits[0]).toMatchObject({ id, owner: 'maya' });
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${bob.indexPath}${suffix}`, { force: true });
  ok(bob, 'index');
  expect(json(bob, 'search', 'walrus').hits[0]).toMatchObject({ id, machine: 'imported', owner: 'maya' });
  ok(bob, 'forget', id, '--yes');
  for (const file of filesBelow(join(bob.path, 'recall'))) {
    expect(file).not.toContain(id);
    expect(readFileSync(file, 'latin1')).not.toContain('walrus');
  }
  const again = run(bob, 'import', bundle());
  expect(again).toMatchObject({ code: 1 });
  expect(again.stderr).toContain('was forgotten here');
});

test('a deleted transcript is handed on from the archive, and one that was imported is handed on again', () => {
  ok(maya, 'archive', 'on');
  ok(maya, 'index');
  rmSync(join(maya.claudeDir, 'projects'), { recursive: true });
  ok(maya, 'index');
  expect(handOn().exported.files).toHaveLength(3);
  const carl = new TempHome();
  try {
    ok(bob, 'export', id, '-o', join(carl.path, 'y.tar'));
    expect(json(carl, 'import', join(carl.path, 'y.tar'))).toMatchObject({ state: 'imported', by: 'bob' });
    expect(ok(carl, 'show', id).stdout).toContain('on ice');
  } finally {
    carl.remove();
  }
});

test('leaving a hub does not take away what was handed on', () => {
  handOn();
  ok(bob, 'hub', 'join', join(bob.path, 'hub'), '--yes');
  ok(bob, 'index');
  expect(filesBelow(join(bob.path, 'hub')).filter((file) => file.includes('sessions'))).toEqual([]);
  ok(bob, 'hub', 'leave', '--delete', '--yes');
  expect(json(bob, 'search', 'walrus').total).toBe(1);
});
