// A hub in PostgreSQL. Every question is one statement; whatever changes something is one transaction, in which triggers number
// the changes (schema.ts). Lists are passed as JSON, which every driver sends the same way.

import { UserError } from '../../errors.ts';
import { hint, recall } from '../../hints.ts';
import {
  type Carrier,
  type Changes,
  type FoundSegment,
  hubVersion,
  type Machine,
  type Withdrawal,
  type WordCarrier,
  type WordedPart,
} from '../carrier.ts';
import { toDigest } from '../folder.ts';
import { isSameCheck } from '../hub-key.ts';
import { type Address, connect, type Row, type Sql } from './connect.ts';
import { refuseNewer } from './schema.ts';
import { hubWordsVersion } from './word-tables.ts';

export async function openPostgres(address: Address, machine: string): Promise<Carrier> {
  const sql = await connect(address);
  try {
    return await openCarrierOn(sql, machine);
  } catch (error) {
    await sql.close();
    throw error;
  }
}

const openSql = `select hub.id::text as id, hub.version::text as version, current_user::text as owner, key_check,
    (select last_value::text from recall.change) as last_change, to_regclass('recall.word_session') is not null as is_searchable
  from recall.hub, recall.member where role_name = current_user::text`;

export interface HubFacts {
  readonly hubId: string;
  readonly owner: string;
  readonly keyCheck: string | null;
  /** The number of the last change when this was opened. */
  readonly lastChange: bigint;
  readonly isSearchable: boolean;
}

/** For tests also on another connection. */
export async function openCarrierOn(sql: Sql, machine: string): Promise<Carrier> {
  return new PostgresCarrier(sql, machine, await readHub(sql));
}

/** Throws where it cannot be used. */
export async function readHub(sql: Sql): Promise<HubFacts> {
  const [hub] = await sql.query(openSql);
  if (hub === undefined)
    throw new UserError('you are not a member of this hub', {
      code: 'hub-refused',
      hint: hint`its admin adds you: ${recall('hub', 'add', '<name>')}`,
    });
  refuseNewer(Number(hub.version));
  if (Number(hub.version) < hubVersion)
    throw new UserError('this hub was made by an older recall', {
      code: 'hub-too-old',
      hint: hint`its admin brings it up to date: ${recall('hub', 'upgrade', '<address>')}`,
    });
  return {
    hubId: String(hub.id),
    owner: String(hub.owner),
    keyCheck: hub.key_check === null ? null : String(hub.key_check),
    lastChange: BigInt(String(hub.last_change)),
    isSearchable: hub.is_searchable === true,
  };
}

/** So many changes are asked for at once. */
const changesAtOnce = 2000;

/** Names in a JSON text, the first value. */
const names = (as: string) => `(select value from jsonb_array_elements_text(${as}::text::jsonb))`;

class PostgresCarrier implements Carrier {
  readonly hubId: string;
  readonly owner: string;
  readonly knowsTeams = true;
  readonly words: WordCarrier | null;
  keyCheck: string | null;
  private readonly sql: Sql;
  private readonly machine: string;
  private readonly lastChange: bigint;
  private hasAsked = false;

  constructor(sql: Sql, machine: string, facts: HubFacts) {
    this.sql = sql;
    this.machine = machine;
    this.hubId = facts.hubId;
    this.owner = facts.owner;
    this.keyCheck = facts.keyCheck;
    this.lastChange = facts.lastChange;
    this.words = facts.isSearchable ? carryWords(sql, machine) : null;
  }

  async join({ name }: Machine, keyCheck: string): Promise<boolean> {
    return this.sql.begin(async (tx) => {
      await tx.query(
        'update recall.member set key_check = $1 where role_name = current_user::text and key_check is null',
        [keyCheck],
      );
      const [member] = await tx.query(
        'select key_check from recall.member where role_name = current_user::text',
      );
      if (!isSameCheck(String(member?.key_check), keyCheck)) return false;
      this.keyCheck = keyCheck;
      await tx.query(
        `insert into recall.machine (key, member, name) values ($1::text::uuid, current_user, $2)
        on conflict (key) do update set name = excluded.name`,
        [this.machine, name],
      );
      return true;
    });
  }

  async machines(): Promise<readonly Machine[]> {
    const rows = await this.sql.query(
      'select key::text as key, name, member from recall.machine where left_at is null order by member, name, key',
    );
    return rows.map((row) => ({ key: String(row.key), name: String(row.name), owner: String(row.member) }));
  }

