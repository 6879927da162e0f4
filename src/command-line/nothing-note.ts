// What is said when nothing was found: what was looked through, and what to try.

import type { Blame } from '../api/blame-filter.ts';
import { existingRoots } from '../api/existing-roots.ts';
import { toPrintableLine } from '../render/printable.ts';
import { formatNumbered } from '../render/quantities.ts';
import type { Store } from '../store/open/open-store.ts';
import { readTotals } from '../store/read/index-facts.ts';
import type { Context } from './context.ts';

/** `blame` is that of a filter, where one leaves nothing to look through. */
export function toNothingNote(
  context: Context,
  store: Store,
  message: string,
  hint: string,
  blame: Blame | null = null,
): string {
  const { sessions, messages } = readTotals(store.db);
  if (sessions === 0) {
    const folders = existingRoots(context).map(toPrintableLine).join(', ');
    const where = folders === '' ? '' : `; sessions are looked for in ${folders}`;
    return `recall: the index is empty${where}\n  try: recall index, or another folder with --claude-dir <dir>`;
  }
  if (blame !== null) return `recall: ${blame.message}\n  try: ${blame.hint}`;
  const looked = `${formatNumbered(sessions, 'session')} with ${formatNumbered(messages, 'message')}`;
  return `recall: ${message} in ${looked}\n  try: ${hint}`;
}
