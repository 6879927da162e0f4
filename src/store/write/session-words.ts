// The words a session is found by, beyond those of its messages: from what is known of it once it is settled.

import type { TitleSource } from '../../records.ts';
import { toPartTokens, toSearchable, type WordForms } from '../../text/words.ts';

export interface NamedSession {
  readonly title: string | null;
  readonly titleSource: TitleSource;
  readonly summary: string | null;
  readonly firstPrompt: string | null;
  readonly projectPath: string | null;
  readonly branch: string | null;
  readonly subagentType: string | null;
  readonly subagentDescription: string | null;
  readonly prRepository: string | null;
  readonly prNumber: number | null;
}

export interface SessionWords {
  readonly title: string;
  readonly summary: string;
  readonly firstPrompt: string;
  readonly context: string;
  readonly part: string;
}

export function toSessionWords(session: NamedSession, forms: WordForms): SessionWords {
  const words = {
    // A first prompt has a column of its own.
    title: session.titleSource === 'first-prompt' ? '' : (session.title ?? ''),
    summary: session.summary ?? '',
    firstPrompt: session.firstPrompt ?? '',
    context: [
      session.projectPath,
      session.branch,
      session.subagentType,
      session.subagentDescription,
      session.prRepository,
      session.prNumber === null ? null : `#${session.prNumber}`,
    ]
      .filter((part) => part !== null)
      .join('\n'),
  };
  return {
    title: toSearchable(words.title),
    summary: toSearchable(words.summary),
    firstPrompt: toSearchable(words.firstPrompt),
    context: toSearchable(words.context),
    part: toPartTokens(Object.values(words).join('\n'), forms),
  };
}

/** `insert or replace`, because a session is settled more than once. */
export const insertSessionWords = `
  insert or replace into session_fts (rowid, title, summary, first_prompt, context, part) values (?, ?, ?, ?, ?, ?)`;
