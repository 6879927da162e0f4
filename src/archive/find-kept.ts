// Finds what is kept of a session by the paths of its transcript: on this machine first, then on any other whose archive was
// copied here.

import type { AgentName } from '../records.ts';
import { eachKeptFile, type KeptFile, type KeptRoot, Listings, readKeptRoots, toPlace } from './places.ts';
import { toVersions, type Version } from './versions.ts';

export interface KeptTranscript {
  readonly root: KeptRoot;
  readonly file: KeptFile;
  /** The newest first. */
  readonly versions: readonly Version[];
}

/** Looks folders up once, for a list of sessions. */
export class KeptTranscripts {
  private readonly archive: string;
  private readonly machine: string;
  private readonly listings = new Listings();
  private roots: readonly KeptRoot[] | null = null;

  constructor(archive: string, machine: string) {
    this.archive = archive;
    this.machine = machine;
  }

  /** The first of these paths, relative to the root, of which something is kept. */
  find(agent: AgentName, rootPath: string, paths: readonly string[]): KeptTranscript | null {
    this.roots ??= readKeptRoots(this.archive);
    const own = ({ machine, path: kept }: KeptRoot) =>
      Number(machine === this.machine) + Number(kept === rootPath) * 2;
    const roots = this.roots.filter((root) => root.agent === agent).sort((a, b) => own(b) - own(a));
    for (const root of roots)
      for (const path of paths) {
        const place = toPlace(root, path);
        const kept = this.listings.find(place);
        const { versions } = toVersions(kept.segments);
        if (versions.length > 0) return { root, versions, file: { path, place, ...kept } };
      }
    return null;
  }
}

/** What is kept in a folder of a session. */
export function readKeptBelow(root: KeptRoot, folder: string): KeptFile[] {
  return [...eachKeptFile(root, folder)].filter(({ segments }) => segments.length > 0);
}
