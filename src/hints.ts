// Hints: text that suggests what to try next. recall's own commands are marked in it, so that whoever prints it can add
// the flags that say which index and folders are meant. Without them, following a hint could repair another index.

/** Every command, in the order in which help lists them. */
export const commandNames = [
  'index',
  'search',
  'open',
  'show',
  'list',
  'projects',
  'files',
  'stats',
  'doctor',
  'forget',
  'mcp',
  'setup',
  'completion',
] as const;
export type CommandName = (typeof commandNames)[number];

/** `recall index --rebuild` is the command `index` with the arguments ` --rebuild`. */
export interface CommandHint {
  readonly command: CommandName;
  readonly args: readonly string[];
}

export type Hint = string | readonly (string | CommandHint)[];

/** A command to type as it is, except that the user fills in arguments in angle brackets. */
export function recall(command: CommandName, ...args: string[]): CommandHint {
  return { command, args };
}

/** hint`find it with: ${recall('search', '<words>')}`. */
export function hint(texts: TemplateStringsArray, ...values: readonly (string | CommandHint | Hint)[]): Hint {
  const parts: (string | CommandHint)[] = [];
  for (const [i, text] of texts.entries()) {
    const value = values[i];
    if (text !== '') parts.push(text);
    if (Array.isArray(value)) parts.push(...value);
    else if (value !== undefined) parts.push(value as string | CommandHint);
  }
  return parts;
}

/** `givenFlags` start with a space, or are empty. */
export function toHintText(given: Hint | CommandHint, givenFlags = ''): string {
  if (typeof given === 'string') return given;
  const parts = 'command' in given ? [given] : given;
  return parts.map((part) => (typeof part === 'string' ? part : toCommandLine(part, givenFlags))).join('');
}

/** `setup claude` is a command of two words. */
function toCommandLine({ command, args }: CommandHint, givenFlags: string): string {
  const [topic, ...rest] = args;
  const name = command === 'setup' && topic !== undefined ? [command, topic] : [command];
  return [`recall ${name.join(' ')}${givenFlags}`, ...(name.length === 2 ? rest : args)].join(' ');
}

/** One of these is printed under every list of results; the second if the first does not fit. */
export const resultsFooters = [
  'recall open <number> or show <number>',
  'recall open or show <number>',
] as const;
