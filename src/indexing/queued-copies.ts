// Prompts that were queued and then came through: they are in a transcript twice and were typed once.

import type { IndexedMessage } from '../batch.ts';

/** Copies in different batches are removed when they are in the index already, which costs much more. */
export function withoutQueuedCopies(messages: readonly IndexedMessage[]): readonly IndexedMessage[] {
  if (!messages.some(({ kind }) => kind === 'queued')) return messages;
  const typed = new Set<string>();
  for (const { role, kind, text } of messages) if (role === 'user' && kind !== 'queued') typed.add(text);
  return messages.filter(({ kind, text }) => kind !== 'queued' || !typed.has(text));
}
