// Recovers sessions whose transcript is gone from what outlives it: the prompt history and the hints of sidecars. A
// recovered session has kind `history`; it gives way when its transcript turns up. The same history shows which sessions are no
// longer saved.

import { join } from 'node:path';
import type { IndexedMessage } from '../batch.ts';
import { type HistoryPrompt, mergeFacts, noFacts, type Root } from '../records.ts';
import { getSource } from '../sources/index.ts';
import { toExcerpt } from '../sources/json/json-value.ts';
import type { Store } from '../store/open/open-store.ts';
import { RecoveryWriter, slackMs, toProjectHash } from '../store/write/recovery-writer.ts';
import type { TranscriptWriter } from '../store/write/transcript-writer.ts';
import { toPartTokens, WordForms } from '../text/words.ts';
import type { Survey } from './look.ts';
import type { RootUpdate } from './read-all.ts';
import { loadTools } from './reader.ts';

export class Recovery {
  private readonly update: RootUpdate;
  private readonly writer: TranscriptWriter;
  private readonly recovered: RecoveryWriter;
  /** Ids that have a transcript on disk, read or not; asked for only when some session may be deleted. */
  private readonly findOnDisk: () => ReadonlySet<string>;
  private readonly forms = new WordForms();
  /** Whether a session has a transcript, or was forgotten. */
  private readonly living = new Map<string, boolean>();
  private idsOnDisk: ReadonlySet<string> | null = null;

  constructor(update: RootUpdate, findOnDisk: () => ReadonlySet<string>) {
    this.update = update;
    this.writer = update.writer;
    this.recovered = new RecoveryWriter(update.store.db, update.root.agent);
    this.findOnDisk = findOnDisk;
  }

  private get onDisk(): ReadonlySet<string> {
    this.idsOnDisk ??= this.findOnDisk();
    return this.idsOnDisk;
  }

  /** Within a transaction, session by session: FTS5 writes out its buffer whenever a row id is lower than the one before. */
  addPrompts(prompts: readonly HistoryPrompt[]): void {
    const deleted = new Map<string, HistoryPrompt[]>();
    for (const prompt of prompts) {
      const nativeId = this.findDeleted(prompt);
      if (nativeId === null) continue;
      const ofSession = deleted.get(nativeId);
      if (ofSession === undefined) deleted.set(nativeId, [prompt]);
      else ofSession.push(prompt);
    }
    const sessions = [...deleted].map(([nativeId, prompts]) => {
      const id = this.recovered.findRecovered(nativeId);
      return { nativeId, prompts, id };
    });
    // Sessions without an id come last: they get the next ids.
    sessions.sort((a, b) => (a.id ?? Number.POSITIVE_INFINITY) - (b.id ?? Number.POSITIVE_INFINITY) || 0);
    for (const { nativeId, prompts, id } of sessions)
      this.addToSession(id ?? this.writer.insertRecovered(this.update.rootRow, nativeId, null), prompts);
    this.writer.forms.add(this.forms.take());
  }

  recoverFromHints(): void {
    const { store, rootRow, tombstones } = this.update;
    const deleted = this.recovered
      .findHintsWithoutSession(rootRow.id)
      .filter(({ nativeId }) => !this.onDisk.has(nativeId) && !tombstones.has(nativeId));
    if (deleted.length === 0) return;
    const insert = store.db.transaction(() => {
      for (const { nativeId, slug } of deleted) this.writer.insertRecovered(rootRow, nativeId, slug);
    });
    insert.immediate();
  }

  /** The id of the deleted session this prompt belongs to; null when its session still has a transcript, or was forgotten. */
  private findDeleted({ nativeId, project, timestamp }: HistoryPrompt): string | null {
    if (nativeId !== null) return this.isLiving(nativeId) ? null : nativeId;
    // Older lines name no session. What was typed in one project on one day is one session.
    if (project === null || timestamp === null || this.recovered.isCovered(project, timestamp)) return null;
    const dayId = `history-${timestamp.slice(0, 10)}-${toProjectHash(project).slice(0, 8)}`;
    return this.update.tombstones.has(dayId) ? null : dayId;
  }

  private isLiving(nativeId: string): boolean {
    let isLiving = this.living.get(nativeId);
    if (isLiving === undefined) {
      isLiving =
        this.update.tombstones.has(nativeId) ||
        this.onDisk.has(nativeId) ||
        this.recovered.hasTranscript(nativeId);
      this.living.set(nativeId, isLiving);
    }
    return isLiving;
  }

  private addToSession(sessionId: number, prompts: readonly HistoryPrompt[]): void {
    const place = this.recovered.placePrompts(sessionId);
    let facts = this.writer.readFacts(sessionId);
    const messages: IndexedMessage[] = [];
    for (const { kind, text, timestamp, project } of prompts) {
      const seq = place(timestamp, text);
      if (seq === null) continue;
      const part = toPartTokens(text, this.forms);
      messages.push({ seq, uuid: null, role: 'user', kind, timestamp, text, isSidechain: false, part });
      const excerpt = toExcerpt(text, 2000);
      facts = mergeFacts(facts, {
        ...noFacts,
        firstCwd: project,
        lastCwd: project,
        createdAt: timestamp,
        modifiedAt: timestamp,
        firstPrompt: excerpt,
        lastPrompt: excerpt,
      });
    }
    if (messages.length === 0) return;
    this.writer.addMessages(sessionId, messages);
    const chars = messages.reduce((sum, { text }) => sum + text.length, 0);
    this.writer.saveFacts(sessionId, facts, { messages: messages.length, chars, toolCalls: 0 });
    this.recovered.markDeleted(sessionId);
  }
}

export interface UnsavedSession {
  readonly nativeId: string;
  readonly savedAt: string;
  readonly promptedAt: string;
}

/** Sessions in which something was typed after the last that their transcript holds, though that is as it was read. */
export async function findUnsaved(
  { db }: Store,
  { agent, path: root }: Root,
  { histories, pendingIds }: Survey,
): Promise<UnsavedSession[]> {
  if (histories.length === 0) return [];
  const reader = await getSource(agent).loadReader([], loadTools);
  const options = { forms: new WordForms(), shouldStop: () => false };
  const how = { fingerprint: null, isRedacting: false, keepsToolTexts: false };
  const newest = new Map<string, string>();
  for (const { path, kind, sizeBytes } of histories) {
    const from = { bytes: 0, lines: 0, version: null };
    for (const { prompts } of reader.read({ ...how, path: join(root, path), kind, sizeBytes, from }, options))
      for (const { nativeId, timestamp, kind } of prompts)
        if (
          nativeId !== null &&
          timestamp !== null &&
          kind === 'prompt' &&
          timestamp > (newest.get(nativeId) ?? '')
        )
          newest.set(nativeId, timestamp);
  }
  const recovery = new RecoveryWriter(db, agent);
  return [...newest].flatMap(([nativeId, promptedAt]) => {
    const savedAt = pendingIds.has(nativeId) ? null : recovery.findLastSaved(nativeId);
    const isUnsaved = savedAt !== null && Date.parse(promptedAt) > Date.parse(savedAt) + slackMs;
    return isUnsaved ? [{ nativeId, savedAt, promptedAt }] : [];
  });
}
