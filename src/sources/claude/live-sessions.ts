// The sessions that are open in a running Claude Code. Since 2.1 every interactive one writes sessions/<pid>.json and removes
// it when it ends; after a crash the file stays, so the process is looked up as well.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveSession } from '../source.ts';

interface Entry {
  readonly pid?: unknown;
  readonly sessionId?: unknown;
  readonly cwd?: unknown;
  /** On Linux, when the process was started, in ticks since the machine was. */
  readonly procStart?: unknown;
}

export function readLiveSessions(root: string): LiveSession[] {
  const folder = join(root, 'sessions');
  return listNames(folder).flatMap((name) => {
    if (!/^\d+\.json$/.test(name)) return [];
    const { pid, sessionId, cwd, procStart } = readEntry(join(folder, name));
    if (typeof pid !== 'number' || typeof sessionId !== 'string' || !isAlive(pid, procStart)) return [];
    return [{ nativeId: sessionId, pid, cwd: typeof cwd === 'string' ? cwd : null }];
  });
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readEntry(path: string): Entry {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as Entry | null) ?? {};
  } catch {
    // Half-written, or just removed.
    return {};
  }
}

/** The number of a process that ended is given to another one sooner or later; Linux says when that one was started. */
function isAlive(pid: number, procStart: unknown): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  const startedAt = findStart(pid);
  if (startedAt !== undefined && typeof procStart === 'string') return startedAt === procStart;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function findStart(pid: number): string | undefined {
  try {
    const fields = (readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1) ?? '').split(' ');
    return fields[19];
  } catch {
    return undefined;
  }
}
