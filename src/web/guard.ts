// Who may ask the page's server, and how an answer is sent: every rule that keeps others out is here. Another user of the machine has
// no token; another page in the same browser has none either, and is refused by its origin; a name that was pointed at this machine
// is refused as a host. A code is worth a token once. Everything that is sent forbids the browser all that the page does not need.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const limits = {
  urlChars: 4096,
  queryChars: 1000,
  bodyBytes: 16 * 1024,
  streams: 16,
  connections: 128,
  requestMs: 5000,
} as const;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const headers = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Cache-Control': 'no-store',
} as const;

/** How long an unused code is good for: long enough to copy an address to another machine. */
const codeMs = 10 * 60_000;
const maxCodes = 16;

export class Guard {
  private readonly token = randomBytes(32).toString('base64url');
  /** Known to whoever may read the file in which it is: the person who started this. */
  readonly secret = randomBytes(32).toString('base64url');
  private readonly codes = new Map<string, number>();
  private readonly elapsedMs: () => number;
  private hosts: readonly string[] = [];

  constructor(elapsedMs: () => number) {
    this.elapsedMs = elapsedMs;
  }

  listensOn(port: number): void {
    this.hosts = ['127.0.0.1', '[::1]', 'localhost'].map((name) => `${name}:${port}`);
  }

  makeCode(): string {
    this.dropOldCodes();
    const [oldest] = this.codes.keys();
    if (this.codes.size >= maxCodes && oldest !== undefined) this.codes.delete(oldest);
    const code = randomBytes(18).toString('base64url');
    this.codes.set(code, this.elapsedMs());
    return code;
  }

  takeToken(code: unknown): string {
    this.dropOldCodes();
    if (typeof code !== 'string' || !this.codes.delete(code))
      throw new Refusal(401, 'the code was used already');
    return this.token;
  }

  /** Before anything else is done. */
  checkRequest(request: IncomingMessage): void {
    const { headers: given, method, url = '' } = request;
    if (!this.hosts.includes(given.host ?? '')) throw new Refusal(403, 'unknown host');
    if (method !== 'GET' && method !== 'POST') throw new Refusal(405, 'only GET and POST');
    if (url.length > limits.urlChars) throw new Refusal(414, 'the address is too long');
    const site = given['sec-fetch-site'];
    const isNavigation = given['sec-fetch-mode'] === 'navigate' && method === 'GET';
    if (!isNavigation && (site === 'cross-site' || site === 'same-site'))
      throw new Refusal(403, 'another page asked');
    if (method === 'GET') return;
    if (given.origin !== `http://${given.host}`) throw new Refusal(403, 'unknown origin');
    if (!/^application\/json\s*(;|$)/i.test(given['content-type'] ?? ''))
      throw new Refusal(415, 'only application/json');
  }

  checkToken({ headers: { authorization = '' } }: IncomingMessage): void {
    if (!isSame(authorization, `Bearer ${this.token}`)) throw new Refusal(401, 'no valid token');
  }

  checkProof(nonce: unknown, proof: unknown): string {
    if (typeof nonce !== 'string' || typeof proof !== 'string') throw new Refusal(401, 'no proof');
    if (!isSame(proof, prove(this.secret, 'asks', nonce))) throw new Refusal(401, 'no valid proof');
    return prove(this.secret, 'answers', nonce);
  }

  private dropOldCodes(): void {
    for (const [code, madeAtMs] of this.codes)
      if (this.elapsedMs() - madeAtMs > codeMs) this.codes.delete(code);
  }
}

/** Says that one knows the secret without saying it: the port may be somebody else's by now. */
export function prove(secret: string, role: 'asks' | 'answers', nonce: string): string {
  return createHmac('sha256', secret).update(`${role} ${nonce}`).digest('base64url');
}

export function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest()) as [
    Buffer,
    Buffer,
  ];
  return timingSafeEqual(a, b);
}

export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limits.bodyBytes) throw new Refusal(413, 'the request is too large');
    chunks.push(chunk);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof body === 'object' && body !== null && !Array.isArray(body))
      return body as Record<string, unknown>;
  } catch {}
  throw new Refusal(400, 'not a JSON object');
}

export function send(
  response: ServerResponse,
  status: number,
  type: string,
  content: string | Buffer,
  more: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(content as string);
  response.writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': bytes.length, ...more });
  response.end(bytes);
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(value));
}
