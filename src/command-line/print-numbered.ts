// Prints a page of numbered sessions, on a terminal as many as fit on it: the first ones are the best, and must not scroll
// away. Only such a page decides what a number means from then on: output for scripts and agents shows none, and must not
// change what a person's next `recall open 2` opens.

import type { Context } from './context.ts';

interface Numbered {
  readonly session: { readonly nativeId: string };
}

/** Fewer are shown only if there are no more. */
const minShown = 3;
/** Rows for the command that was typed and for the next prompt. */
const rowsAround = 2;

export interface NumberedPage<Shown extends Numbered> {
  readonly sessions: readonly Shown[];
  /** As typed; without one, the screen decides. */
  readonly limit: string | undefined;
  toPage(shown: readonly Shown[]): string;
}

export async function printNumbered<Shown extends Numbered>(
  context: Context,
  { sessions, limit, toPage }: NumberedPage<Shown>,
): Promise<void> {
  const { isTerminal, rows } = context.stdout;
  const fits = (page: string) => page.split('\n').length <= rows - rowsAround;
  let count = isTerminal && limit === undefined ? Math.min(minShown, sessions.length) : sessions.length;
  let page = toPage(sessions.slice(0, count));
  while (count < sessions.length) {
    const longer = toPage(sessions.slice(0, count + 1));
    if (!fits(longer)) break;
    page = longer;
    count++;
  }
  // Before it is printed: a reader such as `head` may end the program.
  await context.recall.remember(sessions.slice(0, count));
  context.print(page);
}
