// Search results for an agent, in few characters: a line for each session, a line for each passage, how to read more.

import type { FoundMatch, SearchAnswer } from '../../api/answers.ts';
import { toPrintable, toPrintableLine } from '../../text/printable.ts';
import { toToolTextName } from '../hits.ts';
import { toQuotedSnippet } from '../json.ts';
import { toResultNotes } from '../notes.ts';
import { formatNumbered } from '../quantities.ts';
import { toReference, toShortId } from '../sessions.ts';
import {
  keepTo,
  toBriefLine,
  toBriefSession,
  toLargerBudget,
  toLastLines,
  type Voice,
} from './brief-sessions.ts';

interface Form {
  readonly hits: number;
  readonly passages: number;
  readonly chars: number;
}

const tierNotes = {
  all: 'match',
  prefix: 'contain words that start with the words typed',
  any: 'contain some of the words, best matches first',
  fuzzy: 'contain similarly spelt words',
} as const;

/** The most passages of a session, and the most characters of each, from long to short. */
const lengths = [
  [3, 300],
  [3, 200],
  [2, 200],
  [2, 140],
  [1, 200],
  [1, 120],
  [1, 80],
] as const;

/** The search must have counted positions. */
export function toBriefHits(result: SearchAnswer, voice: Voice, budget: number) {
  const count = result.hits.length;
  const forms: Form[] = lengths.map(([passages, chars]) => ({ hits: count, passages, chars }));
  for (let hits = count - 1; hits > 0; hits--) forms.push({ hits, passages: 1, chars: 80 });
  forms.push({ hits: Math.min(count, 1), passages: 0, chars: 0 });
  return keepTo(forms, budget, voice, (form) => {
    const data = toData(result, voice, budget, form);
    return { data, text: toText(data, result, voice) };
  });
}

function toData(result: SearchAnswer, voice: Voice, budget: number, form: Form) {
  const hits = result.hits.slice(0, form.hits).map((hit) => ({
    ...toBriefSession(hit, { withResume: voice.sendsData }),
    matchCount: hit.matchCount,
    passages: hit.matches
      .filter(isPassage)
      .slice(0, form.passages)
      .map((match) => {
        const text = toPrintable(match.message.text || (match.toolText?.target ?? ''));
        return {
          reference: toReference(match.subagent ?? hit.session, match.position ?? 1),
          who: toWho(match),
          text: toQuotedSnippet(text, result, form.chars).replace(/\s+/g, ' '),
        };
      }),
  }));
  const leftOut = Math.max(0, result.total - hits.length);
  const first = hits[0];
  const next: string[] = [];
  if (first !== undefined) {
    const words = toPrintableLine(result.query);
    const isToolText = (result.hits[0]?.matches.find(isPassage)?.toolText ?? null) !== null;
    // What a tool printed is folded where a message is read, and shown where it is looked for.
    next.push(
      isToolText && words.length <= maxWordsChars
        ? voice.readMatching(toShortId(first.id), words)
        : voice.read(first.passages[0]?.reference ?? toShortId(first.id)),
    );
  }
  if (hits.length < result.hits.length) next.push(...voice.more('budget', toLargerBudget(budget)));
  else if (leftOut > 0) next.push(...voice.more('limit', result.hits.length * 2));
  return { tier: result.tier, total: result.total, totalIsExact: result.isTotalExact, hits, leftOut, next };
}

/** Longer words are not repeated in what to do next. */
const maxWordsChars = 100;

function isPassage({ message }: FoundMatch): boolean {
  return message.kind !== 'title';
}

/** Who said it, the tool that did it, or what is called so. */
function toWho({ message, subagent, toolText, call }: FoundMatch): string {
  if (call !== null) return toPrintableLine(call.tool);
  if (toolText !== null) return toToolTextName(toolText);
  if (message.id === 0 || message.kind === 'recap') return message.kind;
  return subagent === null ? message.role : toPrintableLine(subagent.subagentType ?? 'subagent');
}

function toText(data: ReturnType<typeof toData>, result: SearchAnswer, voice: Voice): string {
  const count = `${data.totalIsExact ? '' : 'more than '}${formatNumbered(data.total, 'session')}`;
  const verb = (form: string) => (form === 'match' ? 'matches' : 'contains');
  const note = tierNotes[result.tier];
  const lines = [`${count} ${data.total === 1 ? note.replace(/^(?:contain|match)/, verb) : note}`];
  for (const [typed, meant] of result.corrections)
    lines.push(`searched for “${toPrintableLine(meant)}” instead of “${toPrintableLine(typed)}”`);
  lines.push(...toResultNotes(result, voice));
  for (const [i, hit] of data.hits.entries()) {
    lines.push(`${i + 1}. ${toBriefLine(hit)}`);
    for (const { reference, who, text } of hit.passages) lines.push(`   ${reference} ${who}: ${text}`);
    const more = hit.matchCount - hit.passages.length;
    const [one, many] = hit.passages.length > 0 ? ['more match', 'more matches'] : ['match', 'matches'];
    if (more > 0) lines.push(`   ${formatNumbered(more, one, many)}`);
  }
  lines.push(...toLastLines(data.leftOut > 0 ? formatNumbered(data.leftOut, 'session') : '', data.next));
  return lines.join('\n');
}
