// As much of a list as fits on a terminal: the first entries, and the heading above them, must not scroll away.

import type { Context } from './context.ts';

/** Fewer are shown only if there are no more. */
const minShown = 3;
/** Rows for the command that was typed and for the next prompt. */
const rowsAround = 2;

/** `limit` is as typed; without one, the screen decides. */
export function fitPage<Entry>(
  { stdout }: Pick<Context, 'stdout'>,
  entries: readonly Entry[],
  limit: string | undefined,
  toPage: (shown: readonly Entry[]) => string,
): { readonly page: string; readonly shown: readonly Entry[] } {
  const fits = (page: string) => page.split('\n').length <= stdout.rows - rowsAround;
  let count = stdout.isTerminal && limit === undefined ? Math.min(minShown, entries.length) : entries.length;
  let page = toPage(entries.slice(0, count));
  while (count < entries.length) {
    const longer = toPage(entries.slice(0, count + 1));
    if (!fits(longer)) break;
    page = longer;
    count++;
  }
  return { page, shown: entries.slice(0, count) };
}
