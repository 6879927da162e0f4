// Answers the questions of the screen through the same API as the commands. It runs in a thread of its own, where
// searching keeps no key waiting. The answers are data; the screen draws them.

import type {
  Conversation,
  ConversationPage,
  PageStart,
  Piece,
} from '../api/conversation/read-conversation.ts';
import type { ListAnswer } from '../api/list.ts';
import type { Recall } from '../api/recall.ts';
import type { SearchAnswer } from '../api/search.ts';
import type { Within } from './open-screen.ts';
import type {
  Answers,
  Asked,
  ListQuestion,
  PageAnswer,
  PageQuestion,
  PreviewAnswer,
  PreviewQuestion,
  Question,
  Results,
} from './questions.ts';

/** A preview is 300 lines, and a message at least two. */
const previewMessages = 150;
/** The best passage may be far below. */
const maxPreviewPages = 10;
/** Few enough to be drawn between two keys. */
const pageMessages = 100;
const maxProjects = 500;

/** It says nothing yet. */
const firstLetter = /^\s*[a-z0-9]$/i;

/** Never refreshed here: another thread does that. */
const asIndexed = { refresh: false } as const;

export class Answerer {
  private readonly recall: Recall;
  private readonly within: Within;

  constructor(recall: Recall, within: Within) {
    this.recall = recall;
    this.within = within;
  }

  answer(question: Question): Promise<Answers[Question['type']]> {
    switch (question.type) {
      case 'list':
        return this.list(question);
      case 'preview':
        return this.preview(question);
      case 'page':
        return this.page(question);
      case 'projects':
        return this.projects();
    }
  }

  async list({ query, scope, sort, limit }: ListQuestion): Promise<Results> {
    const within = scope === 'everywhere' ? undefined : this.within[scope];
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

  async preview({ id, match, bestId }: PreviewQuestion): Promise<PreviewAnswer> {
    const { head, matches, start } = await this.read(id, match);
    const pieces: Piece[] = [];
    let next: PageStart | null = start;
    for (let nth = 0; nth < maxPreviewPages && next !== null; nth++) {
      const page: ConversationPage = await this.recall.readPage(next, previewMessages);
      pieces.push(...page.pieces);
      next = page.next;
      if (bestId === null || page.pieces.some((piece) => isMessage(piece, bestId))) break;
    }
    return { opened: { head, terms: matches?.terms ?? [] }, pieces, isCut: next !== null };
  }

  async page({ id, match, showsSubagents, start }: PageQuestion): Promise<PageAnswer> {
    if (start !== null) return { ...(await this.recall.readPage(start, pageMessages)), opened: null };
    const matches = match === '' ? null : (await this.read(id, match)).matches;
    const request = { subagents: showsSubagents, callTexts: matches ?? false };
    const { head, start: first } = await this.recall.read(id, request, asIndexed);
    const page = await this.recall.readPage(first, pageMessages);
    return { ...page, opened: { head, terms: matches?.terms ?? [] } };
  }

  async projects(): Promise<readonly string[]> {
    const { projects } = await this.recall.projects({ limit: maxProjects }, asIndexed);
    return projects.flatMap(({ path }) => path ?? []);
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
}

function isMessage(piece: Piece, id: number): boolean {
  return (
    piece.type === 'part' &&
    (piece.part.type === 'message' || piece.part.type === 'recap') &&
    piece.part.message.id === id
  );
}

export function toRecentResults({ sessions, total, currentId, emptiness }: ListAnswer, of: Asked): Results {
  return {
    of,
    rows: sessions.map((listed) => ({ ...listed, bestId: null })),
    total,
    isTotalExact: true,
    terms: [],
    isByDay: true,
    understood: null,
    emptiness,
    currentId,
  };
}

function toFound(answer: SearchAnswer, of: Asked): Results {
  const { hits, total, isTotalExact, terms, emptiness, tier, corrections, completeHits, time } = answer;
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
    understood: { tier, corrections, completeHits, time },
    emptiness,
    currentId: null,
  };
}
