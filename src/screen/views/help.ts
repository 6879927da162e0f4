// All keys on one page that scrolls.

import { toColors } from '../../render/colors.ts';
import { pad, widthOf, wrap } from '../../render/columns.ts';
import { anywhereKeys, editingKeys, listKeys, readerKeys, restoreKeys } from '../keys.ts';

const colors = toColors(true);

type Entry = readonly [label: string, does: string];

const toEntries = (bindings: readonly { readonly label: string; readonly does: string }[]): Entry[] =>
  bindings.map(({ label, does }) => [label, does]);

/** What is in use comes first. */
export function toHelpLines(isReader: boolean, columns: number): string[] {
  const list = toSection('The list', toEntries(listKeys), columns);
  const editing = toSection('The line you type', editingKeys, columns);
  const restoring = toSection('Choosing a session that was deleted', toEntries(restoreKeys), columns);
  const anywhere = toSection('Anywhere', toEntries(anywhereKeys), columns);
  const reader = toSection('Reading a conversation', toEntries(readerKeys), columns);
  const query = wrap(
    'Words, "a phrase", pre*, -not, a OR b, project:name, since:7d, role:user: everything that recall search understands. See recall help query.',
    Math.max(10, columns - 2),
  ).map((line) => `  ${line}`);
  const sections = isReader
    ? [reader, anywhere, list, restoring, editing]
    : [list, anywhere, restoring, editing, reader];
  return [...sections.flatMap((section) => [...section, '']), colors.bold('What you can type'), ...query];
}

function toSection(heading: string, entries: readonly Entry[], columns: number): string[] {
  const labelColumns = Math.min(20, Math.max(...entries.map(([label]) => widthOf(label))) + 2);
  const room = columns - labelColumns - 2;
  return [
    colors.bold(heading),
    ...entries.flatMap(([label, does]) => {
      // Below its key where there is no room beside it.
      if (room < 20)
        return [
          `  ${colors.cyan(label)}`,
          ...wrap(does, Math.max(8, columns - 4)).map((line) => `    ${line}`),
        ];
      const [first = '', ...rest] = wrap(does, room);
      const indent = ' '.repeat(labelColumns + 2);
      return [
        `  ${colors.cyan(pad(label, labelColumns))}${first}`,
        ...rest.map((line) => `${indent}${line}`),
      ];
    }),
  ];
}
