// The lists of session kinds and message kinds as SQL conditions.

import { type KindTraits, messageKinds, type Role, sessionKinds } from '../../records.ts';

/** The condition that a session is of a kind with this trait. */
export function isOfKind(trait: keyof KindTraits, column = 'kind'): string {
  return `${column} in ${toSqlList(sessionKinds, (kind) => kind[trait])}`;
}

const machineKinds = toSqlList(messageKinds, (kind) => kind.isMachine);

/** The person, or the assistant, speaks: not what a machine wrote in their name. */
export const isSaidBy = (role: Role) => `(role = '${role}' and kind not in ${machineKinds})`;

/** `('main', 'history')`. */
function toSqlList<T>(table: Readonly<Record<string, T>>, isWanted: (entry: T) => boolean | string): string {
  const names = Object.keys(table).filter((name) => isWanted(table[name] as T));
  return `(${names.map((name) => `'${name}'`).join(', ')})`;
}
