// The tools themselves: each a short script over the same stages as the command of its kind.

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { openConversation } from '../api/conversation/open-conversation.ts';
import { findCurrentSession } from '../api/current-session.ts';
import { findOne } from '../api/find-one.ts';
import type { Context } from '../command-line/context.ts';
import { type ShowFlags, toRequest } from '../command-line/show-flags.ts';
import { findTouched } from '../commands/files-command.ts';
import { readList } from '../commands/list-command.ts';
import { searchFor, toQueryNotes } from '../commands/search-command.ts';
import { toBriefHits, toMessageIds } from '../render/brief/brief-hits.ts';
import { toBriefList, toBriefTouched } from '../render/brief/brief-lists.ts';
import { BriefPrinter } from '../render/brief/brief-printer.ts';
import { toolVoice } from '../render/brief/voice.ts';
import { printConversation } from '../render/conversation/print-conversation.ts';
import { toPrintableLine } from '../render/printable.ts';
import { formatNumbered } from '../render/quantities.ts';
import type { Freshness } from '../render/sessions/hits-json.ts';
import { parseReference } from '../render/sessions/reference.ts';
import { parseQuery } from '../search/parse-query.ts';
import type { Store } from '../store/open/open-store.ts';
import { readPositions } from '../store/read/read-conversation.ts';
import { fenceChars, toAnswer } from './answer.ts';
import type { filesInput, listInput, readInput, searchInput } from './tool-inputs.ts';

/** What was not given is not a flag at all. */
type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function given<T extends object>(values: T): Given<Partial<T>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<
    Partial<T>
  >;
}

/** Said before anything else, so that it is not overlooked. */
function toFreshnessNote({ refreshed, pendingFiles }: Freshness): string {
  if (pendingFiles > 0)
    return `${formatNumbered(pendingFiles, 'changed file')} not indexed yet; ask the user to run: recall index`;
  return refreshed ? '' : 'the index could not be brought up to date; the newest sessions may be missing';
}

export function searchSessions(
  context: Context,
  store: Store,
  freshness: Freshness,
  { query, limit, budget, ...filters }: z.output<typeof searchInput>,
): CallToolResult {
  const asked = parseQuery(query);
  const result = searchFor(context, store, asked, given(filters), limit);
  const said = [toFreshnessNote(freshness), ...toQueryNotes(asked)].filter(Boolean).join('\n');
  const positions = readPositions(store.db, toMessageIds(result));
  const told = toBriefHits(result, positions, toolVoice, budget - fenceChars - said.length);
  if (result.hits.length > 0) return toAnswer(said, told.text, told.data);
  const hint = `nothing found for “${toPrintableLine(query).slice(0, 100)}”\nnext: fewer or other words, a beginning such as migrat*, no filters; or list_sessions, find_file_history`;
  return toAnswer([said, hint].filter(Boolean).join('\n'), '', told.data);
}

export function readSession(
  context: Context,
  store: Store,
  freshness: Freshness,
  { id, around, last, budget, ...rest }: z.output<typeof readInput>,
): CallToolResult {
  const { session, position } = parseReference(id);
  const centre = around ?? position;
  const said = toFreshnessNote(freshness);
  const room = budget - fenceChars - said.length;
  const flags: ShowFlags = {
    ...given(rest),
    ...(centre === null || [rest.match, rest.range, last].some((other) => other !== undefined)
      ? {}
      : { around: `#${centre}` }),
    ...(last === undefined ? {} : { last: String(last) }),
    brief: true,
  };
  const { conversation, matches } = openConversation(
    store,
    findOne(store, session, null),
    toRequest(context, flags),
  );
  const printer = new BriefPrinter(toolVoice, room);
  for (const _piece of printConversation(store, printer, conversation));
  const { text, data } = printer.told ?? { text: '', data: {} };
  const isNothing = rest.match !== undefined && matches.lines.size === 0;
  const hint = isNothing ? 'no message matches\nnext: other words, or the session without match' : '';
  return toAnswer([said, hint].filter(Boolean).join('\n'), text, data);
}

export function listSessions(
  context: Context,
  store: Store,
  freshness: Freshness,
  { limit, budget, ...filters }: z.output<typeof listInput>,
): CallToolResult {
  const { listed, total } = readList(
    context,
    store,
    given(filters),
    limit,
    findCurrentSession(store, context.at),
  );
  const said = toFreshnessNote(freshness);
  const told = toBriefList(listed, total, toolVoice, budget - fenceChars - said.length);
  if (total > 0) return toAnswer(said, told.text, told.data);
  return toAnswer([said, 'no session fits\nnext: fewer filters'].filter(Boolean).join('\n'), '', told.data);
}

export function findFileHistory(
  context: Context,
  store: Store,
  freshness: Freshness,
  { path, changedOnly, limit, budget, ...filters }: z.output<typeof filesInput>,
): CallToolResult {
  const flags = { ...given(filters), changed: changedOnly ?? false };
  const touched = findTouched(context, store, path, flags, limit, findCurrentSession(store, context.at));
  const said = toFreshnessNote(freshness);
  const told = toBriefTouched(touched, toolVoice, budget - fenceChars - said.length);
  if (touched.total > 0) return toAnswer(said, told.text, told.data);
  const hint = `no session ${changedOnly ? 'changed' : 'read or changed'} ${toPrintableLine(touched.path)}\nnext: the name of the file alone, or search_sessions with its name`;
  return toAnswer([said, hint].filter(Boolean).join('\n'), '', told.data);
}
