// Lists of sessions for an agent, in few characters, and what all brief answers share: how a session is described, how the
// answer is fitted to its budget, and how it tells the agent to continue, with a command line or with a tool call.

import type { FileHistory, ListAnswer, ListedSession } from '../../api/answers.ts';
import { maxListed } from '../../records.ts';
import { quoteForShell, toPrintableLine } from '../../text/printable.ts';
import { clip } from '../columns.ts';
import { formatIsoDay, formatNumbered } from '../quantities.ts';
import { toShortId } from '../sessions.ts';

export function toBriefList({ sessions, total }: ListAnswer, voice: Voice, budget: number) {
  const all = sessions.map((listed) => toBriefSession(listed, { withResume: voice.sendsData }));
  return fitList({ all, total, voice, budget }, toBriefLine);
}

/** Each with the tools that touched the file: `Edit ×2, Read ×1`. */
export function toBriefTouched({ sessions, total }: FileHistory, voice: Voice, budget: number) {
  const all = sessions.map((touching) => ({
    ...toBriefSession(touching, { withResume: false }),
    tools: touching.tools.map(({ name, calls }) => `${toPrintableLine(name)} ×${calls}`).join(', '),
  }));
  return fitList({ all, total, voice, budget }, (each) => `${toBriefLine(each)}\n   ${each.tools}`);
}

interface ListToFit<S> {
  readonly all: readonly S[];
  readonly total: number;
  readonly voice: Voice;
  readonly budget: number;
}

function fitList<S extends BriefSession>(
  { all, total, voice, budget }: ListToFit<S>,
  toLine: (session: S) => string,
) {
  const counts = Array.from({ length: Math.max(1, all.length) }, (_, i) => all.length - i);
  return keepTo(counts, budget, voice, (count) => {
    const sessions = all.slice(0, count);
    const leftOut = Math.max(0, total - sessions.length);
    const next = sessions.slice(0, 1).map(({ id }) => voice.read(toShortId(id)));
    if (sessions.length < all.length) next.push(...voice.more('budget', toLargerBudget(budget)));
    else if (leftOut > 0) next.push(...voice.more('limit', all.length * 2));
    const lines = [
      formatNumbered(total, 'session'),
      ...sessions.map((session, i) => `${i + 1}. ${toLine(session)}`),
      ...toLastLines(leftOut > 0 ? formatNumbered(leftOut, 'session') : '', next),
    ];
    return { data: { total, sessions, leftOut, next }, text: lines.join('\n') };
  });
}

/** What was left out, if anything, and how to read on. */
export function toLastLines(leftOut: string, next: readonly string[]): string[] {
  return [
    ...(leftOut === '' ? [] : [`left out: ${leftOut}`]),
    ...(next.length === 0 ? [] : [`next: ${next.join('   or: ')}`]),
  ];
}

export interface BriefSession {
  readonly id: string;
  /** Missing where there is only one agent. */
  readonly agent?: string;
  readonly title: string | null;
  /** Missing for an ordinary session. */
  readonly kind?: string;
  readonly project: string | null;
  readonly branch?: string;
  readonly modifiedAt: string | null;
  readonly messageCount: number;
  /** Set if its transcript was deleted. */
  readonly isGone?: true;
  /** From where its transcript can be brought back, by the person. */
  readonly restorable?: 'archive' | 'text';
  /** The command line that resumes it, for the user; missing if it cannot be resumed. */
  readonly resume?: string;
}

const maxTitleChars = 100;

export function toBriefSession(
  { session, resumption }: Pick<ListedSession, 'session' | 'resumption'>,
  { withResume }: { readonly withResume: boolean },
): BriefSession {
  const { isResumable, resume, restorable } = resumption;
  const { branch, project } = session;
  return {
    id: toPrintableLine(session.nativeId),
    ...(session.isOfSeveral ? { agent: session.agent } : {}),
    title: toBriefTitle(session),
    ...(session.kind === 'main' ? {} : { kind: session.kind }),
    project: project === null ? null : toPrintableLine(project),
    ...(branch === null || branch === 'HEAD' ? {} : { branch: toPrintableLine(branch) }),
    modifiedAt: session.modifiedAt,
    messageCount: session.messageCount,
    ...(session.isDeleted ? { isGone: true } : {}),
    ...(restorable === null ? {} : { restorable }),
    ...(withResume && isResumable && resume !== null ? { resume: resume.command } : {}),
  };
}

export function toBriefTitle({ title }: { readonly title: string | null }): string | null {
  return title === null ? null : clip(toPrintableLine(title), maxTitleChars);
}

/** `66c737db  2026-10-06  /home/maya/shop  main  16 messages  JWT auth`: the title is last, as it may contain anything. */
export function toBriefLine(session: BriefSession): string {
  return [
    toShortId(session.id),
    formatIsoDay(session.modifiedAt) || 'undated',
    session.project ?? '-',
    session.branch ?? '-',
    formatNumbered(session.messageCount, 'message'),
    ...(session.agent === undefined ? [] : [session.agent]),
    ...(session.kind === undefined ? [] : [session.kind]),
    ...(session.isGone ? [session.restorable === 'archive' ? 'deleted, copy kept' : 'deleted'] : []),
    session.title ?? '(untitled)',
  ].join('  ');
}

/** The largest values that the command line accepts, and those that the tools accept. */
export const maximums = { limit: maxListed, budget: 200_000 } as const;
export const toolMaximums = { limit: 100, budget: 200_000 } as const;

export interface Voice {
  /** The same content is also sent as data, which must keep to the budget too. */
  readonly sendsData: boolean;
  /** How to read a session, or what surrounds one of its messages. */
  read(reference: string, withSubagents?: boolean): string;
  /** How to read what matches in a session, in the output of tools as well. */
  readMatching(id: string, words: string): string;
  /** How a filter is given. */
  filter(name: string, value: string): string;
  /** How to raise a limit; empty if the value is larger than allowed. */
  more(what: 'limit' | 'budget', value: number): string[];
}

/** `--since "last week"`. */
export function toFlag(name: string, value: string): string {
  return `--${name} ${/\s/.test(value) ? `"${value}"` : value}`;
}

/** `givenFlags` are added to every suggested command. */
export const toCommandVoice = (givenFlags: string): Voice => ({
  sendsData: false,
  read: (reference, withSubagents) =>
    `recall show --brief ${reference}${withSubagents ? ' --subagents' : ''}${givenFlags}`,
  readMatching: (id, words) => `recall show --brief ${id} --match=${quoteForShell(words)}${givenFlags}`,
  filter: toFlag,
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

/** A round number of characters that should be enough for what was left out. */
export function toLargerBudget(budget: number): number {
  return Math.ceil((budget * 2) / 500) * 500;
}

/** The first form that fits, from long to short; the last one, cut off, if none does. */
export function keepTo<F, T>(
  forms: readonly F[],
  budget: number,
  { sendsData }: Voice,
  render: (form: F) => Fitted<T>,
): Fitted<T> {
  let fitted: Fitted<T> | null = null;
  for (const form of forms) {
    fitted = render(form);
    const dataChars = sendsData ? JSON.stringify(fitted.data).length : 0;
    if (fitted.text.length <= budget && dataChars <= budget) return fitted;
  }
  if (fitted === null) throw new Error('no form to choose from');
  return fitted.text.length <= budget
    ? fitted
    : { ...fitted, text: `${fitted.text.slice(0, Math.max(0, budget - 1)).toWellFormed()}…` };
}
