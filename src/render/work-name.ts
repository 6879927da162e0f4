// What a passage of work is called: the tool, whether it failed, and the file it was used on.

import type { FoundMatch } from '../api/search.ts';
import { toPrintableLine } from '../text/printable.ts';

/** `Bash ✗`, `Write src/x.ts`. */
export function formatToolName({ tool, target, kind, isError }: NonNullable<FoundMatch['toolText']>): string {
  const name = toPrintableLine(tool ?? '') || 'tool';
  if (kind === 'tool-output') return isError ? `${name} ✗` : name;
  const path = toPrintableLine(target ?? '');
  // A command is its own text; of a path the end says most.
  return /^(?:[A-Za-z]:)?[\\/]\S*$/.test(path) ? `${name} ${path.split(/[\\/]/).slice(-2).join('/')}` : name;
}
