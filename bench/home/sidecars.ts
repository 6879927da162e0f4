// The small files beside the transcripts: titles, agents' descriptions, Claude Code's own list of a project's sessions
// and the history of everything typed.

import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What was typed and when; also of sessions whose transcript is gone. */
export interface TypedPrompt {
  readonly display: string;
  readonly timestampMs: number;
  readonly project: string;
  readonly sessionId: string;
}

/** A session as sessions-index.json lists it. */
export interface ListedSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly branch: string;
  readonly summary: string;
  readonly firstPrompt: string;
  readonly messages: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** Returns the number of bytes written, as all of these do. */
export function writeAgentMeta(path: string, description: string, modifiedAtMs: number): number {
  return writeJson(path, { agentType: 'Explore', description }, modifiedAtMs);
}

export function writeCustomTitle(folder: string, customTitle: string, modifiedAtMs: number): number {
  return writeJson(join(folder, 'custom-title.json'), { customTitle }, modifiedAtMs);
}

export function writeSessionsIndex(folder: string, sessions: readonly ListedSession[]): number {
  const entries = sessions.map((session) => ({
    sessionId: session.sessionId,
    // Where the home once stood, not where it was made: the same home has the same bytes everywhere.
    fullPath: `/home/ada/.claude/projects/${basename(folder)}/${session.sessionId}.jsonl`,
    fileMtime: session.modifiedAtMs,
    firstPrompt: session.firstPrompt,
    summary: session.summary,
    messageCount: session.messages,
    created: new Date(session.createdAtMs).toISOString(),
    modified: new Date(session.modifiedAtMs).toISOString(),
    gitBranch: session.branch,
    projectPath: session.cwd,
    isSidechain: false,
  }));
  const last = Math.max(...sessions.map((session) => session.modifiedAtMs));
  const originalPath = sessions[0]?.cwd;
  return writeJson(join(folder, 'sessions-index.json'), { version: 1, originalPath, entries }, last);
}

export function writeHistory(claudeDir: string, prompts: readonly TypedPrompt[]): number {
  const sorted = [...prompts].sort((a, b) => a.timestampMs - b.timestampMs);
  const lines = sorted.map(({ display, timestampMs, project, sessionId }) =>
    JSON.stringify({ display, pastedContents: {}, timestamp: timestampMs, project, sessionId }),
  );
  return write(join(claudeDir, 'history.jsonl'), `${lines.join('\n')}\n`, sorted.at(-1)?.timestampMs ?? 0);
}

function writeJson(path: string, value: unknown, modifiedAtMs: number): number {
  return write(path, JSON.stringify(value), modifiedAtMs);
}

function write(path: string, content: string, modifiedAtMs: number): number {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  utimesSync(path, modifiedAtMs / 1000, modifiedAtMs / 1000);
  return Buffer.byteLength(content);
}
