// Search results and lists of sessions for an agent, in few characters, and what all brief answers share: how a session is
// described, how the answer is fitted to its budget, and how to continue, with a command line or with a tool call.

import type { FileHistory, FoundMatch, ListAnswer, ListedSession, SearchAnswer } from '../../api/answers.ts';
import { maxListed } from '../../records.ts';
import { quoteForShell, toPrintable, toPrintableLine } from '../../text/printable.ts';
import { clip } from '../columns.ts';
import { nameToolText } from '../hits.ts';
import { formatQuotedSnippet } from '../json.ts';
import { formatFlag, formatResultNotes } from '../notes.ts';
import { formatIsoDay, formatNumbered } from '../quantities.ts';
import { formatNote, formatReference, shortenId } from '../sessions.ts';

export function formatBriefList({ sessions, total }: ListAnswer, voice: Voice, budget: number) {
  const all = sessions.map((listed) => toBriefSession(listed, { withResume: voice.sendsData }));
  return fitList({ all, total }, voice, budget, formatBriefLine);
}

export function formatBriefFiles({ sessions, total }: FileHistory, voice: Voice, budget: number) {
  const all = sessions.map((touching) => ({
    ...toBriefSession(touching, { withResume: false }),
    tools: touching.tools.map(({ name, calls }) => `${toPrintableLine(name)} ×${calls}`).join(', '),
  }));
  return fitList({ all, total }, voice, budget, (each) => `${formatBriefLine(each)}\n   ${each.tools}`);
}

function fitList<S extends BriefSession>(
  { all, total }: { readonly all: readonly S[]; readonly total: number },
  voice: Voice,
  budget: number,
  formatLine: (session: S) => string,
) {
  const counts = Array.from({ length: Math.max(1, all.length) }, (_, i) => all.length - i);
  return keepTo(counts, budget, voice, (count) => {
    const sessions = all.slice(0, count);
    const leftOut = Math.max(0, total - sessions.length);
    const next = sessions.slice(0, 1).map(({ id }) => voice.read(shortenId(id)));
    if (sessions.length < all.length) next.push(...voice.more('budget', planLargerBudget(budget)));
    else if (leftOut > 0) next.push(...voice.more('limit', all.length * 2));
    const lines = [
      formatNumbered(total, 'session'),
      ...sessions.map((session, i) => `${i + 1}. ${formatLine(session)}`),
      ...formatLastLines(leftOut > 0 ? formatNumbered(leftOut, 'session') : '', next),
    ];
    return { data: { total, sessions, leftOut, next }, text: lines.join('\n') };
  });
}

export function formatLastLines(leftOut: string, next: readonly string[]): string[] {
  return [
    ...(leftOut === '' ? [] : [`left out: ${leftOut}`]),
    ...(next.length === 0 ? [] : [`next: ${next.join('   or: ')}`]),
  ];
}

export interface BriefSession {
  readonly id: string;
  readonly agent?: string;
  readonly title: string | null;
  readonly kind?: string;
  readonly project: string | null;
  readonly branch?: string;
  readonly modifiedAt: string | null;
  readonly messageCount: number;
  /** Where it was, if not on this machine, and whose it is, if somebody else's. */
  readonly machine?: string;
  readonly owner?: string;
  readonly starred?: true;
  readonly tags?: readonly string[];
  readonly notes?: readonly string[];
  readonly isGone?: true;
  readonly restorable?: 'archive' | 'text';
  /** The command line that resumes it, for the user; missing if it cannot be resumed. */
  readonly resume?: string;
}

const maxTitleChars = 100;
const maxNoteChars = 200;

