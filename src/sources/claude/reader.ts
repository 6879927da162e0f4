// Reads Claude Code's files: transcripts, the small JSON files beside them, which give titles and hints and never decide what
// exists; and makes a transcript of what is left of a session. Apart from source.ts, because a look at the disk has no use for it.

import { createHash } from 'node:crypto';
import type { SessionHint, SidecarFile } from '../../records.ts';
import {
  integerField,
  isTrue,
  type JsonObject,
  numberField,
  objectsField,
  parseJsonObject,
  stringField,
  timeField,
  toTimestamp,
  trimmedField,
} from '../json/json-value.ts';
import { type Cleaning, redactLine as redact, textPlaceholder, withoutSignedBlocks } from '../json/redact.ts';
import type { RebuiltMessage, RebuiltSession, SidecarContent, SourceReader } from '../source.ts';
import { type LineFormat, readTranscript } from '../transcript/read-transcript.ts';
import { isUuid } from '../usual.ts';
import { parseEntry, parseHistoryLine } from './parse.ts';
import { isSilentLine } from './silent-lines.ts';

export const claudeLines: LineFormat = {
  // Older versions have the first.
  subagentTools: ['Task', 'Agent'],
  hasUuids: true,
  isSilent: isSilentLine,
  parseEntry,
  parsePrompt: parseHistoryLine,
};

export const claudeReader: SourceReader = {
  read: (job, options) => readTranscript(claudeLines, job, options),
  parseEntry,
  parseSidecar,
  rebuild,
  toRebuiltMarker,
  findRebuiltLines,
  redactLine,
  isSent: ({ type }) => type === 'user' || type === 'assistant',
};

/** Without secrets, and without a thinking block that holds one, because it is signed. */
function redactLine(bytes: Buffer, cleaning?: Cleaning): Buffer {
  const isThinking = ({ type }: JsonObject) => type === 'thinking' || type === 'redacted_thinking';
  return redact(
    bytes,
    (line, isChanged) => withoutSignedBlocks(line, 'content', isThinking, textPlaceholder, isChanged),
    cleaning,
  );
}

export type SidecarKind = 'sessions-index' | 'agent-meta' | 'custom-title';

function parseSidecar({ kind }: SidecarFile, text: string): SidecarContent | null {
  const value = parseJsonObject(text);
  if (value === null) return null;
  switch (kind as SidecarKind) {
    case 'sessions-index':
      return { hints: parseSessionsIndex(value) };
    case 'agent-meta':
      return {
        subagentType: cleanField(value, 'agentType'),
        subagentDescription: cleanField(value, 'description') ?? cleanField(value, 'name'),
        toolUseId: stringField(value, 'toolUseId'),
      };
    case 'custom-title':
      return { customTitle: cleanField(value, 'customTitle') ?? cleanField(value, 'title') };
  }
}

export function parseSessionsIndex(index: JsonObject): SessionHint[] {
  const originalPath = stringField(index, 'originalPath');
  return objectsField(index, 'entries').flatMap((entry) => {
    const nativeId = stringField(entry, 'sessionId');
    return nativeId === null || isTrue(entry, 'isSidechain') ? [] : [toHint(entry, nativeId, originalPath)];
  });
}

function toHint(entry: JsonObject, nativeId: string, originalPath: string | null): SessionHint {
  const firstPrompt = cleanField(entry, 'firstPrompt');
  return {
    nativeId,
    firstPrompt: firstPrompt === 'No prompt' ? null : firstPrompt,
    summary: cleanField(entry, 'summary'),
    customTitle: cleanField(entry, 'customTitle'),
    createdAt: timeField(entry, 'created'),
    modifiedAt: timeField(entry, 'modified') ?? toTimestamp(numberField(entry, 'fileMtime')),
    branch: stringField(entry, 'gitBranch'),
    projectPath: stringField(entry, 'projectPath') ?? originalPath,
    prNumber: integerField(entry, 'prNumber'),
    prUrl: stringField(entry, 'prUrl'),
    prRepository: stringField(entry, 'prRepository'),
  };
}

function cleanField(object: JsonObject, key: string): string | null {
  return trimmedField(object, key) || null;
}

const markerType = 'recall-rebuilt';

/** Where no line of it names one. */
const unnamed = { version: '2.0.0', model: 'claude-sonnet-4-5' } as const;

/** Prompts and answers only; the first line says that recall made it. Claude Code finds it from everywhere only if compact. */
function* rebuild(
  session: RebuiltSession,
  messages: Iterable<RebuiltMessage>,
  count: number,
): Generator<string> {
  const { nativeId: sessionId, cwd, branch } = session;
  const version = session.version ?? unnamed.version;
  const model = session.model ?? unnamed.model;
  yield toRebuiltMarker(sessionId, count);
  let parentUuid: string | null = null;
  let timestamp = new Date(0).toISOString();
  let i = 0;
  for (const message of messages) {
    const own = message.uuid !== null && isUuid(message.uuid) ? message.uuid : toUuid(sessionId, i++);
    const isRecap = message.kind === 'recap';
    timestamp = message.timestamp ?? timestamp;
    yield JSON.stringify({
      // What came before a compaction is no longer sent to the model.
      parentUuid: isRecap ? null : parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId,
      version,
      gitBranch: branch ?? '',
      type: message.role,
      message:
        message.role === 'user'
          ? { role: 'user', content: message.text }
          : toAnswerMessage(message, model, own),
      ...(isRecap ? { isCompactSummary: true } : {}),
      uuid: own,
      timestamp,
    });
    parentUuid = own;
  }
}

function toRebuiltMarker(sessionId: string, lines: number): string {
  return JSON.stringify({ type: markerType, lines, sessionId });
}

function toAnswerMessage({ text }: RebuiltMessage, model: string, own: string): object {
  return {
    id: `msg_${own.replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  };
}

/** The same each time, so that a session that is rebuilt twice is the same session. */
function toUuid(sessionId: string, i: number): string {
  const hex = createHash('sha256').update(`${sessionId} ${i}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function findRebuiltLines(head: Buffer): number | null {
  const end = head.indexOf(10);
  const text = head.subarray(0, Math.max(0, end)).toString();
  if (!text.startsWith(`{"type":"${markerType}"`)) return null;
  const marker = parseJsonObject(text);
  if (stringField(marker, 'type') !== markerType) return null;
  const lines = numberField(marker, 'lines');
  return lines === null ? null : lines + 1;
}
