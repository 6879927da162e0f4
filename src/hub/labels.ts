// A person's labels on a hub: all that a machine has of them as one sealed part, which takes the place of the one before. Every
// machine of the person merges what the others have sent; since the newer of two wins, all of them come to the same.

import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { pack } from '../archive/segments.ts';
import type { LabelEntry } from '../records.ts';
import type { Carrier, FoundSegment } from './carrier.ts';
import type { HubKey } from './hub-key.ts';
import { BadParcel } from './parcel.ts';

/** In the place of an agent: labels are of no session, and a hub knows nothing else. */
const labels = 'labels';

const toSession = (key: HubKey) => key.toName(labels);

/** `machine` is the key of the one that this is. False where the hub has them already. */
export async function pushLabels(
  carrier: Carrier,
  key: HubKey,
  machine: string,
  entries: readonly LabelEntry[],
): Promise<boolean> {
  const path = key.toName(labels, machine);
  const known = (await carrier.has([path])).get(path) ?? [];
  if (known.length === 0 && entries.length === 0) return false;
  const text = JSON.stringify(entries);
  const digest = createHash('sha256').update(text).digest('hex');
  const name = `${key.toName(labels, machine, digest)}.1.0-${text.length}`;
  if (known.includes(name)) return false;
  const modifiedAt = entries.reduce((latest, { changedAt }) => (changedAt > latest ? changedAt : latest), '');
  const session = {
    ...{ agent: labels, name: toSession(key), isTeam: false, gitRemote: null, cwd: null },
    modifiedAt: modifiedAt || new Date(0).toISOString(),
  };
  const bytes = await key.seal(await pack(Buffer.from(text)));
  const replaced = known.map((each) => ({ path, name: each }));
  await carrier.put([{ session, path, name, isRedacted: false, bytes }], replaced);
  return true;
}

export function holdsLabels(key: HubKey, { session, isTeam }: FoundSegment): boolean {
  return !isTeam && session === toSession(key);
}

const maxLabelsBytes = 64 * 1024 * 1024;

/** What is in them is to be checked. */
export async function openLabels(key: HubKey, bytes: Buffer): Promise<readonly unknown[]> {
  try {
    const packed = await key.open(bytes);
    const entries: unknown = JSON.parse(
      brotliDecompressSync(packed, { maxOutputLength: maxLabelsBytes }).toString(),
    );
    if (Array.isArray(entries)) return entries;
  } catch {}
  throw new BadParcel('the labels in it cannot be read');
}