  async has(paths: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.sql.query(
      `select path, name from recall.segment
      where machine = $1::text::uuid
        and path_key = any (array(select md5(value) from jsonb_array_elements_text($2::text::jsonb)))`,
      [this.machine, JSON.stringify(paths)],
    );
    const found = new Map<string, string[]>();
    for (const { path, name } of rows)
      found.set(String(path), [...(found.get(String(path)) ?? []), String(name)]);
    return found;
  }

  async put(...[segments, replaced]: Parameters<Carrier['put']>): Promise<void> {
    const sessions = new Map(segments.map(({ session }) => [`${session.agent} ${session.name}`, session]));
    await this.sql.begin(async (tx) => {
      await Promise.all(
        [...sessions.values()].map(({ agent, name, modifiedAt, isTeam, gitRemote, cwd }) =>
          tx.query(
            `insert into recall.session as known (member, agent, native_id, modified_at, visibility, git_remote, cwd)
            values (current_user, $1, $2, $3::text::timestamptz, $4, $5, $6)
            on conflict (member, agent, native_id) do update set modified_at = excluded.modified_at,
              visibility = excluded.visibility, git_remote = excluded.git_remote, cwd = excluded.cwd
            where known.forgotten_at is null`,
            [agent, name, modifiedAt, isTeam ? 'team' : 'private', gitRemote, cwd],
          ),
        ),
      );
      await Promise.all(
        segments.map(({ session, path, name, isRedacted, bytes }) =>
          tx.query(
            `insert into recall.segment (session, machine, path, name, sha256, is_redacted, bytes)
            select id, $1::text::uuid, $2, $3, $4, $5::text::boolean, $6::bytea from recall.session
            where member = current_user::text and agent = $7 and native_id = $8 and forgotten_at is null
            on conflict do nothing`,
            [
              this.machine,
              path,
              name,
              toDigest(bytes),
              String(isRedacted),
              bytes,
              session.agent,
              session.name,
            ],
          ),
        ),
      );
      if (replaced.length > 0)
        await tx.query(
          `delete from recall.segment using jsonb_to_recordset($2::text::jsonb) as old (path text, name text)
          where machine = $1::text::uuid and path_key = md5(old.path) and segment.name = old.name`,
          [this.machine, JSON.stringify(replaced.map(({ path, name }) => ({ path, name })))],
        );
    });
  }

  async forget(sessions: Parameters<Carrier['forget']>[0]): Promise<void> {
    const given = JSON.stringify(sessions.map(({ agent, name, isTeam }) => ({ agent, name, isTeam })));
    const list = 'jsonb_to_recordset($1::text::jsonb) as given (agent text, name text, "isTeam" boolean)';
    await this.sql.begin(async (tx) => {
      // For the team only what was shared: the id of another session is nobody's matter.
      await tx.query(
        `insert into recall.session as known (member, agent, native_id, modified_at, visibility, forgotten_at)
        select distinct current_user::text, agent, name, now(), 'private', now() from ${list}
        where not "isTeam" or exists (select 1 from recall.session s
          where s.member = current_user::text and s.agent = given.agent and s.native_id = given.name)
        on conflict (member, agent, native_id) do update set forgotten_at = now() where known.forgotten_at is null`,
        [given],
      );
      await tx.query(
        `delete from recall.segment where session in (select id from recall.session
          where member = current_user::text and forgotten_at is not null and native_id = any (array(select name from ${list})))`,
        [given],
      );
    });
  }

  async unshare(sessions: Parameters<Carrier['unshare']>[0]): Promise<void> {
    const given = JSON.stringify(sessions.map(({ agent, name }) => `${agent} ${name}`));
    const theirs = `member = current_user::text and visibility = 'team' and agent || ' ' || native_id in ${names('$1')}`;
    await this.sql.begin(async (tx) => {
      await tx.query(
        `delete from recall.segment where session in (select id from recall.session where ${theirs})`,
        [given],
      );
      await tx.query(`update recall.session set visibility = 'private' where ${theirs}`, [given]);
    });
  }

