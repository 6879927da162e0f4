// What is told of a session above its conversation, as labelled lines that every format for people shows.

import type { SessionInfo } from '../../store/read/read-sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { formatNumbered } from '../quantities.ts';
import type { IsDirectory } from '../sessions/hits-json.ts';
import { toShortId } from '../sessions/reference.ts';
import { findGoneDirectory, toShortPath } from '../sessions/session-lines.ts';
import { formatSpan } from '../times.ts';
import type { Head } from './printer.ts';

export interface HeadFacts {
  readonly title: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
}

export interface HeadOptions {
  readonly homeDir: string;
  readonly isDirectory: IsDirectory;
}

export function toHeadFacts(head: Head, { homeDir, isDirectory }: HeadOptions): HeadFacts {
  const { session, details } = head;
  const goneDirectory = findGoneDirectory(session, isDirectory);
  const facts: [string, string][] = [
    ['session', session.nativeId],
    ['kind', kindNames[session.kind]],
    ['subagent', session.subagentType ?? ''],
    ['belongs to', head.owner === null ? '' : toName(head.owner)],
    ['project', toShortPath(session.project ?? '', homeDir)],
    ['branch', session.branch === 'HEAD' ? '' : (session.branch ?? '')],
    ['when', formatSpan(session.createdAt, session.modifiedAt)],
    ['holds', toCounts(head)],
    ['models', details.models.join(', ')],
    ['pull request', details.prUrl ?? (session.prNumber === null ? '' : `#${session.prNumber}`)],
    ...head.copies.map((copy): [string, string] => ['copy', toName(copy)]),
    ['copies', head.copyCount > head.copies.length ? `and ${head.copyCount - head.copies.length} more` : ''],
    ...head.histories.map((history): [string, string] => [
      'before',
      `${history.nativeId}, saved when it was compacted`,
    ]),
    ['continued in', details.continuedIn ?? ''],
    ['transcript', session.isGone === 1 ? 'deleted; this is what the index keeps of it' : ''],
    ['directory', goneDirectory === null ? '' : `gone: ${toShortPath(goneDirectory, homeDir)}`],
    ['resume', goneDirectory === null ? toResumeHint(session) : ''],
  ];
  return {
    title: toPrintableLine(session.title ?? '') || '(untitled)',
    facts: facts
      .map(([label, value]) => [label, toPrintableLine(value)] as const)
      .filter(([, value]) => value !== ''),
  };
}

/** Values to copy rather than to read. */
export const codeLabels: ReadonlySet<string> = new Set([
  'session',
  'project',
  'branch',
  'continued in',
  'resume',
]);

const kindNames = {
  main: '',
  subagent: 'subagent',
  transcript: 'exported transcript',
  precompact: 'history saved before a compaction',
  history: 'prompts only, from the prompt history',
} as const;

function toName({ nativeId, title }: SessionInfo): string {
  return `${toShortId(nativeId)}  ${title ?? ''}`;
}

function toCounts({ session, details, subagentCount }: Head): string {
  return [
    formatNumbered(session.messageCount, 'message'),
    details.toolCallCount === 0 ? '' : formatNumbered(details.toolCallCount, 'tool call'),
    subagentCount === 0 ? '' : formatNumbered(subagentCount, 'subagent'),
    details.compactionCount === 0 ? '' : formatNumbered(details.compactionCount, 'compaction'),
  ]
    .filter((count) => count !== '')
    .join(', ');
}

function toResumeHint({ kind, isGone, nativeId }: SessionInfo): string {
  return kind === 'main' && isGone === 0 ? `recall open ${toShortId(nativeId)}` : '';
}
