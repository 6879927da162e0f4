// Reads an agent's transcripts as the indexer does, without an index: what is read after a transcript has grown is added to
// what was read before, and what is read anew takes its place.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Batch } from '../../src/batch.ts';
import { loadTools } from '../../src/indexing/reader.ts';
import type { AgentName, Identity, SessionFacts } from '../../src/records.ts';
import { mergeFacts, noFacts } from '../../src/records.ts';
import { getSource } from '../../src/sources/index.ts';
import type { ReadFrom, SourceReader } from '../../src/sources/source.ts';
import { toSearchedText } from '../../src/text/tool-text.ts';
import { WordForms } from '../../src/text/words.ts';

/** What is known of a transcript after one or several readings. */
export interface ReadSoFar {
  readonly messages: readonly unknown[];
  readonly calls: readonly (readonly [number, string, string | null])[];
  readonly work: readonly unknown[];
  readonly facts: SessionFacts;
  readonly identity: Identity | null;
  readonly sharedIds: readonly number[];
  readonly from: ReadFrom;
  readonly fingerprint: string | null;
}

const nothing: ReadSoFar = {
  ...{ messages: [], calls: [], work: [], sharedIds: [] },
  ...{ facts: noFacts, identity: null, from: { bytes: 0, lines: 0, version: null }, fingerprint: null },
};

export class TranscriptReader {
  private readonly reader: SourceReader;
  private readonly agent: AgentName;
  private readonly root: string;

  constructor(agent: AgentName, root: string, reader: SourceReader) {
    this.agent = agent;
    this.root = root;
    this.reader = reader;
  }

  static async load(agent: AgentName, root: string): Promise<TranscriptReader> {
    const paths = getSource(agent)
      .discover(root)
      .files.map(({ path }) => path);
    return new TranscriptReader(agent, root, await getSource(agent).loadReader(paths, loadTools));
  }

  /** The transcript paths of the root. */
  discover(): string[] {
    return getSource(this.agent)
      .discover(this.root)
      .files.filter(({ isMachinery }) => !isMachinery)
      .map(({ path }) => path)
      .sort();
  }

  read(path: string, before: ReadSoFar = nothing): ReadSoFar {
    const file = getSource(this.agent)
      .discover(this.root)
      .files.find((each) => each.path === path);
    if (file === undefined) return before;
    const full = join(this.root, path);
    const job = {
      ...{ path: full, isRedacting: false, keepsToolTexts: true },
      kind: before.identity?.kind ?? file.kind,
      sizeBytes: statSync(full, { throwIfNoEntry: false })?.size ?? file.sizeBytes,
      from: before.from,
      fingerprint: before.fingerprint,
      // As a run without a time limit reads: what is noted of the file is then the same as if it had been read at once.
      isChecking: true,
    };
    let now = before;
    for (const batch of this.reader.read(job, { forms: new WordForms(), shouldStop: () => false }))
      now = add(batch.isRestart ? nothing : now, batch);
    return now;
  }
}

function add(before: ReadSoFar, batch: Batch): ReadSoFar {
  return {
    messages: [...before.messages, ...batch.messages.map(({ part: _, ...message }) => message)],
    calls: [...before.calls, ...batch.toolCalls.map(({ seq, name, target }) => [seq, name, target] as const)],
    work: [
      ...before.work,
      ...batch.toolTexts.map(({ seq, nth, text, atMs }) => ({ seq, nth, text: toSearchedText(text), atMs })),
    ],
    facts: mergeFacts(before.facts, batch.facts),
    identity: before.identity ?? batch.identity,
    sharedIds: [...before.sharedIds, ...batch.uuidHashes],
    from: { bytes: batch.bytesRead, lines: batch.linesRead, version: batch.lastVersion },
    fingerprint: batch.fingerprint,
  };
}