export function toBriefSession(
  { session, resumption }: Pick<ListedSession, 'session' | 'resumption'>,
  { withResume }: { readonly withResume: boolean },
): BriefSession {
  const { isResumable, resume, restorable } = resumption;
  const { branch, project } = session;
  return {
    id: toPrintableLine(session.nativeId),
    ...(session.isOfSeveral ? { agent: session.agent } : {}),
    title: formatBriefTitle(session),
    ...(session.kind === 'main' ? {} : { kind: session.kind }),
    project: project === null ? null : toPrintableLine(project),
    ...(branch === null || branch === 'HEAD' ? {} : { branch: toPrintableLine(branch) }),
    modifiedAt: session.modifiedAt,
    messageCount: session.messageCount,
    ...(session.machine === null ? {} : { machine: toPrintableLine(session.machine) }),
    ...(session.owner === null ? {} : { owner: toPrintableLine(session.owner) }),
    ...(session.labels.isStarred ? { starred: true } : {}),
    ...(session.labels.tags.length === 0 ? {} : { tags: session.labels.tags.map(toPrintableLine) }),
    ...(session.labels.notes.length === 0
      ? {}
      : { notes: session.labels.notes.map((note) => clip(formatNote(session, note), maxNoteChars)) }),
    ...(session.isDeleted && session.machine === null ? { isGone: true } : {}),
    ...(restorable === null ? {} : { restorable }),
    ...(withResume && isResumable && resume !== null ? { resume: resume.command } : {}),
  };
}

export function formatBriefTitle({ title }: { readonly title: string | null }): string | null {
  return title === null ? null : clip(toPrintableLine(title), maxTitleChars);
}

/** `66c737db  2026-10-06  /home/maya/shop  main  16 messages  JWT auth`: the title is last, as it may contain anything. */
export function formatBriefLine(session: BriefSession): string {
  return [
    shortenId(session.id),
    formatIsoDay(session.modifiedAt) || 'undated',
    session.project ?? '-',
    session.branch ?? '-',
    formatNumbered(session.messageCount, 'message'),
    ...(session.agent === undefined ? [] : [session.agent]),
    ...(session.machine === undefined
      ? []
      : [`on ${session.owner === undefined ? '' : `${session.owner}@`}${session.machine}`]),
    ...(session.kind === undefined ? [] : [session.kind]),
    ...(session.isGone ? [session.restorable === 'archive' ? 'deleted, copy kept' : 'deleted'] : []),
    ...(session.starred ? ['starred'] : []),
    ...(session.tags ?? []).map((tag) => `#${tag}`),
    session.title ?? '(untitled)',
    ...(session.notes ?? []).map((note) => `(note: ${note})`),
  ].join('  ');
}

export const maximums = { limit: maxListed, budget: 200_000 } as const;
export const toolMaximums = { limit: 100, budget: 200_000 } as const;

export interface Voice {
  /** The same content is also sent as data, which must keep to the budget too. */
  readonly sendsData: boolean;
  read(reference: string, withSubagents?: boolean): string;
  readMatching(id: string, words: string): string;
  filter(name: string, value: string): string;
  /** How to raise a limit; empty if the value is larger than allowed. */
  more(what: 'limit' | 'budget', value: number): string[];
}

export const buildCommandVoice = (givenFlags: string): Voice => ({
  sendsData: false,
  read: (reference, withSubagents) =>
    `recall show --brief ${reference}${withSubagents ? ' --subagents' : ''}${givenFlags}`,
  readMatching: (id, words) => `recall show --brief ${id} --match=${quoteForShell(words)}${givenFlags}`,
  filter: formatFlag,
  more: (what, value) => (value > maximums[what] ? [] : [`--${what} ${value}`]),
});

export const toolVoice: Voice = {
  sendsData: true,
  read: (reference, withSubagents) =>
    `read_session {"id": "${reference}"${withSubagents ? ', "subagents": true' : ''}}`,
  readMatching: (id, words) => `read_session {"id": "${id}", "match": ${JSON.stringify(words)}}`,
  filter: (name, value) => `"${name}": ${JSON.stringify(value)}`,
  more: (what, value) => (value > toolMaximums[what] ? [] : [`"${what}": ${value}`]),
};

export interface Fitted<T> {
  readonly data: T;
  readonly text: string;
}

export function planLargerBudget(budget: number): number {
  return Math.ceil((budget * 2) / 500) * 500;
}

