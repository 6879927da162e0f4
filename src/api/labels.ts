// Labels: gives a session a name, a star, tags and notes, or takes them away; lists tags; and gives all labels out, for another
// machine. store/labels.ts says where they are kept. The index holds a copy, which is brought up to date here where
// nobody else is writing, otherwise before the next question.

import { UserError, usageError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { type LabelEntry, type Labels, toTag } from '../records.ts';
import { areLabelsCopied, findLabelsPath, readLabelEntries, saveLabels } from '../store/labels.ts';
import { isLocked, type Store } from '../store/open/open-store.ts';
import { readFilterValues } from '../store/read/activity.ts';
import { readScope } from '../store/read/scope.ts';
import { countAmong, findMessageKey, readSessions } from '../store/read/sessions.ts';
import { noFilters, type SessionInfo } from '../store/word-index.ts';
import { toPrintableLine } from '../text/printable.ts';
import { getFreshSession, parseReference } from './find-session.ts';
import type { Host } from './host.ts';
import { maxNameChars, maxNoteChars, maxTagChars } from './import-labels.ts';
import type { LabelRequest, ReferenceOptions } from './requests.ts';
import { acquireLock } from './upkeep/locks.ts';
import { applyLabels } from './upkeep/update.ts';

export interface LabelAnswer {
  readonly session: SessionInfo;
  readonly labels: Labels;
}

export interface LabelsAnswer {
  readonly tags: readonly { readonly tag: string; readonly sessions: number }[];
  readonly starred: number;
  readonly noted: number;
}

/** Applies the changes of the request, if any, and answers with the labels that the session has then. */
export async function labelSession(
  host: Host,
  store: Store,
  ref: string,
  { isNumbered, ...request }: LabelRequest & ReferenceOptions,
): Promise<LabelAnswer> {
  const { session: named, position } = parseReference(ref);
  const found = await getFreshSession(host, store, named, isNumbered);
  const message = position === null ? null : findMessageKey(store.db, found.id, position);
  if (message === undefined)
    throw new UserError(`${toPrintableLine(named)} has no message ${position}`, {
      code: 'no-such-message',
      hint: hint`${recall('show', toPrintableLine(named))}`,
      exitCode: 1,
    });
  const changes = listChanges(request, message);
  if (changes.length > 0) saveLabels(findLabelsPath(store.path), found, changes, host.now());
  const lock = areLabelsCopied(store) ? null : acquireLock(host, 'index', copyWaitMs);
  if (lock !== null && isLocked(lock)) {
    try {
      await applyLabels(store);
    } finally {
      lock.release();
    }
  }
  const session = readSessions(store.db, [found.id]).get(found.id) as SessionInfo;
  return { session, labels: session.labels };
}

/** Another recall that is indexing copies them itself, or the next question does. */
const copyWaitMs = 2000;

function listChanges({ name, starred, tags = [], untag = [], note }: LabelRequest, message: string | null) {
  const changes: Pick<LabelEntry, 'message' | 'field' | 'value'>[] = [];
  const add = (field: string, value: string | null, of: string | null = null) =>
    changes.push({ message: of, field, value });
  if (name !== undefined)
    add('name', checkLength('name', name.replace(/\s+/g, ' ').trim(), maxNameChars) || null);
  if (starred !== undefined) add('star', starred ? '1' : null);
  for (const tag of [...tags, ...untag].map(toTag)) {
    if (tag === '') throw usageError('a tag needs at least one letter');
    checkLength('tag', tag, maxTagChars);
  }
  for (const tag of tags) add(`tag:${toTag(tag)}`, '1');
  for (const tag of untag) add(`tag:${toTag(tag)}`, null);
  if (note !== undefined) add('note', checkLength('note', note.trim(), maxNoteChars) || null, message);
  return changes;
}

function checkLength(what: string, text: string, most: number): string {
  if (text.length > most) throw usageError(`a ${what} may have ${most} characters, not ${text.length}`);
  return text;
}

export function listLabels(_host: Host, { db }: Store): LabelsAnswer {
  const values = readFilterValues(db, readScope(db, noFilters), { name: 'tag', limit: maxTags });
  const count = (only: typeof noFilters.only) =>
    countAmong(db, readScope(db, { ...noFilters, only }).only ?? []);
  return {
    tags: values.map(({ value, sessions }) => ({ tag: value, sessions })),
    starred: count({ is: 'starred' }),
    noted: count({ has: 'note' }),
  };
}

const maxTags = 10_000;

/** Also those that were taken away, so that the other side takes them away too. */
export function exportLabels({ path }: Store): LabelEntry[] {
  return readLabelEntries(findLabelsPath(path));
}
