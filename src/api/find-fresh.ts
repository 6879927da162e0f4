// The session a person named, also when it was begun a moment ago: a whole id that the index does not know yet is worth a
// look at the files.

import type { Context } from '../command-line/context.ts';
import type { Store } from '../store/open/open-store.ts';
import { type FoundSession, findSessions } from '../store/read/find-session.ts';
import { findOne } from './find-one.ts';

const wholeId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function findFresh(context: Context, store: Store, ref: string): Promise<FoundSession> {
  if (wholeId.test(ref) && findSessions(store, ref).length === 0)
    await (await import('./refresh.ts')).refresh(context, store);
  return findOne(store, ref, context.indexPath);
}
