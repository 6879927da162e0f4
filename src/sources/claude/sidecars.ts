// Reads the small JSON files beside the transcripts. They give titles and hints and never decide what exists.

import type { SessionHint, SidecarFile, SubagentMeta } from '../../records.ts';
import {
  field,
  isObject,
  isTrue,
  type JsonObject,
  numberField,
  parseJsonObject,
  stringField,
  toTimestamp,
} from '../json/json-value.ts';
import type { SidecarContent } from '../source.ts';
import { toPullRequest } from './parse-entry.ts';

/** What Claude Code's sidecars are called in the index. */
export type SidecarKind = 'sessions-index' | 'agent-meta' | 'custom-title';

const nothing: SidecarContent = { customTitle: null, meta: null, hints: [] };

export function parseSidecar({ kind }: SidecarFile, text: string): SidecarContent | null {
  const value = parseJsonObject(text);
  if (value === null) return null;
  switch (kind as SidecarKind) {
    case 'sessions-index':
      return { ...nothing, hints: parseSessionsIndex(value) };
    case 'agent-meta':
      return { ...nothing, meta: parseSubagentMeta(value) };
    case 'custom-title':
      return { ...nothing, customTitle: parseCustomTitle(value) };
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

function cleanField(object: JsonObject, key: string): string | null {
  const text = (stringField(object, key) ?? '').trim();
  return text === '' ? null : text;
}
