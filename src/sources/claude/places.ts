// Where Claude Code keeps conversations below a root, and what a name there means. Pure: it looks at names only.

import type { TranscriptFile } from '../../records.ts';
import type { Layout, Meaning, Place } from '../files/layout.ts';
import type { SidecarKind } from './sidecars.ts';

/** A folder, and what is expected in it. */
interface ClaudePlace extends Place {
  readonly holds: 'projects' | 'project' | 'session' | 'agents' | 'exports' | 'histories';
  readonly slug: string | null;
  /** The session whose folder this is, for what lies below projects/<slug>/<id>/. */
  readonly nativeId: string | null;
  /** How many folders below this one are still looked into. */
  readonly depth: number;
}

/** Subagents are in subagents/ and subagents/workflows/wf_*\/; deeper than this is nobody's layout. */
const maxAgentDepth = 4;

const stores: readonly ClaudePlace[] = [
  toPlace('projects', 'projects', null, null, 1),
  toPlace('transcripts', 'exports', null, null, 1),
  toPlace('pre-compact-session-histories', 'histories', null, null, 1),
];

function toPlace(
  folder: string,
  holds: ClaudePlace['holds'],
  slug: string | null,
  nativeId: string | null,
  depth: number,
): ClaudePlace {
  const hasSessionFolders = holds === 'project';
  const isSessionFolder = holds === 'session';
  return { folder, hasSessionFolders, isSessionFolder, holds, slug, nativeId, depth };
}

const historyFile = 'history.jsonl';

function toPlaceBelow(
  { holds, folder, slug, nativeId, depth }: ClaudePlace,
  name: string,
): ClaudePlace | null {
  const below = `${folder}/${name}`;
  switch (holds) {
    case 'projects':
      return toPlace(below, 'project', name, null, 1);
    case 'project':
      return name === 'memory' ? null : toPlace(below, 'session', slug, name, 1);
    case 'session':
      return name === 'subagents' ? toPlace(below, 'agents', slug, nativeId, maxAgentDepth - 1) : null;
    case 'agents':
      return depth > 0 ? toPlace(below, 'agents', slug, nativeId, depth - 1) : null;
    default:
      return null;
  }
}

const machinery = /^(acompact|aprompt_suggestion|aside_question)-/;
const agentFile = /^agent-(.+)\.jsonl$/s;
const agentMetaFile = /^agent-(.+)\.meta\.json$/s;

function isOfInterest(place: ClaudePlace, name: string): boolean {
  switch (place.holds) {
    case 'project':
      return isJsonl(name) || name === 'sessions-index.json';
    case 'session':
      return name === 'custom-title.json';
    case 'agents':
      return name.startsWith('agent-') && (isAgent(name) || isAgentMeta(name));
    case 'exports':
    case 'histories':
      return isJsonl(name);
    default:
      return false;
  }
}

/**
 * Files that are written once, so that there is nothing new in them while their folder stays as it was: what an agent is
 * for, and Claude Code's own helpers, which repeat their parent's text and are never read.
 */
function isWrittenOnce(place: ClaudePlace, name: string): boolean {
  if (place.holds !== 'agents') return false;
  return isAgentMeta(name) || machinery.test(name.slice('agent-'.length));
}

function toMeaning(place: ClaudePlace, name: string): Meaning {
  const { slug } = place;
  const path = `${place.folder}/${name}`;
  switch (place.holds) {
    case 'project': {
      if (name === 'sessions-index.json') return asSidecar(path, 'sessions-index', place, null);
      const agentId = agentFile.exec(name)?.[1];
      return agentId === undefined
        ? asTranscript(path, 'main', stem(name), slug)
        : asTranscript(path, 'subagent', agentId, slug);
    }
    case 'session':
      return asSidecar(path, 'custom-title', place, place.nativeId);
    case 'agents': {
      const agentId = agentFile.exec(name)?.[1];
      return agentId === undefined
        ? asSidecar(path, 'agent-meta', place, agentMetaFile.exec(name)?.[1] ?? null)
        : asTranscript(path, 'subagent', agentId, slug, place.nativeId);
    }
    case 'exports':
      return asTranscript(path, 'transcript', stem(name), null);
    default:
      return asTranscript(path, 'precompact', stem(name), null);
  }
}

function asTranscript(
  path: string,
  kind: TranscriptFile['kind'],
  nativeId: string,
  slug: string | null,
  parentNativeId: string | null = null,
): Meaning {
  const isMachinery = kind === 'subagent' && machinery.test(nativeId);
  return { transcript: { path, kind, nativeId, parentNativeId, slug, isMachinery }, sidecar: null };
}

function asSidecar(
  path: string,
  kind: SidecarKind,
  { slug, nativeId: parentNativeId }: ClaudePlace,
  nativeId: string | null,
): Meaning {
  return { transcript: null, sidecar: { path, kind, slug: slug ?? '', nativeId, parentNativeId } };
}

function isJsonl(name: string): boolean {
  return name.endsWith('.jsonl') && name !== '.jsonl';
}

function isAgent(name: string): boolean {
  return name.endsWith('.jsonl') && name.length > 'agent-.jsonl'.length;
}

function isAgentMeta(name: string): boolean {
  return name.endsWith('.meta.json') && name.length > 'agent-.meta.json'.length;
}

function stem(name: string): string {
  return name.slice(0, -'.jsonl'.length);
}

/** Where the subagents of a session are, beside its transcript. */
function toSessionFolder({ folder }: ClaudePlace, name: string): string {
  return `${folder}/${stem(name)}`;
}

export const layout: Layout<ClaudePlace> = {
  stores,
  rootFiles: new Map([[historyFile, asTranscript(historyFile, 'history', 'history', null)]]),
  toPlaceBelow,
  isOfInterest,
  isTranscript: (name) => name.endsWith('.jsonl'),
  isWrittenOnce,
  toMeaning,
  toSessionFolder,
};
