// The flags that choose the index and the folders, which are repeated after every command in a hint: without
// them, following the hint would repair or fill another index.

import { quoteForShell } from '../text/quote-for-shell.ts';

const carried = ['--db', '--claude-dir'];

/** As they are typed, each with a space before it; empty if there are none. */
export function toGivenFlags(argv: readonly string[]): string {
  let flags = '';
  for (let i = 0; i < argv.length && argv[i] !== '--'; i++) {
    const [name = '', ...rest] = (argv[i] ?? '').split('=');
    if (!carried.includes(name)) continue;
    const value = rest.length > 0 ? rest.join('=') : argv[++i];
    if (value !== undefined) flags += ` ${name} ${toTyped(value)}`;
  }
  return flags;
}

function toTyped(value: string): string {
  return /^[\w./:@%+,][\w./:@%+=,-]*$/.test(value) ? value : quoteForShell(value);
}
