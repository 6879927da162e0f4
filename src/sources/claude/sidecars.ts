// Reads the small JSON files beside the transcripts. They give titles and hints and never decide what exists.

import type { SessionHint, SubagentMeta } from '../../records.ts';
import {
  field,
  isObject,
  isTrue,
  type JsonObject,
  numberField,
  stringField,
  toTimestamp,
} from '../json/json-value.ts';
import { toPullRequest } from './parse-entry.ts';

/** Null when the text is not JSON or not an object: a broken sidecar says nothing. */
export function parseJsonObject(
  text: string,
  revive?: (key: string, value: unknown) => unknown,
): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text, revive);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function parseSessionsIndex(index: JsonObject): SessionHint[] {
  const entries = field(index, 'entries');
  const originalPath = stringField(index, 'originalPath');
  if (!Array.isArray(entries)) return [];
  return entries.filter(isObject).flatMap((entry) => {
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
    createdAt: toTimestamp(field(entry, 'created')),
    modifiedAt: toTimestamp(field(entry, 'modified')) ?? toTimestamp(numberField(entry, 'fileMtime')),
    branch: stringField(entry, 'gitBranch'),
    projectPath: stringField(entry, 'projectPath') ?? originalPath,
    pullRequest: toPullRequest(entry),
  };
}

export function parseSubagentMeta(meta: JsonObject): SubagentMeta {
  return {
    subagentType: cleanField(meta, 'agentType'),
    description: cleanField(meta, 'description') ?? cleanField(meta, 'name'),
    toolUseId: stringField(meta, 'toolUseId'),
  };
}

export function parseCustomTitle(sidecar: JsonObject): string | null {
  return cleanField(sidecar, 'customTitle') ?? cleanField(sidecar, 'title');
}

/** settings.json: after how many days Claude Code deletes a transcript. */
export function parseCleanupDays(settings: JsonObject | null): number {
  const days = settings === null ? null : numberField(settings, 'cleanupPeriodDays');
  return days === null || days < 0 ? 30 : days;
}

function cleanField(object: JsonObject, key: string): string | null {
  const text = (stringField(object, key) ?? '').trim();
  return text === '' ? null : text;
}
