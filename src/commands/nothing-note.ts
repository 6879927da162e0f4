// What is said when nothing was found: what was looked through, and what to try.

import { formatNumbered } from '../render/quantities.ts';
import type { Store } from '../store/open-store.ts';
import { readTotals } from '../store/totals.ts';

export function toNothingNote(store: Store, message: string, hint: string): string {
  const { sessions, messages } = readTotals(store.db);
  if (sessions === 0) return 'recall: the index is empty\n  try: recall index --claude-dir <dir>';
  const looked = `${formatNumbered(sessions, 'session')} with ${formatNumbered(messages, 'message')}`;
  return `recall: ${message} in ${looked}\n  try: ${hint}`;
}
