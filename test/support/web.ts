// The built `recall web` in a temporary home, and plain HTTP requests to it, with any header.

import type { ChildProcess } from 'node:child_process';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { TempHome } from './home.ts';
import { type RunOptions, startRecall } from './program.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly host?: string;
}

/** A request without a token; what is not given is what the page would send. */
export function askAt(port: number, path: string, options: AskOptions = {}): Promise<Answer> {
  const { method = 'GET', body, host = '127.0.0.1' } = options;
  const usual: Record<string, string> = method === 'POST' ? { 'Content-Type': 'application/json' } : {};
  if (method === 'POST') usual.Origin = `http://127.0.0.1:${port}`;
  const headers = Object.fromEntries(
    Object.entries({ ...usual, ...options.headers }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  return new Promise((resolve, reject) => {
    const asked = request({ host, port, path, method, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk);
      } catch (error) {
        reject(error);
        return;
      }
      const bytes = Buffer.concat(chunks);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes.toString(), bytes });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

export class RunningWeb {
  readonly child: ChildProcess;
  readonly address: URL;
  token = '';

  private constructor(child: ChildProcess, address: string) {
    this.child = child;
    this.address = new URL(address);
  }

  /** With a free port, so that tests can run beside each other. */
  static async start(
    home: TempHome,
    args: readonly string[] = [],
    options: RunOptions = {},
  ): Promise<RunningWeb> {
    const child = startRecall(home, ['web', '--no-open', ...args], options);
    let said = '';
    child.stderr?.on('data', (data) => {
      said += data;
    });
    const address = await new Promise<string>((resolve, reject) => {
      let printed = '';
      child.stdout?.on('data', (data) => {
        printed += data;
        if (printed.includes('\n')) resolve(printed.trim());
      });
      child.on('close', (code) => reject(new Error(`recall web ended with ${code}: ${said}`)));
    });
    return new RunningWeb(child, address);
  }

  get port(): number {
    return Number(this.address.port);
  }

  get code(): string {
    return /^#code=([\w-]+)/.exec(this.address.hash)?.[1] ?? '';
  }

  ask(path: string, options: AskOptions = {}): Promise<Answer> {
    return askAt(this.port, path, options);
  }

  exchange(code = this.code): Promise<Answer> {
    return this.ask('/api/token', { method: 'POST', body: JSON.stringify({ code }) });
  }

  async unlock(): Promise<this> {
    this.token = JSON.parse((await this.exchange()).body).token;
    return this;
  }

  /** With the token. */
  get(path: string, options: AskOptions = {}): Promise<Answer> {
    return this.ask(path, {
      ...options,
      headers: { Authorization: `Bearer ${this.token}`, ...options.headers },
    });
  }

  async json<T = Record<string, never>>(path: string): Promise<T> {
    return JSON.parse((await this.get(`/api/${path}`)).body);
  }

  post(path: string, body: object, headers: AskOptions['headers'] = {}): Promise<Answer> {
    return this.get(path, { method: 'POST', body: JSON.stringify(body), headers });
  }

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const ended = new Promise<number | null>((resolve) => this.child.on('close', resolve));
    this.child.kill(signal);
    return ended;
  }
}
