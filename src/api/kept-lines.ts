// Single lines of transcripts, by their place, from the copies that are kept: for a transcript that is gone or no longer the
// same.

import { TranscriptCopies } from '../archive/layout.ts';
import { readRange, toKeptBytes } from '../archive/segments.ts';
import type { AgentName } from '../records.ts';
import { getSource } from '../sources/index.ts';
import type { WorkPlace, WorkReader } from '../sources/source.ts';
import { findWorkLine } from '../sources/transcript/read-work.ts';
import type { Host } from './host.ts';

export interface TranscriptPlace {
  readonly agent: AgentName;
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
}

export class KeptLines {
  private readonly kept: TranscriptCopies;

  constructor({ archivePath, machine }: Pick<Host, 'archivePath' | 'machine'>) {
    this.kept = new TranscriptCopies(archivePath, machine);
  }

  /** Null where no version of the transcript has such a line. */
  find({ agent, root, path }: TranscriptPlace, place: WorkPlace, reader: WorkReader): Buffer | null {
    const { files } = getSource(agent);
    const kept = files === null ? null : this.kept.find(agent, root, files.toFormerPaths(path));
    if (files === null || kept === null) return null;
    if (files.findForm(kept.path) === 'packed')
      return reader.findPackedLine?.(toKeptBytes(kept), place) ?? null;
    for (const version of kept.versions) {
      if (version.sizeBytes < place.lineFrom + place.lineBytes) continue;
      const line = findWorkLine(place, (from, to) =>
        readRange(kept, version, from, Math.min(to, version.sizeBytes)),
      );
      if (line !== null) return line;
    }
    return null;
  }
}
