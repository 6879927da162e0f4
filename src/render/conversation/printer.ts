// The interface of an output format of a conversation, and what the formats have in common: the facts above it, the names
// of speakers and tool calls, and what a person typed.

import type {
  Conversation,
  ConversationPage,
  Head,
  ListedSession,
  MessagePart,
  PageStart,
  Part,
  Piece,
  ShownCall,
  Speaker,
} from '../../api/answers.ts';
import { recall, toHintText } from '../../hints.ts';
import { sessionKinds } from '../../records.ts';
import type { StoredCall } from '../../store/read/read-conversation.ts';
import type { SessionInfo } from '../../store/word-index.ts';
import { toPrintable, toPrintableLine } from '../../text/printable.ts';
import { clip } from '../columns.ts';
import { formatNumbered, formatSpan } from '../quantities.ts';
import {
  findDeleted,
  formatMachine,
  formatNote,
  type SessionLineOptions,
  shortenId,
  shortenPath,
  toStarredTitle,
} from '../sessions.ts';

/** Each method returns a piece of the page without its last newline. A page of any length is never held in memory. */
export interface Printer {
  begin(head: Head): string;
  listPrompts?(prompts: AsyncIterable<MessagePart>): AsyncIterable<string>;
  part(part: Part): string;
  openSubagent?(subagent: ListedSession): string;
  closeSubagent?(): string;
  end?(): string;
}

export type ReadPages = (start: PageStart) => AsyncIterable<ConversationPage>;

export async function* printConversation(
  printer: Printer,
  { head, start }: Pick<Conversation, 'head' | 'start'>,
  readPages: ReadPages,
): AsyncGenerator<string> {
  yield printer.begin(head);
  if (printer.listPrompts !== undefined)
    yield* printer.listPrompts(findPrompts(readPages({ ...start, callTexts: false })));
  for await (const { pieces } of readPages(start)) {
    // Page by page: waiting for each piece would take as long as printing it.
    const printed = pieces.map((piece) => printPiece(printer, piece)).filter((text) => text !== '');
    if (printed.length > 0) yield printed.join('\n');
  }
  if (printer.end !== undefined) yield printer.end();
}

/** The conversation is read twice rather than kept in memory. */
async function* findPrompts(pages: AsyncIterable<ConversationPage>): AsyncGenerator<MessagePart> {
  let depth = 0;
  let isPerson = false;
  for await (const { pieces } of pages)
    for (const piece of pieces) {
      if (piece.type !== 'part') depth += piece.type === 'subagent-start' ? 1 : -1;
      else if (piece.part.type === 'turn') isPerson = piece.part.speaker === 'person';
      else if (piece.part.type === 'message' && isPerson && depth === 0) yield piece.part;
    }
}

export function printPiece(printer: Printer, piece: Piece): string {
  if (piece.type === 'part') return printer.part(piece.part);
  if (piece.type === 'subagent-start') return printer.openSubagent?.(piece.listed) ?? '';
  return printer.closeSubagent?.() ?? '';
}

export type HeadOptions = Pick<SessionLineOptions, 'homeDir' | 'givenFlags'>;

export function listHeadFacts(head: Head, { homeDir, givenFlags }: HeadOptions) {
  const { session, details, copies, copyNames } = head;
  const deleted = findDeleted(head);
  const { isResumable, restorable } = head.resumption;
  const histories = head.histories.map(({ nativeId }) => nativeId);
  const ref = `${shortenId(session.nativeId)}${session.machine === null ? '' : `@${session.machine}`}`;
  const open = recall('open', ref, ...(isResumable ? [] : ['--restore']));
  const facts: [string, string][] = [
    ['session', session.nativeId],
    ['kind', sessionKinds[session.kind].label],
    ['subagent', session.subagentType ?? ''],
    ['belongs to', head.owner === null ? '' : formatName(head.owner)],
    ['project', shortenPath(session.project ?? '', homeDir)],
    ['machine', [formatMachine(session), session.importedOn].filter(Boolean).join(', ')],
    ['branch', session.branch === 'HEAD' ? '' : (session.branch ?? '')],
    ['tags', session.labels.tags.map((tag) => `#${tag}`).join(' ')],
    ...session.labels.notes.map((note): [string, string] => ['note', formatNote(session, note)]),
    ['when', formatSpan(session.createdAt, session.modifiedAt)],
    ['contains', formatCounts(head)],
    ['models', details.models.join(', ')],
    ['pull request', details.prUrl ?? (session.prNumber === null ? '' : `#${session.prNumber}`)],
    ...copyNames.map((copy): [string, string] => ['copy', formatName(copy)]),
    ['copies', copies > copyNames.length ? `and ${copies - copyNames.length} more` : ''],
    ...histories.map((id): [string, string] => ['history', `${id}, an earlier state of it`]),
    ['branched from', session.branchedFrom ?? ''],
    ['continued in', details.continuedIn ?? ''],
    ['transcript', deleted.transcript ? 'deleted; this is the copy in the index' : ''],
    ['directory', deleted.directory === null ? '' : `gone: ${shortenPath(deleted.directory, homeDir)}`],
    ['resume', isResumable || restorable !== null ? toHintText(open, givenFlags) : ''],
  ];
  return {
    title: toStarredTitle(session),
    facts: facts
      .map(([label, value]) => [label, toPrintableLine(value)] as const)
      .filter(([, value]) => value !== ''),
  };
}

