// Several machines of one person, each a home of its own, with a folder between them that is "synced" by being the same one.

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assistantLine, at, type Line, TempHome, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

const id = '5c0de5ca-1e00-4000-8000-00000000b0a7';
let shared: TempHome;
let laptop: TempHome;
let desktop: TempHome;

beforeEach(() => {
  [shared, laptop, desktop] = [new TempHome(), new TempHome(), new TempHome()];
});
afterEach(() => {
  for (const home of [shared, laptop, desktop]) home.remove();
});

const hub = () => join(shared.path, 'hub');
const nameOf = (home: TempHome) => (home === laptop ? 'laptop' : home === desktop ? 'desktop' : 'third');

function run(home: TempHome, args: readonly string[], env: Record<string, string> = {}, cwd = home.path) {
  return runRecall(home, args, { env: { RECALL_MACHINE: nameOf(home), ...env }, cwd });
}
const ok = (home: TempHome, ...args: string[]) => {
  const done = run(home, args);
  expect(done.stderr).not.toContain('internal error');
  expect(done.code, done.stderr).toBe(0);
  return done.stdout;
};
const json = (home: TempHome, ...args: string[]) => JSON.parse(run(home, [...args, '--json']).stdout);
const keyOf = (home: TempHome) => run(home, ['hub', 'key']).stdout.trim();

function join2(): void {
  ok(laptop, 'hub', 'join', hub(), '--yes');
  const joined = run(desktop, ['hub', 'join', hub(), '--yes'], { RECALL_HUB_KEY: keyOf(laptop) });
  expect(joined.code, joined.stderr).toBe(0);
}

