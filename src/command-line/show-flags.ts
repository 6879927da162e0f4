// The flags of `recall show` → what is asked for, or what is wrong with them.

import { extname, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import type { Role } from '../records.ts';
import { toPrintableLine } from '../text/printable.ts';
import { parseQuery, type Query } from '../search/parse-query.ts';
import { type BriefFlags, toBudget, usualBudgets } from './budget-flag.ts';
import type { Context } from './context.ts';

export interface ShowFlags extends BriefFlags {
  readonly range?: string;
  readonly match?: string;
  readonly around?: string;
  readonly context?: string;
  readonly last?: string;
  readonly role?: Role;
  readonly tools?: boolean;
  readonly subagents?: boolean;
  readonly recaps?: boolean;
  readonly markdown?: boolean;
  readonly html?: boolean;
  readonly output?: string;
  readonly force?: boolean;
  readonly pager?: boolean;
}

export type ShowFormat = 'brief' | 'terminal' | 'markdown' | 'html' | 'json';

export interface ShowRequest {
  readonly format: ShowFormat;
  readonly query: Query | null;
  readonly around: string | null;
  /** Places of messages from 1, both ends among them. */
  readonly range: { readonly from: number; readonly to: number } | null;
  /** Characters, for an agent. */
  readonly budget: number;
  readonly context: number | null;
  readonly last: number | null;
  readonly role: Role | null;
  readonly showsTools: boolean;
  readonly showsSubagents: boolean;
  readonly showsRecaps: boolean;
  readonly output: string | null;
  readonly overwrites: boolean;
  readonly usesPager: boolean;
}

/** `position` is that of a message which the reference names, as in 66c737db:12. */
export function toRequest(context: Context, flags: ShowFlags, position: number | null = null): ShowRequest {
  refuseTwoParts(flags, position);
  const asked = flags.match === undefined ? null : parseQuery(flags.match);
  const role = flags.role ?? toRole(asked);
  const format = toFormat(context, flags);
  if (format === 'html' && flags.output === undefined && context.stdout.isTerminal) {
    throw new UserError('an HTML page is not for the terminal', {
      code: 'usage',
      hint: 'write it to a file: --output session.html',
    });
  }
  return {
    format,
    query: asked === null || isRoleAlone(asked) ? null : withWords(asked),
    around: flags.around ?? (position === null ? null : `#${position}`),
    range: toRange(flags.range),
    budget: toBudget(flags, usualBudgets.show, context.json) ?? usualBudgets.show,
    context: toCount('context', flags.context, 0),
    last: toCount('last', flags.last, 1),
    role,
    showsTools: flags.tools ?? false,
    showsSubagents: flags.subagents ?? false,
    showsRecaps: flags.recaps ?? false,
    output: toOutput(context, flags.output),
    overwrites: flags.force ?? false,
    usesPager: flags.pager ?? true,
  };
}

/** `role:user` in the query means the same as the flag. */
function toRole(query: Query | null): Role | null {
  const role = query?.filters.role?.toLowerCase();
  return role === 'user' || role === 'assistant' ? role : null;
}

function isRoleAlone({ terms, excluded, filters }: Query): boolean {
  return terms.length === 0 && excluded.length === 0 && Object.keys(filters).join() === 'role';
}

function withWords(query: Query): Query {
  if (query.terms.length > 0) return query;
  throw new UserError(`--match “${toPrintableLine(query.text)}” names no words to look for`, {
    code: 'usage',
    hint: 'name some of the message; who said it is chosen with --role',
  });
}

/** Each says which part of the session is shown, and none of them narrows another. */
function refuseTwoParts({ around, range, last }: ShowFlags, position: number | null): void {
  const asked: string[] = [];
  if (position !== null) asked.push(`message #${position}`);
  if (around !== undefined) asked.push('--around');
  if (range !== undefined) asked.push('--range');
  if (last !== undefined) asked.push('--last');
  if (asked.length > 1)
    throw new UserError(`${asked.join(' and ')} are different parts of a session`, {
      code: 'usage',
      hint: 'choose one',
    });
}

const byExtension: Readonly<Record<string, ShowFormat>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.json': 'json',
};

function toFormat({ json }: Context, { brief, markdown, html, output = '' }: ShowFlags): ShowFormat {
  const asked: ShowFormat[] = [];
  if (json) asked.push('json');
  if (brief) asked.push('brief');
  if (markdown) asked.push('markdown');
  if (html) asked.push('html');
  if (asked.length > 1)
    throw new UserError(`--${asked.join(' and --')} are two formats`, { code: 'usage', hint: 'choose one' });
  return asked[0] ?? byExtension[extname(output).toLowerCase()] ?? 'terminal';
}

function toRange(flag: string | undefined): ShowRequest['range'] {
  if (flag === undefined) return null;
  const [, from, to] = /^#?(\d{1,7})\s*(?:-|–|\.\.)\s*#?(\d{1,7})$/.exec(flag.trim()) ?? [];
  if (from !== undefined && to !== undefined && Number(from) >= 1 && Number(from) <= Number(to))
    return { from: Number(from), to: Number(to) };
  throw new UserError(`--range takes two numbers of messages, such as 12-40, not ${toPrintableLine(flag)}`, {
    code: 'usage',
  });
}

/** A dash means standard output, as everywhere. */
function toOutput({ at }: Context, flag: string | undefined): string | null {
  if (flag?.trim() === '') throw new UserError('--output takes a file, not an empty name', { code: 'usage' });
  return flag === undefined || flag === '-' ? null : resolve(at.cwd, flag);
}

function toCount(name: string, flag: string | undefined, least: number): number | null {
  if (flag === undefined) return null;
  const count = Number(flag);
  if (flag.trim() !== '' && Number.isSafeInteger(count) && count >= least) return count;
  throw new UserError(`--${name} takes a number from ${least}, not ${toPrintableLine(flag)}`, {
    code: 'usage',
  });
}
