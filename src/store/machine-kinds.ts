// Messages that a machine put into somebody's mouth: recaps of what was compacted, and what agents are told to do. Who asks
// what the person or the assistant said means none of these.

import type { MessageKind } from '../records.ts';

const machineKinds: readonly MessageKind[] = ['recap', 'task'];

export function isMachineKind(kind: MessageKind): boolean {
  return machineKinds.includes(kind);
}

/** The same as a condition on a column. */
export const ofMachine = (kind: string) =>
  `${kind} in (${machineKinds.map((each) => `'${each}'`).join(', ')})`;
export const notOfMachine = (kind: string) => `not ${ofMachine(kind)}`;
