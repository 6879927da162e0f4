// Sends the words of what is shared to a hub on which members search: of each session its titles, and what was said and done in
// it, without secrets, from this machine's index. A session is sent again as a whole when it has changed, or the rules for
// secrets or words have; what is no longer shared is taken back.

import { createHash } from 'node:crypto';
import { toOwnerKey } from '../../archive/session-copies.ts';
import type { WordCarrier, WordedPart, WordedSession, WordedText } from '../../hub/carrier.ts';
import type { Progress } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import type { Database } from '../../store/open/database.ts';
import {
  listSharedNames,
  type OwnTranscript,
  readOwnTranscripts,
  readSharedSessions,
  readSharedTexts,
} from '../../store/read/shared-texts.ts';
import type { SessionInfo } from '../../store/word-index.ts';
import { toVector } from '../../text/lexemes.ts';
import { redact, redactionVersion } from '../../text/redact.ts';
import { toStem } from '../../text/word-parts.ts';
import { toPartTokens, WordForms } from '../../text/words.ts';

interface Options {
  readonly db: Database;
  readonly carrier: WordCarrier;
  /** As `toOwnerKey` names sessions. */
  readonly shared: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

const batchChars = 1_000_000;
const batchSessions = 200;
const sessionsAtOnce = 500;

/** How many sessions were sent, subagents each on their own. */
export async function pushWords({
  db,
  carrier,
  shared: owners,
  signal,
  onProgress,
}: Options): Promise<number> {
  const marks = await carrier.marks();
  const shared = readOwnTranscripts(db).flatMap((transcript) => {
    const owner = getSource(transcript.agent).files?.findOwner(transcript.path) ?? null;
    return owner !== null && owners.has(toOwnerKey(transcript.agent, owner))
      ? [{ ...transcript, owner }]
      : [];
  });
  const kept = new Set(shared.map(toKey));
  const gone = [...marks.keys()].filter((key) => !kept.has(key));
  if (gone.length > 0) await carrier.drop(gone);

  const due: (OwnTranscript & {
    readonly owner: string;
    readonly mark: string;
    readonly info: SessionInfo;
  })[] = [];
  for (let i = 0; i < shared.length; i += sessionsAtOnce) {
    const some = shared.slice(i, i + sessionsAtOnce);
    const infos = readSharedSessions(
      db,
      some.map(({ id }) => id),
    );
    for (const transcript of some) {
      const { id, ...rest } = transcript;
      const info = infos.get(id) as SessionInfo;
      const { labels: _, ownerId: __, ...facts } = info;
      const mark = digest(
        redactionVersion,
        JSON.stringify([rest, { ...facts, id: 0, conversationId: 0, isOfSeveral: false }]),
      );
      if (marks.get(toKey(transcript)) !== mark) due.push({ ...transcript, mark, info });
    }
  }

  const bytesTotal = due.reduce((sum, { info }) => sum + info.textChars, 0);
  let [filesDone, bytesDone] = [0, 0];
  const batch = new Batch(carrier);
  for (const { mark, owner, info: known, ...transcript } of due) {
    signal.throwIfAborted();
    const info = clean(known, transcript);
    await batch.begin({ key: toKey(transcript), mark, owner, row: toRow(info, transcript), texts: [] });
    for (const text of listNames(info, transcript)) await batch.add(text);
    for await (const { kind, text, facts } of readSharedTexts(db, transcript.id)) {
      const { target } = facts as { target?: string | null };
      const without = typeof target === 'string' ? { ...facts, target: redact(target) } : facts;
      await batch.add(toWorded(kind, redact(text), without));
    }
    batch.end();
    bytesDone += info.textChars;
    onProgress({ filesDone: ++filesDone, filesTotal: due.length, bytesDone, bytesTotal });
  }
  await batch.send();
  return due.length;
}

const digest = (...parts: readonly unknown[]) =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);

const toKey = ({ agent, root, path }: OwnTranscript) => digest(agent, root, path);

/** The same on every machine, as a number that is exact everywhere. */
const toNumber = (text: string) => Number.parseInt(digest(text).slice(0, 12), 16);

