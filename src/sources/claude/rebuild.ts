// Makes a transcript of what is left of a session, so that Claude Code can resume it: prompts and answers in their order. What
// tools did is not in it. Its first line says that recall has made it, and how many lines.

import { createHash } from 'node:crypto';
import { numberField, parseJsonObject, stringField } from '../json/json-value.ts';
import type { RebuiltMessage, RebuiltSession } from '../kept-files.ts';

const markerType = 'recall-rebuilt';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Where no line of it names one. */
const usual = { version: '2.0.0', model: 'claude-sonnet-4-5' } as const;

/** Compact, as Claude Code finds a transcript from everywhere only then. */
export function* rebuild(
  session: RebuiltSession,
  messages: Iterable<RebuiltMessage>,
  count: number,
): Generator<string> {
  const { nativeId: sessionId, cwd, branch } = session;
  const version = session.version ?? usual.version;
  const model = session.model ?? usual.model;
  yield toRebuiltMarker(sessionId, count);
  let parentUuid: string | null = null;
  let timestamp = new Date(0).toISOString();
  let i = 0;
  for (const message of messages) {
    const own = message.uuid !== null && uuid.test(message.uuid) ? message.uuid : toUuid(sessionId, i++);
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
        message.role === 'user' ? { role: 'user', content: message.text } : toAnswer(message, model, own),
      ...(isRecap ? { isCompactSummary: true } : {}),
      uuid: own,
      timestamp,
    });
    parentUuid = own;
  }
}

export function toRebuiltMarker(sessionId: string, lines: number): string {
  return JSON.stringify({ type: markerType, lines, sessionId });
}

function toAnswer({ text }: RebuiltMessage, model: string, own: string): object {
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

/** How many lines of a transcript recall has made, the first among them; null where it is the program's own. */
export function findRebuiltLines(head: Buffer): number | null {
  const end = head.indexOf(10);
  const text = head.subarray(0, Math.max(0, end)).toString();
  if (!text.startsWith(`{"type":"${markerType}"`)) return null;
  const marker = parseJsonObject(text);
  if (marker === null || stringField(marker, 'type') !== markerType) return null;
  const lines = numberField(marker, 'lines');
  return lines === null ? null : lines + 1;
}
