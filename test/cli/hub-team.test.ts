// A hub in PostgreSQL, with the built program: people, what they share, what they cannot reach, and what happens when either side
// is killed. Skipped and named where PostgreSQL is not installed.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assistantLine, at, TempHome, userLine } from '../support/home.ts';
import { noServer, PrivateServer } from '../support/postgres.ts';
import { finish, runRecall, startRecall } from '../support/program.ts';

const secret = `ghp_${'a1B2'.repeat(9)}`;
const id = '5c0de5ca-1e00-4000-8000-00000000b0a7';

describe.skipIf(noServer !== null)(`a hub in PostgreSQL${noServer === null ? '' : `: ${noServer}`}`, () => {
  let server: PrivateServer;
  let homes: Record<'admin' | 'ann' | 'desk' | 'bob', TempHome>;
  beforeAll(() => {
    server = new PrivateServer().start();
  }, 60_000);
  afterAll(() => server.remove());

  beforeEach(() => {
    server.psql('admin', 'drop schema if exists recall cascade');
    homes = { admin: new TempHome(), ann: new TempHome(), desk: new TempHome(), bob: new TempHome() };
    ok('admin', 'hub', 'setup', server.address('admin'));
    for (const name of ['ann', 'bob']) expect(ok('admin', 'hub', 'add', name)).toContain('recall hub join');
  });
  afterEach(() => {
    for (const home of Object.values(homes)) home.remove();
  });

  type Who = keyof typeof homes;
  const run = (who: Who, ...args: string[]) =>
    runRecall(homes[who], args, { env: { RECALL_MACHINE: `${who}-machine`, ...keyFor(who) } });
  const keyFor = (who: Who): Record<string, string> =>
    who === 'desk' ? { RECALL_HUB_KEY: runRecall(homes.ann, ['hub', 'key']).stdout.trim() } : {};
  const ok = (who: Who, ...args: string[]) => {
    const done = run(who, ...args);
    expect(done.code, `${args.join(' ')}: ${done.stderr}`).toBe(0);
    return done.stdout;
  };
  const json = (who: Who, ...args: string[]) => JSON.parse(run(who, ...args, '--json').stdout);
  const found = (who: Who, words: string) => json(who, 'search', words).hits;
  const join3 = () => {
    for (const who of ['ann', 'desk', 'bob'] as const)
      ok(who, 'hub', 'join', server.address(who === 'bob' ? 'bob' : 'ann'), '--yes');
  };
  const write = (who: Who, sessionId: string, texts: readonly string[], cwd = '/home/u/shop') =>
    homes[who].writeSession(
      sessionId,
      texts.map((text, i) =>
        (i % 2 === 0 ? userLine : assistantLine)(text, {
          sessionId,
          cwd,
          timestamp: at(i),
          uuid: `00000000-0000-4000-8000-${createHash('sha1')
            .update(sessionId + text)
            .digest('hex')
            .slice(0, 12)}`,
        }),
      ),
      cwd.replaceAll(/[^A-Za-z0-9]/g, '-'),
    );

  test('private sessions reach the own machines only, and the server holds no word of them', () => {
    write('ann', id, ['the walrus sleeps', 'on ice'], '/home/u/aardvark');
    join3();
    expect(found('desk', 'walrus')[0]).toMatchObject({ id, machine: 'ann-machine', owner: null });
    expect(found('bob', 'walrus')).toEqual([]);
    const dump = server.psql(
      'admin',
      "select agent, native_id, git_remote, cwd, path, name, encode(bytes, 'escape') from recall.session join recall.segment on session = session.id",
    ).out;
    expect(dump.length).toBeGreaterThan(500);
    for (const word of ['walrus', 'aardvark', id, 'home']) expect(dump).not.toContain(word);
    expect(json('ann', 'hub')).toMatchObject({ sent: 1, toSend: 0, owner: 'ann', people: ['ann', 'bob'] });
  });

  test('what is shared is redacted, read by others, named as whose, and withdrawn again', () => {
    write('ann', id, [`the walrus has ${secret}`, 'on ice']);
    join3();
    expect(ok('ann', 'hub', 'share', id)).toContain('shared with the team');
    expect(ok('ann', 'hub', 'share', '--list')).toContain(id);
    ok('bob', 'index');
    const [hit] = found('bob', 'walrus');
    expect(hit).toMatchObject({ id, machine: 'ann-machine', owner: 'ann' });
    expect(ok('bob', 'list')).toContain('ann@ann-machine');
    expect(found('bob', 'walrus owner:ann')).toHaveLength(1);
    expect(found('bob', 'walrus -owner:ann')).toHaveLength(0);
    expect(ok('bob', 'show', id)).not.toContain(secret);
    expect(ok('bob', 'restore', id, '-o', '-')).not.toContain(secret);
    // Her other machine has the whole of it, once.
    expect(ok('desk', 'show', id)).toContain(secret);
    expect(json('desk', 'list').total).toBe(1);
    const again = json('ann', 'hub', 'push');
    expect(again.pushed.segments).toBe(0);

    ok('ann', 'hub', 'unshare', id);
    ok('bob', 'index');
    expect(found('bob', 'walrus')).toEqual([]);
    expect(found('desk', 'walrus')).toHaveLength(1);
  });

  test('a project is shared as a whole, also what comes later; forgetting withdraws', () => {
    write('ann', id, ['the walrus sleeps', 'on ice']);
    write('ann', `${id.slice(0, -1)}8`, ['a private walrus', 'elsewhere'], '/home/u/diary');
    join3();
    ok('ann', 'hub', 'share', '--project', '/home/u/shop');
    const later = `${id.slice(0, -1)}9`;
    write('ann', later, ['another walrus', 'came']);
    ok('ann', 'index');
    ok('bob', 'index');
    expect(found('bob', 'walrus')).toHaveLength(2);
    ok('ann', 'forget', later, '--yes');
    ok('ann', 'index');
    ok('bob', 'index');
    expect(found('bob', 'walrus')).toHaveLength(1);
    ok('ann', 'hub', 'unshare', '--project', '/home/u/shop');
    ok('bob', 'index');
    expect(found('bob', 'walrus')).toHaveLength(0);
  });

  test('only the machine that sends a session shares it or ends that, and no rule undoes what was said', () => {
    write('ann', id, ['the walrus sleeps', 'on ice']);
    join3();
    ok('ann', 'hub', 'share', id);
    ok('bob', 'index');
    for (const who of ['desk', 'bob'] as const)
      for (const action of ['share', 'unshare']) {
        const refused = run(who, 'hub', action, id);
        expect(refused.code, `${who} ${action}`).toBe(2);
        expect(refused.stderr).toContain('of another machine');
      }
    expect(json('desk', 'hub').sharedSessions).toEqual([]);
    ok('ann', 'hub', 'share', '--project', '/home/u/shop');
    expect(run('ann', 'hub', 'unshare', id).stderr).toContain('shared with its project, /home/u/shop');
    expect(run('ann', 'hub', 'unshare', '--project', '/home/u/diary').stderr).toContain('is not shared');
    ok('ann', 'hub', 'unshare', '--project', '/home/u/shop');
    ok('ann', 'hub', 'unshare', id);
    ok('ann', 'index');
    ok('bob', 'index');
    expect(found('bob', 'walrus')).toEqual([]);
  });

  test('a member can do no more with psql', () => {
    write('ann', id, ['the walrus sleeps', 'on ice']);
    join3();
    ok('ann', 'hub', 'share', id);
    const bob = (text: string) => server.psql('bob', text);
    const count = (text: string) => Number(server.psql('admin', text).out);
    const all = 'select count(*) from recall.segment';
    const before = count(all);
    expect(before).toBe(2);
    expect(bob('select count(*) from recall.segment').out.trim()).toBe('1');
    expect(bob("select count(*) from recall.session where visibility = 'private'").out.trim()).toBe('0');
    expect(bob('select count(*) from recall.changes(0, 1000)').out.trim()).toBe('1');
    const mine = server
      .psql('admin', "select key from recall.machine where member = 'ann' limit 1")
      .out.trim();
    for (const attempt of [
      'delete from recall.segment',
      "update recall.session set visibility = 'private'",
      "update recall.machine set name = 'mine'",
      "update recall.member set key_check = null where role_name = 'ann'",
    ]) {
      bob(attempt);
      expect(count(all), attempt).toBe(before);
    }
    expect(count("select count(*) from recall.machine where name = 'mine' and member = 'ann'")).toBe(0);
    expect(count("select count(*) from recall.member where key_check is null and role_name = 'ann'")).toBe(0);
    expect(count("select count(*) from recall.session where visibility = 'team'")).toBe(1);
    for (const attempt of [
      "insert into recall.session (member, agent, native_id, modified_at, visibility) values ('ann', 'claude', 'x', now(), 'team')",
      `insert into recall.segment (session, machine, path, name, sha256, is_redacted, bytes) select id, '${mine}', 'p', 'n', repeat('0', 64), true, '' from recall.session limit 1`,
      "insert into recall.member values ('eve')",
      'update recall.hub set version = 9',
      'drop table recall.segment',
      'create table recall.mine (a int)',
      'alter table recall.segment disable row level security',
      "update recall.session set member = 'bob'",
      'select * from pg_authid',
    ])
      expect(bob(attempt).code, attempt).not.toBe(0);
    // Who has a login and is not a member sees nothing.
    server.psql('admin', 'create role eve login; grant recall_member to eve');
    expect(server.psql('eve', 'select count(*) from recall.session').out.trim()).toBe('0');
    expect(server.psql('eve', 'select count(*) from recall.changes(0, 1000)').out.trim()).toBe('0');
    server.psql('admin', 'drop role eve');
  });

  test('a server that is newer, empty or gone is said to be so, and searching goes on', () => {
    write('ann', id, ['the walrus sleeps', 'on ice']);
    join3();
    server.psql('admin', 'update recall.hub set version = 99');
    expect(run('ann', 'hub', 'push').stderr).toContain('newer recall');
    server.psql('admin', 'drop schema recall cascade');
    expect(run('ann', 'hub', 'push').stderr).toContain('no hub in this database');
    server.stop();
    try {
      const done = run('ann', 'index');
      expect(done.code).toBe(0);
      expect(found('ann', 'walrus')).toHaveLength(1);
      expect(json('ann', 'hub').obstacle).toContain('cannot be reached');
      expect(run('ann', 'hub', 'sync').code).toBe(2);
    } finally {
      server.start();
    }
  });

  test('a client or a server that is killed at any moment loses and doubles nothing', async () => {
    const count = 40;
    const ids = Array.from(
      { length: count },
      (_, i) => `${String(i).padStart(8, '0')}-1e00-4000-8000-00000000b0a7`,
    );
    for (const each of ids) write('ann', each, [`walrus of ${each}`, 'x'.repeat(2000) + each]);
    join3();
    server.psql('admin', 'delete from recall.segment');
    for (let n = 0; n < 6; n++) {
      const who = n % 2 === 0 ? 'ann' : 'desk';
      const child = startRecall(homes[who], ['hub', n % 2 === 0 ? 'push' : 'pull']);
      const ended = finish(child);
      await new Promise((done) => setTimeout(done, 150 + n * 60));
      if (n === 4) {
        server.stop('immediate');
        server.start();
      } else child.kill('SIGKILL');
      await ended;
    }
    ok('ann', 'hub', 'push');
    expect(Number(server.psql('admin', 'select count(*) from recall.segment').out)).toBe(count);
    ok('desk', 'hub', 'pull');
    expect(json('desk', 'list', '--limit', '100').total).toBe(count);
    expect(json('desk', 'doctor').problems ?? []).toEqual([]);
  }, 120_000);

  test('two machines of one person push at once', async () => {
    join3();
    for (let i = 0; i < 10; i++) {
      write('ann', `0000000${i}-aaaa-4000-8000-00000000b0a7`, [`walrus ${i}`, 'here']);
      write('desk', `0000000${i}-dddd-4000-8000-00000000b0a7`, [`narwhal ${i}`, 'there']);
    }
    const started = (['ann', 'desk'] as const).map((who) => finish(startRecall(homes[who], ['index'])));
    for (const { code, stderr } of await Promise.all(started)) expect(code, stderr).toBe(0);
    for (const who of ['ann', 'desk'] as const) {
      ok(who, 'hub', 'sync');
      expect(json(who, 'list', '--limit', '100').total).toBe(20);
    }
  });

  test('the password is in no list, message or argument', () => {
    const url = `postgres://ann:opensesame@${encodeURIComponent(server.folder)}/postgres`;
    const joined = run('ann', 'hub', 'join', url, '--yes');
    expect(joined.code, joined.stderr).toBe(0);
    expect(joined.stdout + joined.stderr).not.toContain('opensesame');
    expect(ok('ann', 'hub')).not.toContain('opensesame');
    const settings = readFileSync(join(homes.ann.path, '.config', 'recall', 'hub.json'), 'utf8');
    expect(JSON.parse(settings).where).not.toContain('opensesame');
  });

  test('a password that was made opens the door, and the server never saw it', () => {
    server.psql('admin', 'drop role if exists carl');
    server.psql('admin', "alter role admin set log_statement = 'all'");
    const { password } = json('admin', 'hub', 'add', 'carl');
    const rules = join(server.folder, 'data', 'pg_hba.conf');
    const before = readFileSync(rules, 'utf8');
    try {
      const log = readFileSync(join(server.folder, 'log'), 'utf8');
      expect(log).toContain('create role carl login password');
      expect(log).not.toContain(password);
      writeFileSync(rules, `local all carl scram-sha-256\n${before}`);
      server.psql('admin', 'select pg_reload_conf()');
      const joinWith = (PGPASSWORD: string) =>
        runRecall(homes.bob, ['hub', 'join', server.address('carl'), '--yes'], { env: { PGPASSWORD } });
      const refused = joinWith('opensesame');
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('refused the login carl');
      expect(refused.stdout + refused.stderr).not.toContain('opensesame');
      const joined = joinWith(password);
      expect(joined.code, joined.stderr).toBe(0);
    } finally {
      writeFileSync(rules, before);
      server.psql('admin', 'alter role admin reset log_statement; select pg_reload_conf()');
    }
  });
});

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version']);
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(noServer !== null || !hasOpenssl)('TLS', () => {
  test('a certificate that nobody vouches for is refused, one that a person names is taken', () => {
    using home = new TempHome();
    const server = new PrivateServer();
    const folder = join(server.folder, 'tls');
    try {
      mkdirSync(folder);
      const [key, cert] = [join(folder, 'server.key'), join(folder, 'server.crt')];
      execFileSync('openssl', [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
        ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert],
      ]);
      execFileSync('chown', ['-R', 'postgres', folder]);
      const port = 20_000 + (process.pid % 20_000);
      server.port = port;
      server.start(
        '-c listen_addresses=localhost',
        '-c ssl=on',
        `-c ssl_key_file=${key}`,
        `-c ssl_cert_file=${cert}`,
      );
      const address = (more: string) =>
        `postgres://admin@localhost:${port}/postgres?sslmode=verify-full${more}`;
      const refused = runRecall(home, ['hub', 'setup', address('')]);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(/certificate/);
      const taken = runRecall(home, ['hub', 'setup', address(`&sslrootcert=${encodeURIComponent(cert)}`)]);
      expect(taken.code, taken.stderr).toBe(0);
    } finally {
      server.remove();
    }
  });
});
