// What a tool was given or printed, read from the transcript when it is shown, or from the copy of it that is kept. The transcript
// may have changed since it was indexed, or be gone: then only the tool and what it was used on are known.

import { join } from 'node:path';
import { loadTools } from '../indexing/load-tools.ts';
import type { AgentName } from '../records.ts';
import { isFile } from '../sources/files/open-file.ts';
import { getSource } from '../sources/index.ts';
import type { ToWorkText, WorkPassage, WorkPlace, WorkReader } from '../sources/source.ts';
import type { KeptLines, TranscriptPlace } from './kept-lines.ts';

/** One for each agent, which knows all paths that it will be asked about. */
export async function loadWorkReaders(
  transcripts: readonly { readonly agent: AgentName; readonly root: string; readonly path: string | null }[],
): Promise<Map<AgentName, WorkReader>> {
  const paths = new Map<AgentName, string[]>();
  for (const { agent, root, path } of transcripts) {
    if (path === null) continue;
    // Where it is gone, a copy may be kept under the name that it had before.
    const { files } = getSource(agent);
    const named = files === null || isFile(join(root, path)) ? [path] : files.toFormerPaths(path);
    paths.set(agent, [...(paths.get(agent) ?? []), ...named.map((each) => join(root, each))]);
  }
  const readers = new Map<AgentName, WorkReader>();
  for (const [agent, all] of paths) {
    const source = getSource(agent);
    readers.set(agent, await (source.loadWorkReader?.() ?? source.loadReader(all, loadTools)));
  }
  return readers;
}

/** Null where neither the transcript nor a copy of it has it any more; without `lines`, copies are not asked. */
export function readPlacedWork(
  reader: WorkReader,
  lines: KeptLines | null,
  transcript: TranscriptPlace,
  place: WorkPlace,
  toText: ToWorkText,
): WorkPassage | null {
  const passage = reader.readWork(join(transcript.root, transcript.path), place, toText);
  if (passage !== null || reader.parseWork === undefined) return passage;
  const line = lines?.find(transcript, place, reader) ?? null;
  return line === null ? null : reader.parseWork(line, place, toText);
}
