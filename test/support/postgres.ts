// PostgreSQL for tests: PGlite, which runs in this process, for SQL and for who may do what; and a private server where Debian's
// programs are installed, for everything that needs several connections. RECALL_TEST_PG may name another server, as its admin, on
// which the contract is run too.

import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Row, Sql } from '../../src/hub/postgres/connect.ts';

/** One connection for all: whoever asks says as whom. */
export class LiteServer {
  private readonly db = new PGlite();
  private turn: Promise<unknown> = Promise.resolve();

  as(role: string): Sql {
    return {
      query: (text, values) => this.inTurn(() => this.ask(role, text, values)),
      begin: (run) =>
        this.inTurn(async () => {
          await this.ask(role, 'begin');
          try {
            const tx: Sql = {
              query: (text, values) => this.ask(null, text, values),
              begin: refuse,
              close: async () => {},
            };
            const answer = await run(tx);
            await this.db.exec('commit');
            return answer;
          } catch (error) {
            await this.db.exec('rollback');
            throw error;
          }
        }),
      close: async () => {},
    };
  }

  close(): Promise<void> {
    return this.db.close();
  }

  private inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.turn.then(run, run);
    this.turn = next.catch(() => {});
    return next;
  }

  private async ask(
    role: string | null,
    text: string,
    values?: readonly (string | null | Buffer)[],
  ): Promise<readonly Row[]> {
    if (role !== null) await this.db.exec(`reset session authorization; set session authorization "${role}"`);
    if (values === undefined || values.length === 0) return (await this.db.exec(text)).at(-1)?.rows as Row[];
    return (await this.db.query(text, [...values])).rows as Row[];
  }
}

const refuse = () => Promise.reject(new Error('no transaction in another'));

const debian = '/usr/lib/postgresql';
const binaries = existsSync(debian)
  ? readdirSync(debian)
      .map((version) => join(debian, version, 'bin'))
      .filter((folder) => existsSync(join(folder, 'initdb')))
      .at(-1)
  : undefined;

/** Why there is no server; null where there is one. */
export const noServer: string | null =
  binaries !== undefined && process.platform === 'linux'
    ? null
    : 'PostgreSQL is not installed (on Debian: postgresql)';

/** A server of its own, which only a socket in its folder leads to. As root it runs as the user postgres, since it refuses root. */
export class PrivateServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'recall-pg-'));
  port = 5432;

  start(...options: string[]): this {
    const data = join(this.folder, 'data');
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(this.folder, idOf('-u'), idOf('-g'));
    if (!existsSync(data))
      this.run('initdb', '-D', data, '-U', 'admin', '-A', 'trust', '-E', 'UTF8', '--no-sync');
    const settings = `-k ${this.folder} -p ${this.port} -c listen_addresses= -c fsync=off ${options.join(' ')}`;
    this.run('pg_ctl', '-D', data, '-w', '-l', join(this.folder, 'log'), '-o', settings, 'start');
    return this;
  }

  stop(mode: 'fast' | 'immediate' = 'fast'): void {
    this.run('pg_ctl', '-D', join(this.folder, 'data'), '-m', mode, '-w', 'stop');
  }

  remove(): void {
    try {
      this.stop('immediate');
    } catch {
      // It was stopped by a test.
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  address(user: string, database = 'postgres'): string {
    return `postgres:///${database}?host=${encodeURIComponent(this.folder)}&user=${user}`;
  }

  /** Runs psql as somebody; what it prints. */
  psql(
    user: string,
    text: string,
    database = 'postgres',
  ): { readonly code: number | null; readonly out: string; readonly err: string } {
    const args = [
      '-h',
      this.folder,
      '-p',
      String(this.port),
      '-U',
      user,
      '-d',
      database,
      '-v',
      'ON_ERROR_STOP=1',
      '-Atqc',
      text,
    ];
    const done = spawnSync(join(binaries ?? '', 'psql'), args, { encoding: 'utf8' });
    return { code: done.status, out: done.stdout, err: done.stderr };
  }

  private run(program: string, ...args: string[]): void {
    const command = [join(binaries ?? '', program), ...args];
    const isRoot = process.getuid?.() === 0;
    const [first = '', ...rest] = isRoot
      ? ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups', ...command]
      : command;
    execFileSync(first, rest, { stdio: ['ignore', 'ignore', 'pipe'], cwd: this.folder });
  }
}

const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
