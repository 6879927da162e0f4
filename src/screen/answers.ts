// Answers the questions of the screen through the same API as the commands. It runs in a thread of its own, where
// searching and drawing keep no key waiting.

import type { Conversation } from '../api/conversation/open-conversation.ts';
import type { ListAnswer } from '../api/list.ts';
import type { Recall } from '../api/recall.ts';
import type { SearchAnswer } from '../api/search.ts';
import type { Printer } from '../render/conversation/printer.ts';
import { toWhen } from '../render/notes.ts';
import { toShortPath } from '../render/sessions.ts';
import { toPrintableLine } from '../text/printable.ts';
import { type Drawn, draw, findMostMarked, isMarked, toBriefHead, toMatches } from './draw-conversation.ts';
import type { Within } from './open-screen.ts';
import type {
  Answers,
  Asked,
  ListQuestion,
  MessageMark,
  MessageQuestion,
  Page,
  PageQuestion,
  Preview,
  PreviewQuestion,
  Question,
  Results,
} from './questions.ts';

export interface AnswererOptions {
  readonly homeDir: string;
  readonly now: () => Date;
  readonly within: Within;
}

const previewLines = 300;
/** The best passage may be far below; beyond this, the preview starts at the top. */
const maxPreviewLines = 3000;
const pageLines = 1500;
const maxProjects = 500;

/** It says nothing yet. */
const firstLetter = /^\s*[a-z0-9]$/i;

/** Never refreshed here: another thread does that. */
const asIndexed = { refresh: false } as const;

export class Answerer {
  private readonly recall: Recall;
  private readonly options: AnswererOptions;
  private reading: { readonly key: string; readonly drawn: Generator<Drawn>; line: number } | null = null;

  constructor(recall: Recall, options: AnswererOptions) {
    this.recall = recall;
    this.options = options;
  }

  answer(question: Question): Promise<Answers[Question['type']]> {
    switch (question.type) {
      case 'list':
        return this.list(question);
      case 'preview':
        return this.preview(question);
      case 'page':
        return this.page(question);
      case 'message':
        return this.message(question);
      case 'projects':
        return this.projects();
    }
  }

  async list({ query, scope, sort, limit }: ListQuestion): Promise<Results> {
    const within = scope === 'everywhere' ? undefined : this.options.within[scope];
    const of = { query, scope, sort };
    const recent = async () => toRecentResults(await this.recall.list({ within, limit }, asIndexed), of);
    const typed = query.replace(firstLetter, '');
    if (typed.trim() === '') return recent();
    const request = { query: typed, within, sort, limit };
    const found = await this.recall.search({ ...request, isTyping: true }, asIndexed);
    if (found.hits.length > 0 || /\s$/.test(typed)) return toFound(found, of);
    // The word that is being typed matches by its start only. Where nothing does, it may be misspelt.
    const asked = found.begun === null ? typed : typed.slice(0, typed.length - found.begun.length);
    if (asked.trim() === '') return recent();
    return toFound(await this.recall.search({ ...request, query: asked }, asIndexed), of);
  }

  async preview({ id, match, bestId, columns }: PreviewQuestion): Promise<Preview> {
    const conversation = await this.read(id, match);
    const printer = await this.makePrinter(conversation, columns, false);
    const lines: string[] = [];
    let best: number | null = null;
    for (const { text, messageId } of draw(
      printer,
      conversation,
      toBriefHead(conversation, columns, this.options.homeDir),
    )) {
      if (lines.length >= (best === null && bestId !== null ? maxPreviewLines : previewLines))
        return { lines, matches: toMatches(lines, 0), best: best ?? findMostMarked(lines), isCut: true };
      const drawn = text.split('\n');
      if (best === null && messageId !== null && messageId === bestId)
        best = lines.length + Math.max(0, drawn.findIndex(isMarked));
      lines.push(...drawn);
    }
    return { lines, matches: toMatches(lines, 0), best: best ?? findMostMarked(lines), isCut: false };
  }

