// The tables of a hub in PostgreSQL and who may do what with their rows. Only `hub setup`, `hub upgrade` and `hub add` come here.
//
// - Rows are guarded by the server, not by this program: a member who connects with psql can do no more than recall does.
// - One sequence orders all changes. It is advanced under a lock that is held until the end of the transaction, by triggers, so
//   that a change with a lower number is never seen after one with a higher: whoever remembers a number misses nothing.
// - A private session has an HMAC as its id and nulls where it ran. A session of the team is another row beside it, redacted.
// - No index is used to compare with `current_user`, whose cast is not leakproof: indexes start with another column.
// - Bytes are sealed or packed already, so the server need not try to compress them (`storage external`).

import { UserError } from '../../errors.ts';
import { hint, recall } from '../../hints.ts';
import { hubVersion } from '../carrier.ts';
import { type Sql, toVerifier } from './connect.ts';
import { searchable } from './word-tables.ts';

/** Any number that nobody else is likely to use. */
const lock = 'perform pg_advisory_xact_lock(7232625);';
const trigger = (name: string, body: string) => `
  create function recall.${name}() returns trigger language plpgsql security definer set search_path = recall, pg_temp as $$
  begin ${body} return new; end $$`;

const first = [
  'create schema recall',
  'create table recall.hub (id uuid not null, version integer not null, is_only boolean primary key default true check (is_only))',
  'create sequence recall.change',
  `create table recall.member (
    role_name text primary key,
    key_check text check (length(key_check) = 32))`,
  `create table recall.machine (
    key uuid primary key,
    member text not null references recall.member,
    name text not null check (length(name) between 1 and 200),
    left_at timestamptz,
    change bigint not null)`,
  `create table recall.session (
    id bigint generated always as identity primary key,
    member text not null references recall.member,
    agent text not null check (length(agent) < 100),
    native_id text not null check (length(native_id) < 1000),
    git_remote text, cwd text,
    modified_at timestamptz not null,
    visibility text not null check (visibility in ('private', 'team')),
    was_shared boolean not null default false,
    forgotten_at timestamptz,
    change bigint not null,
    unique (native_id, agent, member))`,
  `create table recall.segment (
    id bigint generated always as identity primary key,
    session bigint not null references recall.session,
    machine uuid not null references recall.machine,
    path text not null check (length(path) < 10000),
    path_key text generated always as (md5(path)) stored,
    name text not null check (length(name) < 1000),
    sha256 text not null check (length(sha256) = 64),
    is_redacted boolean not null,
    bytes bytea not null check (octet_length(bytes) <= 17000000),
    change bigint not null)`,
  'alter table recall.segment alter column bytes set storage external',
  // A path may be longer than an index entry, so that its digest is found by. It is a column: where rows are guarded, no function
  // that is not leakproof is looked up in an index, and md5 is not.
  'create unique index segment_name on recall.segment (machine, path_key, name)',
  'create index segment_change on recall.segment (change)',
  'create index segment_session on recall.segment (session)',
  'create index session_change on recall.session (change)',
  'create index machine_change on recall.machine (change)',

  trigger(
    'number_machine',
    `${lock} new.change := nextval('change');
    if tg_op = 'UPDATE' and (new.key <> old.key or new.member <> old.member) then raise 'a machine keeps its key and its owner'; end if;`,
  ),
  'create trigger number before insert or update on recall.machine for each row execute function recall.number_machine()',
  trigger(
    'number_session',
    `${lock} new.change := nextval('change');
    new.modified_at := least(new.modified_at, now());
    new.was_shared := new.visibility = 'team';
    if tg_op = 'UPDATE' then
      if (new.id, new.member, new.agent, new.native_id) is distinct from (old.id, old.member, old.agent, old.native_id) then
        raise 'a session keeps its owner and its id'; end if;
      new.was_shared := new.was_shared or old.was_shared;
      new.forgotten_at := coalesce(old.forgotten_at, new.forgotten_at);
      if new.visibility = 'team' and exists (select 1 from segment where session = new.id and not is_redacted) then
        raise 'only what is redacted can be shared'; end if;
    end if;
    if new.visibility = 'private' or new.forgotten_at is not null then new.git_remote := null; new.cwd := null; end if;`,
  ),
  'create trigger number before insert or update on recall.session for each row execute function recall.number_session()',
  trigger(
    'number_segment',
    `${lock} new.change := nextval('change');
    if exists (select 1 from session where id = new.session and forgotten_at is not null) then return null; end if;
    if not new.is_redacted and exists (select 1 from session where id = new.session and visibility = 'team') then
      raise 'only what is redacted can be shared'; end if;
    if new.sha256 <> encode(sha256(new.bytes), 'hex') then raise 'the bytes are not those that were sent'; end if;`,
  ),
  'create trigger number before insert on recall.segment for each row execute function recall.number_segment()',

  `create function recall.is_member() returns boolean language sql stable security definer set search_path = recall, pg_temp as $$
    select exists (select 1 from member where role_name = session_user::text) $$`,
  // What a person may see, from a number on. Withdrawn is what somebody may have received and must drop.
  `create function recall.changes(since bigint, at_most integer)
    returns table (kind text, change bigint, id bigint, machine uuid, member text, agent text, native_id text, is_team boolean,
      name text, size_bytes integer)
    language sql stable security definer set search_path = recall, pg_temp as $$
    select * from (
      (select 'segment', g.change, g.id, g.machine, s.member, s.agent, s.native_id, s.visibility = 'team', g.name, octet_length(g.bytes)
      from segment g join session s on s.id = g.session
      where g.change > since and s.forgotten_at is null and (s.member = session_user::text or s.visibility = 'team')
      order by g.change limit at_most)
      union all
      (select 'withdrawn', s.change, null, null, s.member, s.agent, s.native_id, s.was_shared, null, null from session s
      where s.change > since and (s.forgotten_at is not null and (s.member = session_user::text or s.was_shared)
        or s.was_shared and s.visibility = 'private')
      order by s.change limit at_most)
      union all
      (select 'left', m.change, null, m.key, m.member, null, null, null, null, null from machine m
      where m.change > since and m.left_at is not null order by m.change limit at_most)
    ) as found where is_member() order by 2 limit at_most $$`,

  ...['hub', 'member', 'machine', 'session', 'segment'].map(
    (table) => `alter table recall.${table} enable row level security`,
  ),
  'create policy read on recall.hub for select using ((select recall.is_member()))',
  'create policy read on recall.member for select using ((select recall.is_member()))',
  'create policy own on recall.member for update using (role_name = current_user::text) with check (role_name = current_user::text)',
  'create policy read on recall.machine for select using ((select recall.is_member()))',
  ...['insert with check', 'update using'].map(
    (what) =>
      `create policy ${what.slice(0, 6)}_own on recall.machine for ${what} (member = current_user::text)`,
  ),
  `create policy read on recall.session for select using (member = current_user::text
    or visibility = 'team' and forgotten_at is null and (select recall.is_member()))`,
  ...['insert with check', 'update using'].map(
    (what) =>
      `create policy ${what.slice(0, 6)}_own on recall.session for ${what} (member = current_user::text)`,
  ),
  // A session that may not be read is not there for who asks.
  'create policy read on recall.segment for select using (exists (select 1 from recall.session s where s.id = session))',
  `create policy insert_own on recall.segment for insert with check (
    exists (select 1 from recall.session s where s.id = session and s.member = current_user::text)
    and exists (select 1 from recall.machine m where m.key = machine and m.member = current_user::text))`,
  `create policy delete_own on recall.segment for delete using (
    exists (select 1 from recall.session s where s.id = session and s.member = current_user::text))`,

  'revoke all on schema recall from public',
  'revoke all on all functions in schema recall from public',
  'grant usage on schema recall to recall_member',
  'grant select on recall.hub, recall.member, recall.machine, recall.session, recall.segment to recall_member',
  'grant insert on recall.machine, recall.session, recall.segment to recall_member',
  'grant update (key_check) on recall.member to recall_member',
  'grant update (name, left_at) on recall.machine to recall_member',
  'grant update (git_remote, cwd, modified_at, visibility, forgotten_at) on recall.session to recall_member',
  'grant delete on recall.segment to recall_member',
  'grant select on sequence recall.change to recall_member',
  'grant execute on function recall.is_member(), recall.changes(bigint, integer) to recall_member',
];

