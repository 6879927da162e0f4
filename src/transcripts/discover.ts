// Finds every file of one Claude root that recall reads, with its stamp. It looks only where Claude Code keeps
// conversations and goes on past what it cannot read. The stores themselves (`projects` and its like) may be links, as
// people set them up; below them no link is followed.

import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toReason } from '../errors.ts';
import type { FileStamp, SessionKind, SidecarFile, SidecarKind, TranscriptFile } from '../records.ts';

/** Something that was not looked into. Known files below it are neither seen nor gone. */
export interface Obstacle {
  readonly path: string;
  readonly reason: string;
  readonly isLink: boolean;
}

export interface Discovery {
  readonly files: readonly TranscriptFile[];
  readonly sidecars: readonly SidecarFile[];
  readonly obstacles: readonly Obstacle[];
}

const machinery = /^(acompact|aprompt_suggestion|aside_question)-/;
const agentFile = /^agent-(.+)\.jsonl$/s;
const agentMetaFile = /^agent-(.+)\.meta\.json$/s;

/** Agents stand in subagents/ and subagents/workflows/wf_*\/; deeper than this is nobody's layout. */
const maxAgentDepth = 4;

export function discover(root: string): Discovery {
  const walk = new Walk(root);
  for (const slug of walk.entries('projects')) {
    if (slug.isDirectory()) walkProject(walk, slug.name);
  }
  for (const entry of walk.entries('transcripts')) {
    if (isJsonl(entry)) walk.addTranscript(`transcripts/${entry.name}`, 'transcript', stem(entry.name));
  }
  for (const entry of walk.entries('pre-compact-session-histories')) {
    const path = `pre-compact-session-histories/${entry.name}`;
    if (isJsonl(entry)) walk.addTranscript(path, 'precompact', stem(entry.name));
  }
  walk.addHistory();
  return walk;
}

function walkProject(walk: Walk, slug: string): void {
  const folder = `projects/${slug}`;
  for (const entry of walk.entries(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (entry.name !== 'memory') walkSessionFolder(walk, slug, path, entry.name);
    } else if (entry.name === 'sessions-index.json' && entry.isFile()) {
      walk.addSidecar(path, 'sessions-index', slug, null);
    } else if (isJsonl(entry)) {
      const agent = agentFile.exec(entry.name);
      if (agent?.[1] !== undefined) walk.addTranscript(path, 'agent', agent[1], { slug });
      else walk.addTranscript(path, 'main', stem(entry.name), { slug });
    }
  }
}

/** `<id>/`: what belongs to one session: its title, its agents. */
function walkSessionFolder(walk: Walk, slug: string, folder: string, claudeId: string): void {
  for (const entry of walk.entries(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && entry.name === 'subagents')
      walkAgents(walk, slug, path, claudeId, maxAgentDepth);
    else if (entry.isFile() && entry.name === 'custom-title.json') {
      walk.addSidecar(path, 'custom-title', slug, claudeId);
    }
  }
}

function walkAgents(walk: Walk, slug: string, folder: string, parentClaudeId: string, depth: number): void {
  for (const entry of walk.entries(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (depth > 1) walkAgents(walk, slug, path, parentClaudeId, depth - 1);
      continue;
    }
    if (!entry.isFile()) continue;
    const agentId = agentFile.exec(entry.name)?.[1];
    const metaId = agentMetaFile.exec(entry.name)?.[1];
    if (agentId !== undefined) walk.addTranscript(path, 'agent', agentId, { slug, parentClaudeId });
    else if (metaId !== undefined) walk.addSidecar(path, 'agent-meta', slug, metaId);
  }
}

class Walk implements Discovery {
  readonly files: TranscriptFile[] = [];
  readonly sidecars: SidecarFile[] = [];
  readonly obstacles: Obstacle[] = [];
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** The folder's entries, without links; empty when it is missing, and an obstacle when it cannot be read. */
  entries(folder: string): Dirent[] {
    let entries: Dirent[];
    try {
      entries = readdirSync(join(this.root, folder), { withFileTypes: true });
    } catch (error) {
      if (!isMissing(error)) this.addObstacle(folder, toReason(error));
      return [];
    }
    return entries.filter((entry) => {
      if (!entry.isSymbolicLink()) return true;
      this.addLink(`${folder}/${entry.name}`);
      return false;
    });
  }

  addTranscript(
    path: string,
    kind: SessionKind,
    claudeId: string,
    place: { slug?: string; parentClaudeId?: string } = {},
  ): void {
    const stamp = this.stamp(path);
    if (stamp === null) return;
    this.files.push({
      path,
      kind,
      claudeId,
      parentClaudeId: place.parentClaudeId ?? null,
      slug: place.slug ?? null,
      isMachinery: kind === 'agent' && machinery.test(claudeId),
      ...stamp,
    });
  }

  addHistory(): void {
    try {
      const stat = lstatSync(join(this.root, 'history.jsonl'));
      if (stat.isSymbolicLink()) this.addLink('history.jsonl');
      else if (stat.isFile()) this.addTranscript('history.jsonl', 'history', 'history');
    } catch (error) {
      if (!isMissing(error)) this.addObstacle('history.jsonl', toReason(error));
    }
  }

  addSidecar(path: string, kind: SidecarKind, slug: string, claudeId: string | null): void {
    const stamp = this.stamp(path);
    if (stamp !== null) this.sidecars.push({ path, kind, slug, claudeId, ...stamp });
  }

  private stamp(path: string): FileStamp | null {
    try {
      const stat = statSync(join(this.root, path));
      return { sizeBytes: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, inode: stat.ino };
    } catch (error) {
      // Deleted between the listing and now: simply not there. A name that is not UTF-8 lists but cannot be
      // found again, and is said.
      if (!isMissing(error) || path.includes('\uFFFD')) this.addObstacle(path, toReason(error));
      return null;
    }
  }

  private addLink(path: string): void {
    this.obstacles.push({ path, reason: 'symbolic link, not followed', isLink: true });
  }

  private addObstacle(path: string, reason: string): void {
    this.obstacles.push({ path, reason, isLink: false });
  }
}

function isJsonl(entry: Dirent): boolean {
  return entry.isFile() && entry.name.endsWith('.jsonl') && entry.name !== '.jsonl';
}

function stem(name: string): string {
  return name.slice(0, -'.jsonl'.length);
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
