// The connection to a hub's database: where it is, that it is encrypted unless it stays on this machine, and the password, which
// comes from the environment, a file that only its owner can read, or ~/.pgpass, and is shown nowhere.

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import pgpass from 'pgpass';
import postgres from 'postgres';
import { toReason, UserError } from '../../errors.ts';
import { hint, recall } from '../../hints.ts';
import { readForeignFile } from '../../open-file.ts';
import type { Surroundings } from '../../records.ts';

export type Row = Readonly<Record<string, unknown>>;

/** As much of a database as a hub needs; values are texts, null or bytes. */
export interface Sql {
  query(text: string, values?: readonly (string | null | Buffer)[]): Promise<readonly Row[]>;
  /** All of it or nothing. */
  begin<T>(run: (sql: Sql) => Promise<T>): Promise<T>;
  /** What is being asked is no longer wanted. */
  cancel?(): void;
  close(): Promise<void>;
}

export interface Address {
  /** postgres://ann@db.example.org/recall */
  readonly address: string;
  /** Where it was part of the address once. */
  readonly password: string | null;
  readonly at: Surroundings;
  readonly timeoutMs: number;
  /** How long the server works on one question. */
  readonly limitMs?: number;
}

export interface ConnectionPlan {
  readonly host: string;
  readonly port: number;
  /** Of a socket on this machine, in place of both. */
  readonly path: string | null;
  readonly user: string;
  readonly database: string;
  /** Null where nothing leaves the machine. */
  readonly tls: { readonly ca?: string } | null;
}

/** Throws for any way to another machine that is not encrypted, or whose other end is not known to be the right one. */
export function planConnection(address: string, at: Surroundings): ConnectionPlan {
  const url = new URL(address);
  const param = (name: string) => url.searchParams.get(name);
  const host = param('host') ?? (decodeURIComponent(url.hostname) || 'localhost').replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port || param('port') || 5432);
  const path = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : null;
  const user = decodeURIComponent(url.username) || param('user') || at.env.PGUSER || at.env.USER || '';
  const database = decodeURIComponent(url.pathname.slice(1)) || user;
  const unknown = [...url.searchParams.keys()].filter((name) => !known.includes(name));
  if (unknown.length > 0 || user === '')
    throw new UserError(
      user === '' ? 'the address names no login' : `${unknown.join(', ')} cannot be part of the address`,
      { code: 'usage', hint: 'postgres://<name>@<host>/<database>' },
    );
  const mode = param('sslmode');
  const isLocal = path !== null || isLoopback(host);
  if (!isLocal && mode !== null && mode !== 'verify-full')
    throw new UserError(`sslmode=${mode} would let others read or change what is sent to ${host}`, {
      code: 'insecure-hub',
      hint: 'leave it out: the certificate is verified for every host but this machine',
    });
  const certificate = param('sslrootcert');
  const ca = certificate === null ? {} : { ca: readForeignFile(certificate).toString() };
  const isPlain = path !== null || (isLocal && (mode === null || mode === 'disable'));
  return { host, port, path, user, database, tls: isPlain ? null : ca };
}

const known = ['host', 'port', 'user', 'sslmode', 'sslrootcert'];

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

export async function connect({ address, password, at, timeoutMs, limitMs }: Address): Promise<Sql> {
  const plan = planConnection(address, at);
  const { host, port, path, user, database, tls } = plan;
  const pass = at.env.PGPASSWORD ?? password ?? (await findPassword(plan));
  const client = postgres({
    ...(path === null ? { host, port } : { path }),
    user,
    database,
    ...(pass === undefined ? {} : { pass }),
    // Node verifies the certificate. The name is compared here: the driver names no host that is an address, and node would then
    // take a certificate for localhost.
    ssl:
      tls === null
        ? false
        : {
            ...tls,
            checkServerIdentity: (_: string, certificate: PeerCertificate) =>
              checkServerIdentity(host, certificate),
          },
    max: 1,
    connect_timeout: Math.max(1, Math.ceil(timeoutMs / 1000)),
    idle_timeout: 60,
    prepare: false,
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: 'recall',
      lock_timeout: 20_000,
      statement_timeout: limitMs ?? 120_000,
      idle_in_transaction_session_timeout: 60_000,
    },
  });
  const where = path === null ? `${host}:${port}` : host;
  const asked = new Set<Asked>();
  const sql = toSql(client, (error) => toHubError(error, where, user), asked);
  const cancel = () => {
    for (const each of asked) each.cancel();
  };
  return { ...sql, cancel, close: () => client.end({ timeout: 2 }) };
}

type Asked = ReturnType<postgres.Sql['unsafe']>;

function toSql(
  client: postgres.Sql | postgres.TransactionSql,
  explain: (error: unknown) => unknown,
  asked: Set<Asked>,
): Sql {
  const guard = <T>(run: Promise<T>): Promise<T> =>
    run.catch((error) => {
      throw explain(error);
    });
  return {
    query: (text, values = []) => {
      const query = client.unsafe(text, [...values]);
      asked.add(query);
      return guard(query as unknown as Promise<readonly Row[]>).finally(() => asked.delete(query));
    },
    begin: (run) =>
      guard(
        (client as postgres.Sql).begin((tx) => run(toSql(tx, explain, asked))) as Promise<
          Awaited<ReturnType<typeof run>>
        >,
      ),
    close: async () => {},
  };
}

function findPassword({ host, port, user, database }: ConnectionPlan): Promise<string | undefined> {
  return new Promise((resolve) => pgpass({ host, port, user, database }, resolve));
}

/**
 * What PostgreSQL keeps in place of a password (RFC 5802), made here as psql's \password does: statements are written into the
 * logs of a server, and this is no password.
 */
export function toVerifier(password: string): string {
  const [rounds, salt] = [4096, randomBytes(16)];
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256');
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(sign('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${sign('Server Key').toString('base64')}`;
}

/** What a person can do something about. Nothing that the server says is shown but its own words on the error. */
function toHubError(error: unknown, where: string, user: string): unknown {
  if (error instanceof UserError || !(error instanceof Error)) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  const fail = (message: string, what: ConstructorParameters<typeof UserError>[1]) =>
    new UserError(message, { cause: error, ...what });
  if (code === '28P01' || code === '28000' || /password/i.test(error.message))
    return fail(`the hub at ${where} refused the login ${user}`, {
      code: 'hub-refused',
      hint: 'put the password into ~/.pgpass (mode 0600), as host:port:database:name:password, or into PGPASSWORD',
    });
  if (code === '42P01' || code === '3F000')
    return fail('there is no hub in this database', {
      code: 'no-hub',
      hint: hint`its admin makes one: ${recall('hub', 'setup', '<address>')}`,
    });
  if (code === '42501')
    return fail(`the hub at ${where} does not allow ${user} to do that`, {
      code: 'hub-refused',
      hint: hint`its admin adds a person: ${recall('hub', 'add', '<name>')}`,
    });
  if (code === '57014')
    return fail(`the hub at ${where} took too long to answer`, {
      code: 'hub-slow',
      hint: 'rarer words, or a filter such as --project or --since, take less time',
    });
  if (/^[0-9A-Z]{5}$/.test(code))
    return fail(`the hub at ${where} answered: ${error.message}`, { code: 'hub-failed' });
  const reason = code === 'CONNECT_TIMEOUT' ? 'it does not answer' : toReason(error);
  return fail(`the hub at ${where} cannot be reached: ${reason}`, {
    code: 'hub-unreachable',
    hint: 'searching works without it; what is due is sent the next time',
  });
}