/** A session in a directory, which exists only where it is made. */
function write(home: TempHome, sessionId: string, texts: readonly string[], cwd = '/home/u/shop'): void {
  const lines: Line[] = texts.map((text, i) =>
    (i % 2 === 0 ? userLine : assistantLine)(text, {
      sessionId,
      cwd,
      timestamp: at(i),
      uuid: toUuid(sessionId, text),
    }),
  );
  home.writeSession(sessionId, lines, cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
}
const toUuid = (sessionId: string, text: string) =>
  `00000000-0000-4000-8000-${createHash('sha1')
    .update(sessionId + text)
    .digest('hex')
    .slice(0, 12)}`;
const found = (home: TempHome, words: string) => json(home, 'search', words).hits;
const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

test('what was said on one machine is found on the other, which says where it was', () => {
  write(laptop, id, ['the walrus sleeps', 'on ice']);
  join2();
  const [hit] = found(desktop, 'walrus');
  expect(hit).toMatchObject({ id, machine: 'laptop', owner: null, resumable: false, restorable: 'archive' });
  expect(run(desktop, ['list']).stdout).toContain('laptop');
  expect(run(desktop, ['open', id]).stderr).toContain('was on the machine laptop');
  expect(found(laptop, 'walrus')[0]).toMatchObject({ machine: null });
  expect(found(desktop, 'walrus machine:lap')).toHaveLength(1);
  expect(found(desktop, 'walrus machine:desktop')).toHaveLength(0);
  expect(found(desktop, 'walrus -machine:laptop')).toHaveLength(0);
  expect(json(desktop, 'projects', '--machine', 'laptop').projects[0].sessions).toBe(1);
});

test('`index` sends and receives by itself, and a session that has grown is read on', () => {
  write(laptop, id, ['the walrus sleeps', 'on ice']);
  join2();
  write(laptop, id, ['the walrus sleeps', 'on ice', 'then a narwhal came', 'and left']);
  ok(laptop, 'index');
  ok(desktop, 'index');
  expect(found(desktop, 'narwhal')).toHaveLength(1);
  expect(json(desktop, 'show', id).messages).toHaveLength(4);
  const before = json(desktop, 'hub', 'pull');
  expect(before.pulled).toMatchObject({ sessions: 0, segments: 0 });
  expect(json(laptop, 'hub', 'push').pushed).toMatchObject({ sessions: 0, segments: 0 });
});

test('nothing that can be read leaves the machine', () => {
  write(laptop, id, ['the walrus sleeps', 'on ice'], '/home/u/aardvark');
  ok(laptop, 'hub', 'join', hub(), '--yes');
  const sent = filesBelow(hub());
  // A short name may be in any ciphertext by chance.
  const words = ['walrus', 'aardvark', id, 'claude', hostname()].filter((word) => word.length > 4);
  expect(sent.length).toBeGreaterThan(2);
  for (const path of sent) {
    const all = `${path}\n${readFileSync(path, 'latin1')}`;
    for (const word of words) expect(all).not.toContain(word);
  }
  const config = join(laptop.path, '.config', 'recall');
  for (const name of ['hub.json', 'hub.key']) expect(statSync(join(config, name)).mode & 0o777).toBe(0o600);
});

test('labels are on all machines of a person: the newer wins, and what was forgotten loses them', () => {
  write(laptop, id, ['the walrus sleeps', 'on ice']);
  join2();
  ok(laptop, 'label', id, '--name', 'aardvark', '--tag', 'sea', '--star');
  ok(laptop, 'label', `${id}:2`, '--note', 'really?');
  ok(laptop, 'index');
  for (const path of filesBelow(hub()))
    expect(readFileSync(path, 'latin1')).not.toMatch(/aardvark|really|labels/);
  ok(desktop, 'index');
  expect(json(desktop, 'label', id)).toMatchObject({
    title: 'aardvark',
    labels: { starred: true, tags: ['sea'], notes: [{ position: 2, text: 'really?' }] },
  });
  ok(desktop, 'label', id, '--name', 'narwhal', '--untag', 'sea');
  ok(desktop, 'index');
  ok(laptop, 'index');
  expect(json(laptop, 'label', id)).toMatchObject({ title: 'narwhal', labels: { starred: true, tags: [] } });
  ok(laptop, 'index');
  const sent = filesBelow(hub());
  for (const home of [laptop, desktop, laptop]) ok(home, 'index');
  expect(filesBelow(hub())).toEqual(sent);
  ok(laptop, 'forget', id, '--yes');
  ok(laptop, 'index');
  ok(desktop, 'index');
  ok(desktop, 'index');
  ok(laptop, 'index');
  for (const home of [laptop, desktop]) expect(ok(home, 'labels', 'export')).toBe('');
});

test('joining asks first, and needs the key from the second machine on', () => {
  write(laptop, id, ['the walrus sleeps', 'on ice']);
  const asked = run(laptop, ['hub', 'join', hub()]);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain('sealed');
  expect(existsSync(hub())).toBe(false);
  ok(laptop, 'hub', 'join', hub(), '--yes');
  expect(run(laptop, ['hub', 'join', hub(), '--yes']).stderr).toContain('has joined a hub already');

  const without = run(desktop, ['hub', 'join', hub(), '--yes']);
  expect(without.code).toBe(2);
  expect(without.stderr).toContain('sealed with your key');
  const third = new TempHome();
  ok(third, 'hub', 'join', join(third.path, 'other'), '--yes');
  const wrong = run(desktop, ['hub', 'join', hub(), '--yes'], { RECALL_HUB_KEY: keyOf(third) });
  expect(wrong.stderr).toContain('not the key');
  expect(wrong.stderr).not.toContain('AGE-SECRET');
  third.remove();
  const file = join(desktop.path, 'key');
  writeFileSync(file, `${keyOf(laptop)}\n`);
  ok(desktop, 'hub', 'join', hub(), '--yes', '--key-file', file);
});

test('a folder knows no team, and says so', () => {
  write(laptop, id, ['the walrus sleeps', 'on ice']);
  ok(laptop, 'hub', 'join', hub(), '--yes');
  const done = run(laptop, ['hub', 'share', id]);
  expect(done.code).toBe(2);
  expect(done.stderr).toContain('it knows no team');
});

describe('forgetting', () => {
  test('on one machine withdraws from the hub and from the others', () => {
    write(laptop, id, ['the walrus sleeps', 'on ice']);
    join2();
    ok(laptop, 'forget', id, '--yes');
    ok(laptop, 'hub', 'push');
    expect(filesBelow(hub()).filter((path) => path.includes('/sessions/'))).toEqual([]);
    ok(desktop, 'index');
    expect(found(desktop, 'walrus')).toHaveLength(0);
    expect(run(desktop, ['show', id]).code).toBe(1);
    const left = filesBelow(join(desktop.path, 'recall')).filter((path) => path.includes(id));
    expect(left).toEqual([]);
  });

  test('on the machine that received it reaches the hub, and the session stays where it is', () => {
    write(laptop, id, ['the walrus sleeps', 'on ice']);
    join2();
    ok(desktop, 'forget', id, '--yes');
    ok(desktop, 'hub', 'push');
    ok(laptop, 'index');
    expect(filesBelow(hub()).filter((path) => path.includes('/sessions/'))).toEqual([]);
    expect(found(laptop, 'walrus')).toHaveLength(1);
    expect(json(laptop, 'hub', 'push').pushed.segments).toBe(0);
    expect(json(laptop, 'hub').toSend).toBe(0);
    ok(desktop, 'index');
    expect(found(desktop, 'walrus')).toHaveLength(0);
  });
});

describe('leaving', () => {
  test('removes what was received and stops', () => {
    write(laptop, id, ['the walrus sleeps', 'on ice']);
    join2();
    ok(desktop, 'hub', 'leave', '--yes');
    expect(found(desktop, 'walrus')).toHaveLength(0);
    expect(run(desktop, ['hub', 'push']).stderr).toContain('has joined no hub');
    expect(json(desktop, 'hub').where).toBeNull();
    // The key is still there, so that joining again needs none.
    ok(desktop, 'hub', 'join', hub(), '--yes');
    expect(found(desktop, 'walrus')).toHaveLength(1);
  });

  test('with --delete takes back what was sent', () => {
    write(laptop, id, ['the walrus sleeps', 'on ice']);
    join2();
    ok(laptop, 'hub', 'leave', '--delete', '--yes');
    expect(filesBelow(hub()).filter((path) => path.includes('/sessions/'))).toEqual([]);
    expect(found(laptop, 'walrus')).toHaveLength(1);
    ok(desktop, 'index');
    expect(found(desktop, 'walrus')).toHaveLength(0);
  });
});

describe('continuing elsewhere', () => {
  const transcriptsOf = (home: TempHome) =>
    filesBelow(join(home.claudeDir, 'projects')).filter((path) => path.endsWith('.jsonl'));

  test('in the same directory, where there is one', () => {
    const cwd = join(shared.path, 'work');
    mkdirSync(cwd);
    write(laptop, id, ['the walrus sleeps', 'on ice'], cwd);
    join2();
    const done = run(desktop, ['open', id, '--restore']);
    expect(done.stdout).toBe(`cd '${cwd}' && claude -r ${id}\n`);
    expect(done.stderr).toContain('uncommitted changes do not come with it');
    const slug = cwd.replaceAll(/[^A-Za-z0-9]/g, '-');
    expect(readFileSync(join(desktop.claudeDir, 'projects', slug, `${id}.jsonl`))).toEqual(
      readFileSync(join(laptop.claudeDir, 'projects', slug, `${id}.jsonl`)),
    );
    // One conversation on both machines.
    ok(desktop, 'index');
    expect(json(desktop, 'list').total).toBe(1);
    expect(json(desktop, 'list').sessions[0]).toMatchObject({ machine: null, resumable: true });
  });

  const git = (folder: string, remote: string) => {
    mkdirSync(join(folder, '.git', 'refs', 'heads'), { recursive: true });
    writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(folder, '.git', 'refs', 'heads', 'main'), `${'ab12'.repeat(10)}\n`);
    writeFileSync(
      join(folder, '.git', 'config'),
      `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${remote}\n`,
    );
  };

  test('in a project with the same repository, however it is addressed', () => {
    const [there, here] = [join(laptop.path, 'shop'), join(desktop.path, 'code', 'shop')];
    git(there, 'git@example.org:maya/shop.git');
    git(here, 'https://maya:secret@example.org/maya/shop');
    write(laptop, id, ['the walrus sleeps', 'on ice'], there);
    write(desktop, '00000001-1e00-4000-8000-00000000b0a7', ['another thing', 'here'], here);
    join2();
    rmSync(there, { recursive: true });
    const done = run(desktop, ['open', id, '--restore']);
    expect(done.stdout).toBe(`cd '${here}' && claude -r ${id}\n`);
    expect(done.stderr).toContain('on the machine laptop');
    expect(done.stderr).toContain('ab12ab12ab');
  });

  test('else where one says, and nowhere without that', () => {
    write(laptop, id, ['the walrus sleeps', 'on ice'], join(laptop.path, 'gone'));
    join2();
    const done = run(desktop, ['open', id, '--restore']);
    expect(done.code).toBe(1);
    expect(done.stderr).toContain('--into <dir>');
    expect(transcriptsOf(desktop)).toEqual([]);
    const here = join(desktop.path, 'here');
    mkdirSync(here);
    expect(run(desktop, ['open', id, '--restore', '--into', here]).stdout).toContain(here);
    rmSync(join(desktop.claudeDir, 'projects'), { recursive: true });
    expect(run(desktop, ['open', id, '--restore', '--here'], {}, here).code).toBe(0);
    expect(transcriptsOf(desktop)[0]).toContain(here.replaceAll(/[^A-Za-z0-9]/g, '-'));
  });

  test('a session that was continued on both comes back as a branch, and none is changed', () => {
    const cwd = join(shared.path, 'work');
    mkdirSync(cwd);
    write(laptop, id, ['the walrus sleeps', 'on ice'], cwd);
    join2();
    expect(run(desktop, ['open', id, '--restore']).code).toBe(0);
    write(desktop, id, ['the walrus sleeps', 'on ice', 'desktop asked', 'desktop was answered'], cwd);
    write(laptop, id, ['the walrus sleeps', 'on ice', 'laptop asked', 'laptop was answered'], cwd);
    ok(laptop, 'index');
    ok(desktop, 'index');
    ok(laptop, 'index');
    expect(found(laptop, '"desktop was answered"')).toHaveLength(1);
    const [own] = transcriptsOf(laptop);
    const before = readFileSync(own ?? '');
    const [hit] = json(laptop, 'search', '"desktop was answered"').hits;
    expect(hit.machine).toBe('desktop');
    const done = run(laptop, ['open', `${id}@desktop`, '--restore']);
    expect(done.code, done.stderr).toBe(0);
    expect(done.stderr).toContain('a branch of it');
    expect(readFileSync(own ?? '')).toEqual(before);
    const branch = transcriptsOf(laptop).find((path) => path !== own) ?? '';
    const newId = branch.split('/').at(-1)?.replace('.jsonl', '') ?? '';
    expect(done.stdout).toContain(newId);
    const text = readFileSync(branch, 'utf8');
    expect(text).toContain('desktop was answered');
    expect(text).not.toContain(id);
    ok(laptop, 'index');
    expect(json(laptop, 'show', newId).messages).toHaveLength(4);
  });
});