  async changes(since: string): Promise<Changes> {
    // A database that was brought back from a backup counts from there again: then everything is looked at once more.
    const number = /^\d{1,18}$/.test(since) ? since : '0';
    const from = this.hasAsked || BigInt(number) <= this.lastChange ? number : '0';
    this.hasAsked = true;
    const rows = await this.sql.query(
      `select kind, change::text as change, id::text as id, machine::text as machine, member, agent, native_id, is_team, name,
        size_bytes::text as size_bytes from recall.changes($1::text::bigint, $2::text::integer)`,
      [from, String(changesAtOnce)],
    );
    const segments: FoundSegment[] = [];
    const withdrawn: Withdrawal[] = [];
    const left: string[] = [];
    for (const row of rows) {
      if (row.kind === 'left') left.push(String(row.machine));
      else if (row.kind === 'withdrawn') withdrawn.push(toWhose(row));
      else segments.push(toSegment(row));
    }
    const last = String(rows.at(-1)?.change ?? from);
    return {
      segments,
      withdrawn,
      left: left.filter((key) => key !== this.machine),
      // Where nothing has come, nobody asks for more than this.
      machines: segments.length === 0 ? [] : await this.machines(),
      // What is damaged there stays so: it was named, and is not asked for again.
      next: () => last,
      hasMore: rows.length >= changesAtOnce,
    };
  }

  async get(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer | UserError>> {
    const rows = await this.sql.query(
      `select id::text as id, sha256, bytes from recall.segment
      where id = any (array(select value::bigint from jsonb_array_elements_text($1::text::jsonb)))`,
      [JSON.stringify(ids)],
    );
    return new Map(
      rows.map(({ id, sha256, bytes }) => {
        const found = Buffer.from(bytes as Uint8Array);
        const isWhole = toDigest(found) === sha256;
        return [String(id), isWhole ? found : new UserError('it is damaged', { code: 'hub-segment' })];
      }),
    );
  }

  async leave(): Promise<void> {
    await this.sql.begin(async (tx) => {
      await tx.query('delete from recall.segment where machine = $1::text::uuid', [this.machine]);
      await tx.query('update recall.machine set left_at = now() where key = $1::text::uuid', [this.machine]);
      await tx.query(
        `update recall.session set visibility = 'private' where member = current_user::text and visibility = 'team'
          and not exists (select 1 from recall.segment where session = recall.session.id)`,
      );
    });
  }

  close(): Promise<void> {
    return this.sql.close();
  }
}

function toWhose({ member, agent, native_id, is_team }: Row): Withdrawal {
  return {
    owner: String(member),
    agent: String(agent),
    session: String(native_id),
    isTeam: is_team === true,
  };
}

function toSegment(row: Row): FoundSegment {
  const { id, machine, name, size_bytes } = row;
  return {
    ...toWhose(row),
    id: String(id),
    machine: String(machine),
    name: String(name),
    sizeBytes: Number(size_bytes),
  };
}

function carryWords(sql: Sql, machine: string): WordCarrier {
  return {
    marks: async () => {
      const rows = await sql.query(
        'select key, mark from recall.word_session where machine = $1::text::uuid and version = $2::text::integer',
        [machine, String(hubWordsVersion)],
      );
      return new Map(rows.map(({ key, mark }) => [String(key), mark === null ? null : String(mark)]));
    },
    put: async (parts, words) => {
      const given = parts.map(({ key, mark, owner, isFirst, isLast, row, texts }: WordedPart) => ({
        ...{ owner, isFirst, texts },
        row: { ...row, key, mark: isLast ? mark : null, version: hubWordsVersion },
      }));
      await sql.query('select recall.put_words($1::text::uuid, $2::text::jsonb, $3::text::jsonb)', [
        machine,
        toJson(given),
        toJson(words),
      ]);
    },
    drop: async (keys) => {
      await sql.query(
        'select recall.drop_words($1::text::uuid, array(select jsonb_array_elements_text($2::text::jsonb)))',
        [machine, JSON.stringify(keys)],
      );
    },
    segmentsOf: async (session) => {
      const rows = await sql.query(
        `select g.id::text as id, g.machine::text as machine, s.member, s.agent, s.native_id, g.name, octet_length(g.bytes)::text as size_bytes
        from recall.session s join recall.segment g on g.session = s.id
        where s.visibility = 'team' and (s.native_id = $1 or s.id in (select session from recall.word_session where native_id = $1))
        order by g.id`,
        [session],
      );
      return rows.map((row) => toSegment({ ...row, is_team: true }));
    },
  };
}

/** PostgreSQL takes neither the character zero nor half a surrogate pair. */
function toJson(value: unknown): string {
  const clean = (_: string, each: unknown) =>
    typeof each === 'string' ? each.replaceAll('\0', '').toWellFormed() : each;
  return JSON.stringify(value, clean);
}
