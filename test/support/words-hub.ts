// A hub on which members search, filled from an index: with all of its sessions, as if each were shared.

import { randomUUID } from 'node:crypto';
import { pushWords } from '../../src/api/hub/push-words.ts';
import { toOwnerKey } from '../../src/archive/session-copies.ts';
import type { Carrier } from '../../src/hub/carrier.ts';
import { openCarrierOn } from '../../src/hub/postgres/carrier.ts';
import type { Sql } from '../../src/hub/postgres/connect.ts';
import { addMember, setUp } from '../../src/hub/postgres/schema.ts';
import { getSource } from '../../src/sources/index.ts';
import type { Store } from '../../src/store/open/open-store.ts';
import { readOwnTranscripts } from '../../src/store/read/shared-texts.ts';

export const keyCheck = 'c'.repeat(32);

export async function makeWordsHub(admin: Sql, people: readonly string[]): Promise<void> {
  await admin.query('drop schema if exists recall cascade');
  await setUp(admin, randomUUID(), true, true);
  for (const name of people) await addMember(admin, name, 'secret');
}

export async function joinAs(sql: Sql, name: string, machine: string = randomUUID()): Promise<Carrier> {
  const carrier = await openCarrierOn(sql, machine);
  await carrier.join({ key: machine, name: `${name}-machine`, owner: name }, keyCheck);
  return carrier;
}

/** Everything in the index, or the sessions of these ids. */
export async function shareWords(
  { db }: Store,
  sql: Sql,
  carrier: Carrier,
  only?: readonly string[],
): Promise<number> {
  const shared = new Set<string>();
  for (const { agent, path } of readOwnTranscripts(db)) {
    const owner = getSource(agent).files?.findOwner(path) ?? null;
    if (owner === null || (only !== undefined && !only.includes(owner))) continue;
    if (!shared.has(toOwnerKey(agent, owner)))
      await sql.query(
        `insert into recall.session (member, agent, native_id, modified_at, visibility)
        values (current_user, $1, $2, now(), 'team') on conflict (member, agent, native_id) do update set visibility = 'team'`,
        [agent, owner],
      );
    shared.add(toOwnerKey(agent, owner));
  }
  const { words } = carrier;
  if (words === null) throw new Error('nobody searches on this hub');
  return pushWords({
    db,
    carrier: words,
    shared,
    signal: new AbortController().signal,
    onProgress: () => {},
  });
}
