// The page and the JSON of `recall hub`, what is said before joining, and what was sent and received.

import type { HubStatus } from '../api/hub/hub.ts';
import type { SyncAnswer } from '../api/hub/sync.ts';
import { toPrintableLine } from '../text/printable.ts';
import { chooseColors } from './colors.ts';
import { clip, formatTable } from './columns.ts';
import { formatAgo, formatBytes, formatCount, formatNumbered } from './quantities.ts';
import { type SessionLineOptions, shortenPath } from './sessions.ts';

export function formatHubPage(status: HubStatus, options: SessionLineOptions): string {
  const { columns, useColor, now, homeDir } = options;
  const colors = chooseColors(useColor);
  if (status.where === null) return 'no hub is joined; nothing leaves this machine';
  const { machines, people, sent, toSend, received, lastContactAt, obstacle } = status;
  const who = status.owner === null ? '' : ` (${toPrintableLine(status.owner)})`;
  const lines = [
    `${colors.bold(clip(`${shortenPath(toPrintableLine(status.where), homeDir)}, as ${toPrintableLine(status.name ?? '')}${who}`, columns))}`,
    `sent ${sent === null ? 'not known' : formatNumbered(sent, 'transcript')}${toSend === null ? '' : `, ${formatCount(toSend)} to send`}; received ${formatNumbered(received, 'session')}; last contact ${lastContactAt === null ? 'never' : formatAgo(lastContactAt, now)}`,
    '',
    ...formatTable(
      [
        { title: 'machine', paint: colors.bold },
        ...(people.length > 1 ? [{ title: 'owner' }] : []),
        { title: 'sessions', side: 'right' as const },
      ],
      machines.map(({ name, owner, isOwn, sessions }) => [
        `${toPrintableLine(name)}${isOwn ? ' (this one)' : ''}`,
        ...(people.length > 1 ? [toPrintableLine(owner ?? '')] : []),
        formatCount(sessions),
      ]),
      { width: columns, isPath: false },
    ),
  ];
  const shared = [
    ...status.sharedProjects.map((path) => shortenPath(path, homeDir)),
    ...status.sharedSessions,
  ];
  if (shared.length > 0)
    lines.push('', 'shared with the team:', ...shared.map((each) => `  ${toPrintableLine(each)}`));
  for (const { program, sessions } of status.unsendable)
    lines.push(
      '',
      `${formatNumbered(sessions, 'session')} of ${program} stay here: they are not files of their own`,
    );
  if (obstacle !== null) lines.push('', colors.yellow(`not up to date: ${toPrintableLine(obstacle)}`));
  return lines.join('\n');
}

export function toHubJson(status: HubStatus) {
  const machines = status.machines.map(({ key: id, ...machine }) => ({ id, ...machine }));
  return { schemaVersion: 1, ...status, machines };
}

interface JoinFacts {
  readonly where: string;
  readonly sessions: number;
  readonly bytes: number;
  readonly isArchiveOn: boolean;
}

/** In plain words, before anything leaves the machine. */
export function formatJoinQuestion({ where, sessions, bytes, isArchiveOn }: JoinFacts): string {
  const what = isArchiveOn
    ? `The copies of ${formatNumbered(sessions, 'session')} (${formatBytes(bytes)})`
    : 'A copy of every session (the archive is turned on for that)';
  return `${what} and of every later one will be sent to ${toPrintableLine(where)}, sealed: only your own machines can read them. Who keeps the hub sees sizes and times. Sessions of your other machines come to this one.`;
}

export function formatSync({ pushed, pulled }: SyncAnswer): string {
  const sent =
    pushed === null
      ? []
      : [`sent ${formatNumbered(pushed.sessions, 'transcript')} (${formatBytes(pushed.bytes)})`];
  const got =
    pulled === null
      ? []
      : [`received ${formatNumbered(pulled.sessions, 'transcript')} (${formatBytes(pulled.bytes)})`];
  return [...sent, ...got].join(', ') || 'nothing was sent or received';
}
