// The flags that say which index and which folders are meant, carried over into hints that name a command: without them,
// following the hint would repair or fill another index.

import { quoteForShell } from '../render/resume-command.ts';

const carried = ['--db', '--claude-dir'];

/** As they are to be typed again, a space before each; nothing where none was given. */
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

const command =
  /(?<=^ *|try: |: |see |or )recall (setup claude|index|search|open|show|list|projects|files|stats|doctor|forget)(?![\w-])(?! --(?:help|db|claude-dir)\b)/gm;

/** Every command of a hint with these flags; what the person typed is quoted “so” and stays as it is. */
export function withFlags(hint: string, flags: string): string {
  if (flags === '' || hint.includes(flags)) return hint;
  return hint
    .split(/(“[^”]*”)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(command, (line) => `${line}${flags}`)))
    .join('');
}
