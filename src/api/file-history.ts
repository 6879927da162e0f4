// The sessions that read or changed a file, newest first, with the tools they used on it.

import { usageError } from '../errors.ts';
import { scopeNames } from '../filters.ts';
import { defaultLimits } from '../records.ts';
import { groupBy } from '../search/rank.ts';
import { fileTools } from '../sources/index.ts';
import type { Store } from '../store/open/open-store.ts';
import { readTouches, type Touch } from '../store/read/activity.ts';
import { readScope, toFolder } from '../store/read/scope.ts';
import { countCopies, readSessions } from '../store/read/sessions.ts';
import type { SessionInfo } from '../store/word-index.ts';
import { compareText } from '../text/compare.ts';
import type { FileHistory, ToolCount, TouchedFile, TouchingSession } from './answers.ts';
import type { Host } from './host.ts';
import { findCurrentSession, withResumption } from './list.ts';
import { blameFilter, readEmptiness, readFilters, toWantedPath } from './read-filters.ts';
import type { FileHistoryRequest } from './requests.ts';

export function readFileHistory(host: Host, store: Store, request: FileHistoryRequest): FileHistory {
  if (request.path.trim() === '') throw usageError('the path must not be empty');
  const { db } = store;
  const currentSession = request.leaveOutCurrent ? findCurrentSession(store, host.at) : null;
  const filters = Object.fromEntries(scopeNames.map((name) => [name, request[name]]));
  const path = toWantedPath(request.path, host.at);
  const scope = readScope(db, readFilters(host, store, filters, { leftOut: currentSession }));
  const tools = { ...fileTools, changedOnly: request.changedOnly ?? false };
  const touches = preferWhole(readTouches(db, path, scope, tools), path);
  const infos = readSessions(db, new Set(touches.map((touch) => touch.sessionId)));
  const owners = readSessions(db, new Set([...infos.values()].map((info) => info.ownerId)));
  const all = foldTouches(touches, new Map([...infos, ...owners]));
  const first = all.slice(0, request.limit ?? defaultLimits.files);
  const conversationIds = first.map(({ session }) => session.conversationId);
  const copies = countCopies(db, conversationIds);
  const listed = first.map((touching) => ({
    ...touching,
    copies: copies.get(touching.session.conversationId) ?? 0,
  }));
  return {
    path,
    files: countFiles(all),
    sessions: withResumption(host, store, listed),
    total: all.length,
    emptiness: all.length > 0 ? null : readEmptiness(store, blameFilter(host, store, filters)),
  };
}

/** An absolute path means that file or anything below it; if there is none, it matches the end of other paths. */
export function preferWhole(touches: readonly Touch[], path: string): readonly Touch[] {
  if (!/^(\/|[A-Za-z]:)/.test(path)) return touches;
  const folder = toFolder(path);
  const whole = touches.filter((touch) => touch.path === path || touch.path.startsWith(folder));
  return whole.length > 0 ? whole : touches;
}

/**
 * One entry per conversation, newest first, shown as the copy that did the most to the files (the newest if
 * several did as much). Copies repeat the calls of their original and then continue differently, so the count
 * of a tool on a file is that of the copy that used it most; subagents' calls are added.
 */
export function foldTouches(
  touches: readonly Touch[],
  infos: ReadonlyMap<number, SessionInfo>,
): TouchingSession[] {
  const infoOf = (id: number) => infos.get(id) as SessionInfo;
  const ownerOf = (id: number) => infoOf(infoOf(id).ownerId);
  return [...groupBy(touches, ({ sessionId }) => ownerOf(sessionId).conversationId)]
    .map(([, group]) => {
      const isSubagents = ({ sessionId }: Touch) => infoOf(sessionId).kind === 'subagent';
      const ofSubagents = groupBy(
        group.filter(isSubagents),
        ({ sessionId }) => infoOf(sessionId).conversationId,
      );
      const bySubagents = [...ofSubagents.values()].flatMap(takeMost);
      const own = group.filter((touch) => !isSubagents(touch));
      const counted = [...takeMost(own), ...bySubagents];
      return {
        session: ownerOf(findFullest(own.length > 0 ? own : group, infoOf)),
        tools: toToolCounts(counted),
        subagentCalls: sumCalls(bySubagents),
        files: toFiles(counted),
      };
    })
    .sort((a, b) => byAge(a.session, b.session));
}

function takeMost(touches: readonly Touch[]): Touch[] {
  const groups = groupBy(touches, ({ tool, path }) => `${tool}\n${path}`);
  return Array.from(groups.values(), (each) =>
    each.reduce((most, touch) => (touch.calls > most.calls ? touch : most)),
  );
}

function findFullest(touches: readonly Touch[], infoOf: (id: number) => SessionInfo): number {
  const [fullest] = [...groupBy(touches, ({ sessionId }) => sessionId)].sort(
    ([a, some], [b, others]) => others.length - some.length || byPlace(infoOf(a), infoOf(b)),
  );
  return (fullest as [number, Touch[]])[0];
}

export function countFiles(sessions: readonly TouchingSession[]): FileHistory['files'] {
  const all = sessions.flatMap((session) => session.files);
  return [...groupBy(all, (file) => file.path)]
    .map(([path, files]) => {
      const tools = files.flatMap((file) => file.tools.map(({ name, calls }) => ({ tool: name, calls })));
      return { path, sessions: files.length, tools: toToolCounts(tools) };
    })
    .sort(
      (a, b) =>
        b.sessions - a.sessions || sumCalls(b.tools) - sumCalls(a.tools) || compareText(a.path, b.path),
    );
}

function toFiles(touches: readonly Touch[]): TouchedFile[] {
  return [...groupBy(touches, (touch) => touch.path)]
    .map(([path, each]) => ({ path, tools: toToolCounts(each) }))
    .sort((a, b) => compareText(a.path, b.path));
}

function toToolCounts(calls: readonly Pick<Touch, 'tool' | 'calls'>[]): ToolCount[] {
  return [...groupBy(calls, ({ tool }) => tool)]
    .map(([name, each]) => ({ name, calls: sumCalls(each) }))
    .sort((a, b) => b.calls - a.calls || compareText(a.name, b.name));
}

function sumCalls(each: readonly { readonly calls: number }[]): number {
  return each.reduce((sum, { calls }) => sum + calls, 0);
}

/** Saved histories after the sessions they are histories of; otherwise newest first. */
function byPlace(a: SessionInfo, b: SessionInfo): number {
  return Number(a.kind === 'precompact') - Number(b.kind === 'precompact') || byAge(a, b);
}

function byAge(a: SessionInfo, b: SessionInfo): number {
  return compareText(b.modifiedAt ?? '', a.modifiedAt ?? '') || b.id - a.id;
}