/** Facts whose values are for copying rather than reading. */
export const codeLabels = new Set(['session', 'project', 'branch', 'continued in', 'resume']);

function formatName({ nativeId, title }: SessionInfo): string {
  return `${shortenId(nativeId)}  ${title ?? ''}`;
}

function formatCounts({ session, details, subagentCount }: Head): string {
  const { toolCallCount, compactionCount } = details;
  return [
    formatNumbered(session.messageCount, 'message'),
    ...(toolCallCount > 0 ? [formatNumbered(toolCallCount, 'tool call')] : []),
    ...(subagentCount > 0 ? [formatNumbered(subagentCount, 'subagent')] : []),
    ...(compactionCount > 0 ? [formatNumbered(compactionCount, 'compaction')] : []),
  ].join(', ');
}

export function nameSpeaker(speaker: Speaker, session: SessionInfo | undefined): string {
  if (speaker === 'person') return 'you';
  if (speaker !== 'assistant') return speaker;
  return session?.kind === 'subagent' ? nameSubagent(session) : (session?.agent ?? 'assistant');
}

export function nameSubagent(subagent: SessionInfo | undefined): string {
  return toPrintableLine(subagent?.subagentType ?? '') || 'subagent';
}

export const kindNotes: Readonly<Record<string, string>> = {
  queued: 'typed while the agent was busy',
  command: 'arguments of a slash command',
  shell: 'a shell command',
};

const maxTargetColumns = 48;

/** Paths inside `project` are shown relative to it. */
export function formatCallName(
  call: StoredCall,
  project: string | null,
  maxColumns = maxTargetColumns,
): string {
  const name = toPrintableLine(call.name);
  const target = formatTarget(call.target ?? '', project);
  return target === '' ? name : `${name} ${clip(target, maxColumns)}`;
}

function formatTarget(target: string, project: string | null): string {
  const [first = '', ...rest] = toPrintable(target).trim().split('\n');
  const line = toPrintableLine(first);
  if (project !== null && line === project) return '.';
  const isBelow = project && (line.startsWith(`${project}/`) || line.startsWith(`${project}\\`));
  return `${isBelow ? line.slice(project.length + 1) : line}${rest.length > 0 ? ' …' : ''}`;
}

/** What a tool was given and what it printed, without empty lines around it; the input is empty where the name of the call says it all. */
export function trimCallTexts({ target, input, output }: ShownCall): { input: string; output: string } {
  const [given, answered] = [input ?? '', output ?? ''].map((text) =>
    text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd(),
  ) as [string, string];
  const isSaid = given === target && given.length <= maxTargetColumns && !given.includes('\n');
  return { input: isSaid ? '' : given, output: answered };
}

/** Calls that are shown with their texts, and between them those that are folded, in order. */
export function groupByTexts(calls: readonly ShownCall[]): { hasTexts: boolean; calls: ShownCall[] }[] {
  const runs: { hasTexts: boolean; calls: ShownCall[] }[] = [];
  for (const call of calls) {
    const { input, output } = trimCallTexts(call);
    const hasTexts = input !== '' || output !== '';
    const last = runs.at(-1);
    if (last?.hasTexts === hasTexts) last.calls.push(call);
    else runs.push({ hasTexts, calls: [call] });
  }
  return runs;
}

/** `Read ×3, Edit src/auth.ts, Bash npm test`: in the order of their first call. */
export function summarizeCalls(calls: readonly StoredCall[], project: string | null): string {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => {
      const only = count === 1 ? calls.find((call) => call.name === name) : undefined;
      return only === undefined ? `${toPrintableLine(name)} ×${count}` : formatCallName(only, project);
    })
    .join(', ');
}

export function formatErrorCount(calls: readonly StoredCall[]): string {
  const errors = calls.filter((call) => call.isError).length;
  return errors === 0 ? '' : `(${formatNumbered(errors, 'error')})`;
}

/** What a person typed is shown as typed, because `__init__` is not meant as emphasis; only fenced code is recognised. */
export function splitTypedText(text: string) {
  const blocks: { readonly isCode: boolean; readonly language: string; readonly text: string }[] = [];
  let lines: string[] = [];
  let open: { readonly mark: string; readonly language: string } | null = null;
  const end = (isCode: boolean, language: string) => {
    const joined = lines.join('\n');
    if (isCode || joined.trim() !== '')
      blocks.push({ isCode, language, text: isCode ? joined : joined.replace(/^\n+/, '').trimEnd() });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const { mark, language } = parseFence(line);
    if (open === null && mark !== '') {
      end(false, '');
      open = { mark, language };
    } else if (open !== null && mark.startsWith(open.mark) && language === '') {
      end(true, open.language);
      open = null;
    } else lines.push(line);
  }
  end(open !== null, open?.language ?? '');
  return blocks;
}

/** The mark is empty if the line is not a fence. A pattern for the whole line would be tried at every place of a long one. */
function parseFence(line: string): { readonly mark: string; readonly language: string } {
  const [start = '', mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
  const info = line.slice(start.length);
  if (mark === '' || info.includes('`')) return { mark: '', language: '' };
  const [language = ''] = info.trimStart().split(/\s/, 1);
  return { mark, language };
}
