// The facts about a session above its conversation, as labelled lines that every format for people shows.

import type { Head } from '../../api/conversation/read-conversation.ts';
import type { SessionInfo } from '../../api/sessions.ts';
import { recall, toHintText } from '../../hints.ts';
import { sessionKinds } from '../../records.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { formatNumbered } from '../quantities.ts';
import { findMissing } from '../resumption.ts';
import { toShortId } from '../sessions/reference.ts';
import { toShortPath } from '../sessions/session-lines.ts';
import { formatSpan } from '../times.ts';

export interface HeadFacts {
  readonly title: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
}

export interface HeadOptions {
  readonly homeDir: string;
  /** Added to every command that the page suggests. */
  readonly givenFlags?: string;
}

export function toHeadFacts(head: Head, { homeDir, givenFlags }: HeadOptions): HeadFacts {
  const { session, details, copies, copyNames } = head;
  const missing = findMissing(head);
  const facts: [string, string][] = [
    ['session', session.nativeId],
    ['kind', sessionKinds[session.kind].label],
    ['subagent', session.subagentType ?? ''],
    ['belongs to', head.owner === null ? '' : toName(head.owner)],
    ['project', toShortPath(session.project ?? '', homeDir)],
    ['branch', session.branch === 'HEAD' ? '' : (session.branch ?? '')],
    ['when', formatSpan(session.createdAt, session.modifiedAt)],
    ['contains', toCounts(head)],
    ['models', details.models.join(', ')],
    ['pull request', details.prUrl ?? (session.prNumber === null ? '' : `#${session.prNumber}`)],
    ...copyNames.map((copy): [string, string] => ['copy', toName(copy)]),
    ['copies', copies > copyNames.length ? `and ${copies - copyNames.length} more` : ''],
    ...head.histories.map((history): [string, string] => [
      'history',
      `${history.nativeId}, saved before a compaction`,
    ]),
    ['continued in', details.continuedIn ?? ''],
    ['transcript', missing.transcript ? 'deleted; this is the copy in the index' : ''],
    ['directory', missing.directory === null ? '' : `gone: ${toShortPath(missing.directory, homeDir)}`],
    ['resume', toResumeCommand(head, givenFlags)],
  ];
  return {
    title: toPrintableLine(session.title ?? '') || '(untitled)',
    facts: facts
      .map(([label, value]) => [label, toPrintableLine(value)] as const)
      .filter(([, value]) => value !== ''),
  };
}

function toResumeCommand({ session, resumption }: Head, givenFlags: string | undefined): string {
  const { isResumable, restorable } = resumption;
  if (!isResumable && restorable === null) return '';
  const args = [toShortId(session.nativeId), ...(isResumable ? [] : ['--restore'])];
  return toHintText(recall('open', ...args), givenFlags);
}

/** Facts whose values are for copying rather than reading. */
export const codeLabels: ReadonlySet<string> = new Set([
  'session',
  'project',
  'branch',
  'continued in',
  'resume',
]);

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