/** The first form that fits, from long to short; the last one, cut off, if none does. */
export function keepTo<F, T>(
  forms: readonly F[],
  budget: number,
  { sendsData }: Voice,
  render: (form: F) => Fitted<T>,
): Fitted<T> {
  for (const [i, form] of forms.entries()) {
    const { data, text } = render(form);
    const dataChars = sendsData ? JSON.stringify(data).length : 0;
    if (text.length <= budget && (dataChars <= budget || i === forms.length - 1)) return { data, text };
    if (i === forms.length - 1)
      return { data, text: `${text.slice(0, Math.max(0, budget - 1)).toWellFormed()}…` };
  }
  throw new Error('no form to choose from');
}

type HitsForm = Readonly<Record<'hits' | 'passages' | 'chars', number>>;

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

/** A line for each session and for each passage. The search must have counted positions. */
export function formatBriefHits(result: SearchAnswer, voice: Voice, budget: number) {
  const count = result.hits.length;
  const forms: HitsForm[] = lengths.map(([passages, chars]) => ({ hits: count, passages, chars }));
  for (let hits = count - 1; hits > 0; hits--) forms.push({ hits, passages: 1, chars: 80 });
  forms.push({ hits: Math.min(count, 1), passages: 0, chars: 0 });
  return keepTo(forms, budget, voice, (form) => {
    const data = buildHitsData(result, voice, budget, form);
    return { data, text: formatHits(data, result, voice) };
  });
}

function buildHitsData(result: SearchAnswer, voice: Voice, budget: number, form: HitsForm) {
  const hits = result.hits.slice(0, form.hits).map((hit) => ({
    ...toBriefSession(hit, { withResume: voice.sendsData }),
    matchCount: hit.matchCount,
    passages: hit.matches
      .filter(isPassage)
      .slice(0, form.passages)
      .map((match) => {
        const text = toPrintable(match.message.text || (match.toolText?.target ?? ''));
        return {
          reference: formatReference(match.subagent ?? hit.session, match.position ?? 1),
          who: formatWho(match),
          text: formatQuotedSnippet(text, result, form.chars).replace(/\s+/g, ' '),
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
        ? voice.readMatching(shortenId(first.id), words)
        : voice.read(first.passages[0]?.reference ?? shortenId(first.id)),
    );
  }
  if (hits.length < result.hits.length) next.push(...voice.more('budget', planLargerBudget(budget)));
  else if (leftOut > 0) next.push(...voice.more('limit', result.hits.length * 2));
  return { tier: result.tier, total: result.total, totalIsExact: result.isTotalExact, hits, leftOut, next };
}

/** Longer words are not repeated in what to do next. */
const maxWordsChars = 100;

function isPassage({ message }: FoundMatch): boolean {
  return message.kind !== 'title';
}

function formatWho({ message, subagent, toolText, call }: FoundMatch): string {
  if (call !== null) return toPrintableLine(call.tool);
  if (toolText !== null) return nameToolText(toolText);
  if (message.id === 0 || message.kind === 'recap') return message.kind;
  return subagent === null ? message.role : toPrintableLine(subagent.subagentType ?? 'subagent');
}

function formatHits(data: ReturnType<typeof buildHitsData>, result: SearchAnswer, voice: Voice): string {
  const count = `${data.totalIsExact ? '' : 'more than '}${formatNumbered(data.total, 'session')}`;
  const verb = (form: string) => (form === 'match' ? 'matches' : 'contains');
  const note = tierNotes[result.tier];
  const lines = [`${count} ${data.total === 1 ? note.replace(/^(?:contain|match)/, verb) : note}`];
  for (const [typed, meant] of result.corrections)
    lines.push(`searched for “${toPrintableLine(meant)}” instead of “${toPrintableLine(typed)}”`);
  lines.push(...formatResultNotes(result, voice.filter));
  for (const [i, hit] of data.hits.entries()) {
    lines.push(`${i + 1}. ${formatBriefLine(hit)}`);
    for (const { reference, who, text } of hit.passages) lines.push(`   ${reference} ${who}: ${text}`);
    const more = hit.matchCount - hit.passages.length;
    const [one, many] = hit.passages.length > 0 ? ['more match', 'more matches'] : ['match', 'matches'];
    if (more > 0) lines.push(`   ${formatNumbered(more, one, many)}`);
  }
  lines.push(...formatLastLines(data.leftOut > 0 ? formatNumbered(data.leftOut, 'session') : '', data.next));
  return lines.join('\n');
}