/** One list for each version; those that a hub has seen are never edited. */
const versions: readonly (readonly string[])[] = [first];

const minServerVersion = 140_000;

/**
 * Makes the tables where there are none, and brings older ones up to date. `isNew`: there may be none. `isSearchable`: also those in
 * which members search.
 */
export async function setUp(
  sql: Sql,
  newId: string,
  isNew: boolean,
  isSearchable = false,
): Promise<Readonly<Record<'before' | 'version', number>>> {
  const [server] = await sql.query(
    "select current_setting('server_version_num')::text as version, current_setting('server_version') as name",
  );
  if (Number(server?.version) < minServerVersion)
    throw new UserError(`the server is PostgreSQL ${server?.name}, and a hub needs 14 or newer`, {
      code: 'hub-too-old',
    });
  return sql.begin(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(7232625)');
    const before = await readVersion(tx);
    if (before === 0 && !isNew)
      throw new UserError('there is no hub in this database', {
        code: 'no-hub',
        hint: hint`make one: ${recall('hub', 'setup', '<address>')}`,
      });
    refuseNewer(before);
    // Roles are common to all databases of a server.
    await tx.query(`do $$ begin create role recall_member nologin;
      exception when duplicate_object then null; when unique_violation then null; end $$`);
    for (const statements of versions.slice(before))
      for (const statement of statements) await tx.query(statement);
    if (before === 0)
      await tx.query('insert into recall.hub (id, version) values ($1::text::uuid, 0)', [newId]);
    await tx.query('update recall.hub set version = $1::text::integer', [String(versions.length)]);
    const [words] = await tx.query("select to_regclass('recall.words') is not null as are_there");
    if (isSearchable && words?.are_there !== true)
      for (const statement of searchable) await tx.query(statement);
    return { before, version: versions.length };
  });
}