describe('faults', () => {
  test('without the folder everything else works, and `hub` says why', () => {
    write(laptop, id, ['the walrus sleeps', 'on ice']);
    ok(laptop, 'hub', 'join', hub(), '--yes');
    rmSync(hub(), { recursive: true });
    expect(run(laptop, ['index']).code).toBe(0);
    expect(found(laptop, 'walrus')).toHaveLength(1);
    expect(json(laptop, 'hub').obstacle).toContain('cannot be used');
    expect(run(laptop, ['hub', 'push']).code).toBe(2);
    // An empty folder is one that is not mounted, not a new hub.
    mkdirSync(hub());
    expect(run(laptop, ['hub', 'push']).stderr).toContain('recall-hub.json');
    expect(readdirSync(hub())).toEqual([]);
  });

  test('a part that is damaged, cut or of somebody else is named, and the rest goes on', () => {
    for (const n of [1, 2, 3, 4])
      write(laptop, `0000000${n}-1e00-4000-8000-00000000b0a7`, [`walrus number ${n}`, 'yes']);
    ok(laptop, 'hub', 'join', hub(), '--yes');
    const parts = filesBelow(hub()).filter((path) => path.includes('/sessions/'));
    expect(parts).toHaveLength(4);
    const [damaged = '', cut = '', swapped = '', whole = ''] = parts;
    const bytes = readFileSync(damaged);
    const good = Buffer.from(bytes);
    bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
    writeFileSync(damaged, bytes);
    writeFileSync(cut, readFileSync(cut).subarray(0, 200));
    cpSync(whole, swapped);
    const done = run(desktop, ['hub', 'join', hub(), '--yes'], { RECALL_HUB_KEY: keyOf(laptop) });
    expect(done.code).toBe(2);
    expect(done.stderr.match(/^recall: laptop /gm)).toHaveLength(3);
    expect(found(desktop, 'walrus')).toHaveLength(1);
    // Synced in the meantime.
    writeFileSync(damaged, good);
    run(desktop, ['hub', 'pull']);
    expect(found(desktop, 'walrus')).toHaveLength(2);
  });

  test('an index that is deleted is made again from what was received', () => {
    write(laptop, id, ['the walrus sleeps', 'on ice']);
    join2();
    for (const name of readdirSync(join(desktop.path, 'recall')))
      if (name.startsWith('recall.db')) rmSync(join(desktop.path, 'recall', name));
    ok(desktop, 'index');
    expect(found(desktop, 'walrus')[0]).toMatchObject({ machine: 'laptop' });
    rmSync(join(desktop.path, 'recall'), { recursive: true });
    ok(desktop, 'index');
    expect(found(desktop, 'walrus')[0]).toMatchObject({ machine: 'laptop' });
  });

  test('a clock that is ahead by a year does not make a session the newest', () => {
    write(laptop, id, ['the walrus sleeps', 'on ice']);
    join2();
    expect(Date.parse(found(desktop, 'walrus')[0].modifiedAt)).toBeLessThanOrEqual(Date.now());
  });
});
