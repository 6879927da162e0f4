// The text of work that matched, read from the transcript when it is shown, or from the copy of it that is kept. The transcript
// may have changed since it was indexed, or be gone: then only the tool and what it was used on are known.

import { join } from 'node:path';
import { loadTools } from '../indexing/load-tools.ts';
import type { AgentName } from '../records.ts';
import { isFile } from '../sources/files/is-file.ts';
import { getSource } from '../sources/index.ts';
import type { ToWorkText, WorkPassage, WorkPlace, WorkReader } from '../sources/source.ts';
import { boundWork } from '../sources/transcript/work-text.ts';
import type { WorkRow } from '../store/read/read-matches.ts';
import { compareText } from '../text/compare.ts';
import type { Host } from './host.ts';
import type { KeptLines, TranscriptPlace } from './kept-lines.ts';

/** Decompressed in about 60 ms; a search may have a file to read from for each of its hits. */
const maxPackedBytes = 8 * 1024 * 1024;

/** By the id of the row; those that cannot be read are missing. */
export async function readWorkPassages(
  host: Host,
  rows: readonly WorkRow[],
  isRedacting: boolean,
): Promise<Map<number, WorkPassage>> {
  const readers = await loadWorkReaders(rows);
  const passages = new Map<number, WorkPassage>();
  const readAll = (lines: KeptLines | null, wanted: readonly WorkRow[]) => {
    for (const row of wanted) {
      const passage = readWorkPassage(readers.get(row.agent), lines, row, isRedacting);
      if (passage !== null) passages.set(row.id, passage);
    }
  };
  // By file: one that is compressed is held until the next one is asked for.
  const byFile = rows.toSorted((a, b) => compareText(toFileKey(a), toFileKey(b)));
  readAll(null, byFile);
  const missing = byFile.filter(({ id }) => !passages.has(id));
  // What reads copies takes longer to load than all the rest.
  if (missing.length > 0) readAll(new (await import('./kept-lines.ts')).KeptLines(host), missing);
  return passages;
}

function toFileKey({ agent, root, path }: WorkRow): string {
  return [agent, root, path].join('\0');
}

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

function readWorkPassage(
  reader: WorkReader | undefined,
  lines: KeptLines | null,
  row: WorkRow,
  isRedacting: boolean,
): WorkPassage | null {
  const { agent, root, path, nth, kind, sessionKind, lineFrom, lineBytes } = row;
  if (path === null || reader === undefined) return null;
  const isOutput = kind === 'tool-output';
  const place = { nth, isOutput, kind: sessionKind, lineFrom, lineBytes, maxPackedBytes, isRedacting };
  return readPlacedWork(reader, lines, { agent, root, path }, place, (whole) => boundWork(whole, isOutput));
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