async function readVersion(sql: Sql): Promise<number> {
  const [found] = await sql.query("select to_regclass('recall.hub') is not null as is_there");
  if (found?.is_there !== true) return 0;
  const [hub] = await sql.query('select version::text as version from recall.hub');
  return Number(hub?.version ?? 0);
}

export function refuseNewer(version: number): void {
  if (version <= hubVersion) return;
  throw new UserError(
    `this hub was made by a newer recall (version ${version}, this one knows ${hubVersion})`,
    {
      code: 'hub-too-new',
      hint: 'update recall on this machine',
    },
  );
}

const roleName = /^[a-z_][a-z0-9_]{0,62}$/;

/** A login for a person. Null in place of the password where the role was there before. */
export async function addMember(sql: Sql, name: string, password: string): Promise<string | null> {
  if (!roleName.test(name))
    throw new UserError(`${JSON.stringify(name)} cannot be the name of a login`, {
      code: 'usage',
      hint: 'lower-case letters, digits and _, at most 63, not starting with a digit',
    });
  return sql.begin(async (tx) => {
    const [known] = await tx.query('select 1 as one from pg_roles where rolname = $1', [name]);
    const create = async (format: string, ...values: string[]) => {
      const [made] = await tx.query(`select format(${format}) as statement`, values);
      await tx.query(String(made?.statement));
    };
    if (known === undefined)
      await create("'create role %I login password %L', $1::text, $2::text", name, toVerifier(password));
    await create("'grant recall_member to %I', $1::text", name);
    await tx.query('insert into recall.member (role_name) values ($1) on conflict do nothing', [name]);
    return known === undefined ? password : null;
  });
}