  async page(question: PageQuestion): Promise<Page> {
    const { from, ...whole } = question;
    const key = JSON.stringify(whole);
    if (this.reading?.key !== key || this.reading.line !== from)
      this.reading = { key, drawn: await this.open(question), line: 0 };
    const { reading } = this;
    const lines: string[] = [];
    const messages: MessageMark[] = [];
    let isLast = false;
    while (lines.length < pageLines && !isLast) {
      const next = reading.drawn.next();
      if (next.done) isLast = true;
      else {
        const { text, mark } = next.value;
        if (mark !== null && reading.line >= from) messages.push({ ...mark, line: reading.line + mark.line });
        const drawn = text.split('\n');
        if (reading.line >= from) lines.push(...drawn);
        reading.line += drawn.length;
      }
    }
    return { lines, matches: toMatches(lines, from), messages, isLast };
  }

  async message({ session, position }: MessageQuestion): Promise<string> {
    const { pieces } = await this.recall.read(session, { around: `#${position}`, context: 0 }, asIndexed);
    for (const piece of pieces())
      if (piece.type === 'part' && (piece.part.type === 'message' || piece.part.type === 'recap'))
        if (piece.part.position === position) return piece.part.message.text;
    return '';
  }

  async projects(): Promise<readonly string[]> {
    const { projects } = await this.recall.projects({ limit: maxProjects }, asIndexed);
    return projects.flatMap(({ path }) => (path === null ? [] : [toShortPath(path, this.options.homeDir)]));
  }

  private async open({ id, match, columns, showsTools, showsSubagents }: PageQuestion) {
    const matches = match === '' ? null : (await this.read(id, match)).matches;
    const request = { subagents: showsSubagents, callTexts: matches ?? false };
    const conversation = await this.recall.read(id, request, asIndexed);
    const printer = await this.makePrinter(conversation, columns, showsTools, matches?.terms ?? []);
    return draw(printer, conversation);
  }

  /** The passages that match; the whole conversation if none does, as when only its name matched. */
  private async read(id: string, match: string): Promise<Conversation> {
    for (const isTyping of match === '' ? [] : [true, false]) {
      const request = { match, isTyping, callTexts: 'matching' as const };
      const passages = await this.recall.read(id, request, asIndexed);
      if ((passages.matches?.lines.size ?? 0) > 0) return passages;
    }
    return this.recall.read(id, {}, asIndexed);
  }

  private async makePrinter(
    { matches }: Conversation,
    columns: number,
    showsTools: boolean,
    terms = matches?.terms ?? [],
  ): Promise<Printer> {
    const { TerminalPrinter } = await import('../render/conversation/terminal-printer.ts');
    const { homeDir, now } = this.options;
    const options = { columns, homeDir, now: now(), terms, showsTools };
    return new TerminalPrinter({ ...options, useColor: true, isDrawn: true, showsRecaps: false });
  }
}

export function toRecentResults({ sessions, total, currentId, emptiness }: ListAnswer, of: Asked): Results {
  return {
    of,
    rows: sessions.map((listed) => ({ ...listed, bestId: null })),
    total,
    isTotalExact: true,
    terms: [],
    isByDay: true,
    note: '',
    emptiness,
    currentId,
  };
}

function toFound(answer: SearchAnswer, of: Asked): Results {
  const { hits, total, isTotalExact, terms, emptiness } = answer;
  return {
    of,
    rows: hits.map(({ session, copies, resumption, matches }) => ({
      ...{ session, copies, resumption },
      bestId: matches[0]?.message.id || null,
    })),
    total,
    isTotalExact,
    terms: terms.map(({ forms }) => ({ forms })),
    isByDay: of.sort === 'recent' || terms.length === 0,
    note: toNote(answer),
    emptiness,
    currentId: null,
  };
}

/** How the words were understood, if not as typed; short, since it shares a line of the screen. */
function toNote({ tier, corrections, completeHits, hits, time }: SearchAnswer): string {
  if (time?.isAlone) return `sessions active ${toWhen(time)}`;
  if (hits.length === 0) return '';
  if (tier === 'any' && completeHits > 0)
    return completeHits < hits.length ? `${completeHits} with all words, others with some` : '';
  if (corrections.length > 0)
    return `searched for ${corrections.map(([, meant]) => `“${toPrintableLine(meant)}”`).join(', ')}`;
  return shortNotes[tier];
}

const shortNotes = {
  all: '',
  prefix: 'longer words included',
  any: 'only some of the words match',
  fuzzy: '',
} as const;
