// Hints: what to try next. recall's own commands are marked in them, so that whoever prints one can add the flags that say which
// index and folders are meant: without them, following a hint could repair another index. Parameters are marked too, since each
// front end writes them in its own way.

export const commandNames = [
  'index',
  'search',
  'open',
  'restore',
  'show',
  'list',
  'projects',
  'files',
  'stats',
  'doctor',
  'forget',
  'label',
  'labels',
  'export',
  'import',
  'archive',
  'web',
  'hub',
  'mcp',
  'setup',
  'init',
  'completion',
] as const;
export type CommandName = (typeof commandNames)[number];

/** `recall index --rebuild` is the command `index` with the argument `--rebuild`; null is recall itself. */
export interface CommandHint {
  readonly command: CommandName | 'help' | null;
  readonly args: readonly string[];
}

/** A part of a request: `since` in the library and in a tool, `--since` on the command line. */
export interface ParameterHint {
  readonly parameter: string;
  readonly flag: string;
}

type HintPart = string | CommandHint | ParameterHint;
export type Hint = string | readonly HintPart[];

/** A command to type as it is, except that the user fills in arguments in angle brackets. */
export function recall(command: CommandHint['command'], ...args: string[]): CommandHint {
  return { command, args };
}

export function parameter(name: string, flag = `--${name}`): ParameterHint {
  return { parameter: name, flag };
}

export const indexParameter = parameter('db', '--db <file>');

/** hint`find it with: ${recall('search', '<words>')}`. */
export function hint(texts: TemplateStringsArray, ...values: readonly (HintPart | Hint)[]): Hint {
  const parts: HintPart[] = [];
  for (const [i, text] of texts.entries()) {
    const value = values[i];
    if (text !== '') parts.push(text);
    if (Array.isArray(value)) parts.push(...value);
    else if (value !== undefined) parts.push(value as HintPart);
  }
  return parts;
}

/** `givenFlags` start with a space, or are empty; only the command line has them. */
export function toHintText(given: Hint | CommandHint, givenFlags?: string): string {
  if (typeof given === 'string') return given;
  const parts = 'command' in given ? [given] : given;
  const formatted = parts.map((part) => {
    if (typeof part === 'string') return part;
    if ('command' in part) return formatCommand(part, givenFlags ?? '');
    return givenFlags === undefined ? part.parameter : part.flag;
  });
  return formatted.join('');
}

/** `setup claude` and `archive prune` are commands of two words. */
function formatCommand({ command, args }: CommandHint, givenFlags: string): string {
  const [topic, ...rest] = args;
  const isOfTwo =
    (command === 'setup' || command === 'archive' || command === 'hub' || command === 'labels') &&
    topic !== undefined;
  const name = ['recall', ...(command === null ? [] : [command]), ...(isOfTwo ? [topic] : [])];
  return [`${name.join(' ')}${givenFlags}`, ...(isOfTwo ? rest : args)].join(' ');
}

/** One of these is printed under every list of results; the second if the first does not fit. */
export const resultsFooters = [
  'recall open <number> or show <number>',
  'recall open or show <number>',
] as const;
