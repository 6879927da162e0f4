// Single lines of transcripts, by their place, from the copies that are kept: for a transcript that is gone or no longer the
// same.

import { KeptTranscripts } from '../archive/find-kept.ts';
import { readRange } from '../archive/read-kept.ts';
import type { AgentName } from '../records.ts';
import type { WorkPlace } from '../sources/source.ts';
import { findWorkLine } from '../sources/transcript/read-work.ts';
import type { Host } from './host.ts';

export interface TranscriptPlace {
  readonly agent: AgentName;
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
}

export class KeptLines {
  private readonly kept: KeptTranscripts;

  constructor({ archivePath, machine }: Pick<Host, 'archivePath' | 'machine'>) {
    this.kept = new KeptTranscripts(archivePath, machine);
  }

  /** Null where no version of the transcript has such a line. */
  find({ agent, root, path }: TranscriptPlace, place: WorkPlace): Buffer | null {
    const kept = this.kept.find(agent, root, path);
    if (kept === null) return null;
    for (const version of kept.versions) {
      if (version.sizeBytes < place.lineFrom + place.lineBytes) continue;
      const line = findWorkLine(place, (from, to) =>
        readRange(kept.file.place, version, from, Math.min(to, version.sizeBytes)),
      );
      if (line !== null) return line;
    }
    return null;
  }
}
