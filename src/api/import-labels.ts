// Labels from elsewhere: from a file, from another machine, or with a session that was handed on. None is believed before it was
// checked.

import { usageError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { agents, type LabelEntry } from '../records.ts';
import { findLabelsPath, mergeLabels } from '../store/labels.ts';
import type { Store } from '../store/open/open-store.ts';
import { readTombstones } from '../store/read/known-files.ts';

export interface ImportAnswer {
  readonly read: number;
  /** How many were newer than what was here. */
  readonly changed: number;
}

export const maxNameChars = 200;
export const maxTagChars = 60;
export const maxNoteChars = 20_000;

/** Of sessions that were forgotten here, none. Everything is checked before anything is written. */
export function importLabels({ db, path }: Store, entries: readonly unknown[]): ImportAnswer {
  const checked = checkLabels(entries);
  const forgotten = new Map(agents.map((agent) => [agent, readTombstones(db, agent)]));
  const wanted = checked.filter(({ agent, id }) => forgotten.get(agent)?.has(id) !== true);
  return { read: entries.length, changed: mergeLabels(findLabelsPath(path), wanted) };
}

export function checkLabels(entries: readonly unknown[]): LabelEntry[] {
  return entries.map((entry, i) => checkEntry(entry, i + 1));
}

const knownField = /^(?:name|star|note|tag:[^\s,]{1,60})$/;
const maxIdChars = 500;
/** What is said after it must still be newer, in years of four digits. */
const latest = Date.parse('9000-01-01');

function checkEntry(entry: unknown, line: number): LabelEntry {
  const { agent, id, message, field, value, changedAt } = (entry ?? {}) as Record<string, unknown>;
  const isText = (text: unknown, most: number): text is string =>
    typeof text === 'string' && text !== '' && text.length <= most;
  const name = agents.find((each) => each === agent);
  const time = typeof changedAt === 'string' ? Date.parse(changedAt) : Number.NaN;
  if (
    name === undefined ||
    !isText(id, maxIdChars) ||
    !(message == null || (field === 'note' && isText(message, maxIdChars))) ||
    !(typeof field === 'string' && knownField.test(field)) ||
    !(value === null || isText(value, field === 'note' ? maxNoteChars : maxNameChars)) ||
    !(time < latest)
  )
    throw usageError(
      `line ${line} is not a label`,
      hint`a file that ${recall('labels', 'export')} wrote has one on each line`,
    );
  return {
    agent: name,
    id,
    message: (message as string) ?? null,
    field,
    value,
    changedAt: new Date(time).toISOString(),
  };
}
