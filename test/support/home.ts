// A Claude home in a temporary directory, built a line at a time, so that a test shows only what it is about.

import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type Line = Record<string, unknown>;

/** A directory of its own that is removed when the test's `using` scope or process ends. */
export class TempHome {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'recall-test-')));
  readonly claudeDir = join(this.path, '.claude');
  readonly indexPath = join(this.path, 'recall', 'recall.db');

  constructor() {
    mkdirSync(this.claudeDir, { recursive: true });
  }

  /** Writes a file below .claude; an array becomes JSON lines, an object JSON. */
  write(path: string, content: string | readonly Line[] | Line): string {
    const full = join(this.claudeDir, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, toText(content));
    return full;
  }

  append(path: string, content: string | readonly Line[]): void {
    appendFileSync(join(this.claudeDir, path), toText(content));
  }

  /** Writes a main session of a project and returns its path below .claude. */
  writeSession(nativeId: string, lines: readonly Line[], slug = '-home-u-shop'): string {
    const path = `projects/${slug}/${nativeId}.jsonl`;
    this.write(path, lines);
    return path;
  }

  /** As if the person had already been asked whether transcripts are to be kept: at a terminal a search would ask. */
  refuseArchive(): void {
    const folder = join(this.path, '.config', 'recall');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.json'), '{"archive": false}');
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    this.remove();
  }
}

function toText(content: string | readonly Line[] | Line): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? toJsonl(content) : JSON.stringify(content);
}

export function toJsonl(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** What a session of Claude Code is known by. */
export function claudeKey(nativeId: string): { readonly agent: 'claude'; readonly nativeId: string } {
  return { agent: 'claude', nativeId };
}

let counter = 0;

/** Test files share this module, and each is to see the same uuids and times whatever ran before it. */
export function restartCounter(): void {
  counter = 0;
}

/** A fresh uuid, the same in every run of a test file. */
export function uuid(): string {
  counter++;
  const hex = (counter * 2654435761).toString(16).padStart(12, '0').slice(-12);
  return `00000000-0000-4000-8000-${hex}`;
}

/** A time on an invented day; `minute` orders the lines of a test. */
export function at(minute: number, day = '2026-03-05'): string {
  const start = Date.parse(`${day}T10:00:00.000Z`);
  return new Date(start + minute * 60_000).toISOString();
}

function envelope(extra: Line): Line {
  return {
    uuid: uuid(),
    timestamp: at(counter % 600),
    cwd: '/home/u/shop',
    gitBranch: 'main',
    version: '2.1.100',
    isSidechain: false,
    userType: 'external',
    ...extra,
  };
}

export function userLine(content: unknown, extra: Line = {}): Line {
  return envelope({ type: 'user', message: { role: 'user', content }, ...extra });
}

export function assistantLine(content: string | readonly Line[], extra: Line = {}): Line {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const message = { role: 'assistant', model: 'claude-sonnet-4-5', id: `msg_${counter}`, content: blocks };
  return envelope({ type: 'assistant', message, ...extra });
}

export function toolUse(name: string, input: Line, id = `toolu_${uuid().slice(-12)}`): Line {
  return { type: 'tool_use', id, name, input };
}

export function toolResult(id: string, isError = false): Line {
  return { type: 'tool_result', tool_use_id: id, content: 'output that is never indexed', is_error: isError };
}
