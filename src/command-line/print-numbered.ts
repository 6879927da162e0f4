// Prints a page of numbered sessions, on a terminal as many as fit on it. Only such a page decides what a number means from
// then on: output for scripts and agents shows none, and must not change what a person's next `recall open 2` opens.

import type { Context } from './context.ts';
import { fitPage } from './fit-page.ts';

interface Numbered {
  readonly session: { readonly nativeId: string };
}

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
  const { page, shown } = fitPage(context, sessions, limit, toPage);
  // Before it is printed: a reader such as `head` may end the program.
  await context.recall.remember(shown);
  context.print(page);
}
