// What was taken out of a session that is handed on, and what came with one.

import type { ExportedSession } from '../api/hand-on/export.ts';
import type { ImportedSession } from '../api/hand-on/import.ts';
import { compareText } from '../text/compare.ts';
import { toPrintableLine } from '../text/printable.ts';
import { formatNumbered } from './quantities.ts';
import { shortenId } from './sessions.ts';

interface TakenOutOptions {
  readonly isRedacted: boolean;
  /** Each place. */
  readonly isVerbose: boolean;
}

export function formatTakenOut(
  { files, kinds, places, leftOut, shortened }: ExportedSession,
  { isRedacted, isVerbose }: TakenOutOptions,
): string[] {
  const counts = Object.entries(kinds).sort(([a, x], [b, y]) => y - x || compareText(a, b));
  const found = counts.map(([kind, count]) => `  ${count} × ${kind}`);
  const what = !isRedacted
    ? 'secrets were left in it'
    : counts.length === 0
      ? 'no secrets were found'
      : `${formatNumbered(places.length, 'secret')} taken out:`;
  return [
    `${formatNumbered(files.length, 'file')}; ${what}`,
    ...found,
    ...(isVerbose ? places.map(({ path, line, kind }) => `${toPrintableLine(path)}:${line}: ${kind}`) : []),
    ...(leftOut === 0 ? [] : [`what was signed was left out of ${formatNumbered(leftOut, 'line')}`]),
    ...(shortened === 0
      ? []
      : [`your home directory is written as ~ in ${formatNumbered(shortened, 'line')}`]),
  ];
}

export function formatImported({
  state,
  id,
  title,
  by,
  exportedAt,
  isRedacted,
  labels,
}: ImportedSession): string {
  const name = `${toPrintableLine(shortenId(id))} (${toPrintableLine(title ?? 'untitled')})`;
  if (state === 'present') return `${name} is here already; nothing was changed`;
  const from = `from ${toPrintableLine(by)}, ${exportedAt.slice(0, 10)}`;
  const what = state === 'updated' ? `imported ${name} again ${from}` : `imported ${name} ${from}`;
  const also = labels === 0 ? '' : `, with ${formatNumbered(labels, 'label')}`;
  return `${what}${also}${isRedacted ? '' : '; secrets may be in it'}`;
}
