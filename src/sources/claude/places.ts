// Where Claude Code keeps conversations below a root, and what a name there means. Pure: it looks at names only.

import type { SidecarFile, TranscriptFile } from '../../records.ts';

/** A folder that is looked into, and what is expected in it. */
export interface Place {
  /** Relative to the root, with forward slashes. */
  readonly folder: string;
  readonly holds: 'projects' | 'project' | 'session' | 'agents' | 'exports' | 'histories';
  readonly slug: string | null;
  /** The session whose folder this is, for what lies below projects/<slug>/<id>/. */
  readonly nativeId: string | null;
  /** How many folders below this one are still looked into. */
  readonly depth: number;
}

export type FoundTranscript = Omit<TranscriptFile, 'sizeBytes' | 'mtimeMs' | 'ctimeMs' | 'inode'>;
export type FoundSidecar = Omit<SidecarFile, 'sizeBytes' | 'mtimeMs' | 'ctimeMs' | 'inode'>;

/** What a file is: one of its two meanings is not null. */
export interface Meaning {
  readonly transcript: FoundTranscript | null;
  readonly sidecar: FoundSidecar | null;
}

/** Agents stand in subagents/ and subagents/workflows/wf_*\/; deeper than this is nobody's layout. */
const maxAgentDepth = 4;

const base = { slug: null, nativeId: null, depth: 1 };
export const stores: readonly Place[] = [
  { ...base, folder: 'projects', holds: 'projects' },
  { ...base, folder: 'transcripts', holds: 'exports' },
  { ...base, folder: 'pre-compact-session-histories', holds: 'histories' },
];

export const historyFile: FoundTranscript = {
  path: 'history.jsonl',
  kind: 'history',
  nativeId: 'history',
  parentNativeId: null,
  slug: null,
  isMachinery: false,
};

/** The folder `name` of a place, null when nothing in it is of interest. */
export function toPlaceBelow(place: Place, name: string): Place | null {
  const folder = `${place.folder}/${name}`;
  const { slug, nativeId } = place;
  switch (place.holds) {
    case 'projects':
      return { folder, holds: 'project', slug: name, nativeId: null, depth: 1 };
    case 'project':
      return name === 'memory' ? null : { folder, holds: 'session', slug, nativeId: name, depth: 1 };
    case 'session':
      return name === 'subagents'
        ? { folder, holds: 'agents', slug, nativeId, depth: maxAgentDepth - 1 }
        : null;
    case 'agents':
      return place.depth > 0 ? { ...place, folder, depth: place.depth - 1 } : null;
    default:
      return null;
  }
}

const machinery = /^(acompact|aprompt_suggestion|aside_question)-/;
const agentFile = /^agent-(.+)\.jsonl$/s;
const agentMetaFile = /^agent-(.+)\.meta\.json$/s;

/** Whether a name is worth a look at its file: much cheaper than its meaning. */
export function isOfInterest(place: Place, name: string): boolean {
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
export function isWrittenOnce(place: Place, name: string): boolean {
  if (place.holds !== 'agents') return false;
  return isAgentMeta(name) || machinery.test(name.slice('agent-'.length));
}

/** For a name that is of interest. */
export function toMeaning(place: Place, name: string): Meaning {
  const { slug } = place;
  const path = `${place.folder}/${name}`;
  switch (place.holds) {
    case 'project': {
      if (name === 'sessions-index.json') return asSidecar(path, 'sessions-index', slug, null);
      const agentId = agentFile.exec(name)?.[1];
      return agentId === undefined
        ? asTranscript(path, 'main', stem(name), slug)
        : asTranscript(path, 'subagent', agentId, slug);
    }
    case 'session':
      return asSidecar(path, 'custom-title', slug, place.nativeId);
    case 'agents': {
      const agentId = agentFile.exec(name)?.[1];
      return agentId === undefined
        ? asSidecar(path, 'agent-meta', slug, agentMetaFile.exec(name)?.[1] ?? null)
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
  kind: SidecarFile['kind'],
  slug: string | null,
  nativeId: string | null,
): Meaning {
  return { transcript: null, sidecar: { path, kind, slug: slug ?? '', nativeId } };
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
