// Writes which entries a session holds, by which copies are recognised, and the summaries that name entries of any session.

import type { SummaryRecord } from '../../records.ts';
import type { TranscriptStatements } from './transcript-statements.ts';

export class EntryWriter {
  private readonly sql: TranscriptStatements;
  /** Entries that summaries name and that were looked for in all sessions there were. */
  private soughtLeaves: Set<number> | null = null;

  constructor(sql: TranscriptStatements) {
    this.sql = sql;
  }

  addSummaries(
    sessionId: number,
    summaries: readonly SummaryRecord[],
    toHash: (uuid: string) => number,
  ): void {
    for (const summary of summaries) {
      const { seq, text, leafUuid } = summary;
      const leafHash = toHash(leafUuid);
      const isForgotten = this.sql.isForgottenLeaf.get(leafHash) !== undefined;
      if (!isForgotten) this.sql.insertSummary.run({ sessionId, seq, text, leafHash });
    }
    if (summaries.length > 0) this.unsettleSummarised(sessionId);
  }

  /** The sessions that this one's summaries describe may get another title. */
  unsettleSummarised(sessionId: number): void {
    for (const id of this.sql.summarised.pluck().all(sessionId) as number[]) this.sql.unsettle.run(id);
  }

  /**
   * Records which entries a session holds, up to line `seq`. By those with a message it is linked with the sessions of
   * its kind that hold one of them too.
   */
  add(sessionId: number, seq: number, hashes: readonly number[], messageHashes: readonly number[]): void {
    if (hashes.length === 0) return;
    this.sql.insertEntryBlock.run(sessionId, seq, packHashes(hashes));
    this.soughtLeaves ??= new Set(this.sql.soughtLeaves.pluck().all() as number[]);
    if (this.soughtLeaves.size > 0) {
      for (const hash of hashes) if (this.soughtLeaves.has(hash)) this.sql.insertLeaf.run(hash, sessionId);
    }
    if (messageHashes.length === 0) return;
    for (const hash of messageHashes) this.sql.insertEntryUuid.run(hash, sessionId);
    const rows = { sessionId, hashes: JSON.stringify(messageHashes) };
    for (const { id } of this.sql.sessionsSharing.all(rows) as { id: number }[]) {
      this.sql.insertLink.run(sessionId, id);
      this.sql.insertLink.run(id, sessionId);
    }
  }

  /** Forgets which entries a session holds and which sessions are copies of it; those are settled again. */
  unlink(sessionId: number): void {
    for (const id of this.sql.conversationOf.pluck().all(sessionId) as number[]) this.sql.unsettle.run(id);
    this.sql.deleteLinksTo.run({ sessionId });
    this.sql.deleteLinks.run(sessionId);
    for (const block of this.sql.entryBlocks.pluck().all({ sessionId }) as Buffer[]) {
      this.sql.deleteEntryUuids.run({ sessionId, hashes: JSON.stringify(unpackHashes(block)) });
    }
    this.sql.deleteEntryBlocks.run({ sessionId });
    this.sql.deleteLeaves.run(sessionId);
  }
}

/** Numbers of 48 bits side by side in a blob. */
const hashBytes = 6;

function packHashes(hashes: readonly number[]): Buffer {
  const packed = Buffer.allocUnsafe(hashes.length * hashBytes);
  for (let i = 0; i < hashes.length; i++) packed.writeUIntLE(hashes[i] ?? 0, i * hashBytes, hashBytes);
  return packed;
}

export function unpackHashes(packed: Buffer): number[] {
  const hashes: number[] = [];
  for (let at = 0; at + hashBytes <= packed.length; at += hashBytes) {
    hashes.push(packed.readUIntLE(at, hashBytes));
  }
  return hashes;
}