/** Without secrets, and without the name that a person gave it. */
function clean(info: SessionInfo, { ownTitle }: OwnTranscript): SessionInfo {
  const isNamed = info.titleSource === 'yours';
  const title = isNamed ? (ownTitle ?? info.firstPrompt) : info.title;
  const titleSource = isNamed ? (ownTitle === null ? 'first-prompt' : 'custom-title') : info.titleSource;
  const texts = Object.entries({ ...info, title, titleSource }).map(([name, value]) => [
    name,
    typeof value === 'string' ? redact(value) : value,
  ]);
  return Object.fromEntries(texts) as SessionInfo;
}

function toRow(
  info: SessionInfo,
  { isHidden, tag, models, parentProject, conversation, agent }: OwnTranscript,
) {
  const toId = (path: string | null) => (path === null ? null : toNumber(path));
  return {
    agent,
    native_id: info.nativeId,
    parent_native_id: info.parentNativeId,
    kind: info.kind,
    conversation: toNumber(`${agent} ${conversation}`),
    title: info.title,
    title_source: info.titleSource,
    summary: info.summary,
    first_prompt: info.firstPrompt,
    project: info.project,
    project_id: toId(info.project),
    parent_project_id: toId(parentProject),
    branch: info.branch,
    branched_from: info.branchedFrom,
    tag: tag === null ? null : redact(tag),
    models: JSON.parse(models),
    subagent_type: info.subagentType,
    subagent_description: info.subagentDescription,
    pr_number: info.prNumber,
    pr_repository: info.prRepository,
    created_at: info.createdAt,
    modified_at: info.modifiedAt,
    message_count: info.messageCount,
    text_chars: info.textChars,
    tool_call_count: info.toolCallCount,
    slug: info.slug,
    first_cwd: info.firstCwd,
    last_cwd: info.lastCwd,
    relocated_cwd: info.relocatedCwd,
    is_gone: info.isDeleted,
    is_hidden: isHidden,
  };
}

/** Collects what words consist of, which an index keeps and a hub does not. */
const forms = new WordForms();

function listNames(info: SessionInfo, { tag }: OwnTranscript): WordedText[] {
  const { all, called, parts } = listSharedNames(info, tag, forms);
  const words = { name: toVector(all, parts), called: toVector(called, '') };
  return (['name', 'called'] as const).map((kind) => ({
    kind,
    words: words[kind],
    chars: 0,
    facts: null,
    text: null,
  }));
}

function toWorded(kind: WordedText['kind'], text: string, facts: WordedText['facts']): WordedText {
  const words = toVector([text], toPartTokens(text, forms));
  forms.take();
  return { kind, words, chars: text.length, facts, text };
}

const maxWordChars = 40;

class Batch {
  private readonly carrier: WordCarrier;
  private parts: WordedPart[] = [];
  private chars = 0;
  private current: WordedSession | null = null;
  private isFirst = true;
  private texts: WordedText[] = [];
  private words: [word: string, stem: string][] = [];
  /** Words that were sent in this run. */
  private readonly known = new Set<string>();

  constructor(carrier: WordCarrier) {
    this.carrier = carrier;
  }

  async begin(session: WordedSession): Promise<void> {
    if (this.chars > batchChars || this.parts.length >= batchSessions) await this.send();
    [this.current, this.isFirst, this.texts] = [session, true, []];
  }

  async add(text: WordedText): Promise<void> {
    this.texts.push(text);
    this.chars += text.words.length + (text.text?.length ?? 0);
    this.collect(text);
    if (this.chars <= batchChars) return;
    this.take(false);
    await this.send();
  }

  end(): void {
    this.take(true);
    this.current = null;
  }

  async send(): Promise<void> {
    if (this.parts.length === 0) return;
    await this.carrier.put(this.parts, this.words);
    [this.parts, this.words, this.chars] = [[], [], 0];
  }

  private take(isLast: boolean): void {
    if (this.current === null) return;
    const { texts, isFirst } = this;
    this.parts.push({ ...this.current, texts, isFirst, isLast });
    [this.texts, this.isFirst] = [[], false];
  }

  /** For stems, and of what was said for near spellings. */
  private collect({ kind, words }: WordedText): void {
    for (const [, word = ''] of words.matchAll(/'([^']+)'/g)) {
      if (word.length < 3 || word.length > maxWordChars || this.known.has(word) || /\d/.test(word)) continue;
      const stem = toStem(word);
      const isSaid = kind === 'said' || kind === 'name';
      if (!isSaid && stem === word) continue;
      this.known.add(word);
      this.words.push([word, stem]);
    }
  }
}
