// Recovers sessions whose transcript is gone from what outlives it: the prompt history and the hints of sidecars. A
// recovered session has kind `history`; it gives way when its transcript turns up.

import type { HistoryPrompt, MessageKind } from '../records.ts';
import { toExcerpt } from '../sources/json/json-value.ts';
import { mergeFacts, noFacts } from '../sources/transcript/session-facts.ts';
import type { Store } from '../store/open/open-store.ts';
import { RecoveryWriter, toProjectHash } from '../store/write/recovery-writer.ts';
import type { Root as RootRow, TranscriptWriter } from '../store/write/transcript-writer.ts';
import { toPartTokens, WordForms } from '../text/words.ts';

export interface RecoveryContext {
  readonly root: RootRow;
  readonly tombstones: ReadonlySet<string>;
  /** Ids that have a transcript on disk, read or not; asked for only when something may be lost. */
  readonly onDisk: () => ReadonlySet<string>;
}

export class Recovery {
  private readonly store: Store;
  private readonly writer: TranscriptWriter;
  private readonly recovered: RecoveryWriter;
  private readonly context: RecoveryContext;
  private readonly forms = new WordForms();
  private idsOnDisk: ReadonlySet<string> | null = null;

  constructor(store: Store, writer: TranscriptWriter, context: RecoveryContext) {
    this.store = store;
    this.writer = writer;
    this.recovered = new RecoveryWriter(store.db);
    this.context = context;
  }

  private get onDisk(): ReadonlySet<string> {
    this.idsOnDisk ??= this.context.onDisk();
    return this.idsOnDisk;
  }

  /** Called within a transaction. */
  addPrompts(prompts: readonly HistoryPrompt[]): void {
    for (const prompt of prompts) {
      const nativeId = this.toLostId(prompt);
      if (nativeId !== null) this.addPrompt(nativeId, prompt);
    }
  }

  /** Sessions that only a hint still names. */
  recoverFromHints(): void {
    const unknown = this.recovered.findHintsWithoutSession(this.context.root.id);
    const lost = unknown.filter(
      ({ nativeId }) => !this.onDisk.has(nativeId) && !this.context.tombstones.has(nativeId),
    );
    if (lost.length === 0) return;
    const insert = this.store.db.transaction(() => {
      for (const { nativeId, slug } of lost) this.writer.insertRecovered(this.context.root, nativeId, slug);
    });
    insert.immediate();
  }

  /** The id of the lost session this prompt belongs to; null when its session still has a transcript. */
  private toLostId(prompt: HistoryPrompt): string | null {
    const { tombstones } = this.context;
    if (prompt.nativeId !== null) {
      const { nativeId } = prompt;
      const isLiving =
        tombstones.has(nativeId) || this.onDisk.has(nativeId) || this.recovered.hasTranscript(nativeId);
      return isLiving ? null : nativeId;
    }
    // Older lines name no session. What was typed in one project on one day is one session.
    if (prompt.project === null || prompt.timestamp === null) return null;
    if (this.recovered.isCovered(prompt.project, prompt.timestamp)) return null;
    const project = toProjectHash(prompt.project).slice(0, 8);
    const nativeId = `history-${prompt.timestamp.slice(0, 10)}-${project}`;
    return tombstones.has(nativeId) ? null : nativeId;
  }

  private addPrompt(nativeId: string, prompt: HistoryPrompt): void {
    const { text, timestamp, project } = prompt;
    const sessionId =
      this.recovered.findRecovered(nativeId) ??
      this.writer.insertRecovered(this.context.root, nativeId, null);
    const seq = this.recovered.takePlace(sessionId, timestamp, text);
    if (seq === null) return;
    const kind: MessageKind = prompt.kind;
    const message = { seq, uuid: null, role: 'user' as const, kind, timestamp, text, isSidechain: false };
    this.writer.addMessages(sessionId, [{ ...message, part: toPartTokens(text, this.forms) }]);
    this.writer.addForms(this.forms.take());
    const excerpt = toExcerpt(text, 2000);
    const facts = {
      ...noFacts,
      firstCwd: project,
      lastCwd: project,
      createdAt: timestamp,
      modifiedAt: timestamp,
      firstPrompt: excerpt,
      lastPrompt: excerpt,
    };
    const added = { messages: 1, chars: text.length, toolCalls: 0 };
    this.writer.saveFacts(sessionId, mergeFacts(this.writer.readFacts(sessionId), facts), added);
    this.recovered.markGone(sessionId);
  }
}
