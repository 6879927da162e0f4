// What a conversation consists of: how many messages, the prompts among them, and which match. A reader that shows one part at a
// time asks for this once, and then for any stretch of messages by their numbers.

import { parseQuery } from '../../search/query/parse-query.ts';
import type { Store } from '../../store/open/open-store.ts';
import { readLines, readPrompts, wholeTranscript } from '../../store/read/read-conversation.ts';
import { listCallTexts } from '../../store/read/tool-texts.ts';
import type { Outline, OutlinedMatches } from '../answers.ts';
import { findMatches } from './find-matches.ts';
import { findAtOrBefore } from './select-messages.ts';

const maxPromptChars = 200;

export async function readOutline(store: Store, id: number, match: string): Promise<Outline> {
  const lines = readLines(store.db, id);
  const positionOf = new Map(lines.map((seq, i) => [seq, i + 1]));
  const prompts = readPrompts(store.db, id, maxPromptChars).map(({ seq, timestamp, text }) => ({
    position: positionOf.get(seq) ?? 0,
    timestamp,
    text,
  }));
  return {
    messageCount: lines.length,
    prompts,
    matches: await findOutlined(store, id, match, lines),
  };
}

async function findOutlined(
  store: Store,
  id: number,
  match: string,
  lines: readonly number[],
): Promise<OutlinedMatches | null> {
  const query = parseQuery(match);
  if (query.terms.length === 0) return null;
  const found = await findMatches(store, [id], query, null);
  const places = [...(found.lines.get(id) ?? [])].map((seq) => findAtOrBefore(lines, seq) + 1);
  const texts = found.toolTexts.size === 0 ? [] : listCallTexts(store.db, id, wholeTranscript);
  const callLines = texts.filter((text) => found.toolTexts.has(text.id)).map(({ callSeq }) => callSeq);
  return {
    terms: found.terms,
    isPartial: found.isPartial,
    corrections: found.corrections,
    positions: [...new Set(places)].filter((position) => position > 0).sort((a, b) => a - b),
    callLines: [...new Set(callLines)].sort((a, b) => a - b),
  };
}
