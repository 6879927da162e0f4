// How a message is packed into the few columns that are stored. The table computes the others from them (see the
// migration), and who reads by role, kind or time from many rows asks for what is stored.

import type { MessageKind, MessageRecord, Role } from '../../records.ts';

/** In the order of their codes. The last are those that a machine put into somebody's mouth. */
const kinds: readonly MessageKind[] = ['answer', 'prompt', 'queued', 'command', 'shell', 'task', 'recap'];
const firstOfMachine = kinds.indexOf('task');

const kindBits = 7;
const userBit = 8;
const sidechainBit = 16;

/** The commonest message, an answer, is a zero, which SQLite stores in no byte at all. */
export function toCode({ role, kind, isSidechain }: MessageRecord): number {
  return kinds.indexOf(kind) | (role === 'user' ? userBit : 0) | (isSidechain ? sidechainBit : 0);
}

/** Conditions on the column `code`. */
export const isKind = (kind: MessageKind) => `code & ${kindBits} = ${kinds.indexOf(kind)}`;
export const isRole = (role: Role) => `code & ${userBit} = ${role === 'user' ? userBit : 0}`;

/** The person, or the assistant, speaks: not what a machine put into their mouth. */
export const isSaidBy = (role: Role) => `(${isRole(role)} and code & ${kindBits} < ${firstOfMachine})`;

export function isMachineKind(kind: MessageKind): boolean {
  return kinds.indexOf(kind) >= firstOfMachine;
}

/** Only as it comes back: in lower case, with its dashes where they belong. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isUuid(id: string | null): boolean {
  return id !== null && uuid.test(id);
}

/** The number in the column `time_ms` of a timestamp as they are kept everywhere. */
export function toTimeMs(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp);
}
