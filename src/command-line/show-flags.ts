// The flags of `recall show` → what to read and how to write it, or what is wrong with the flags.

import { extname } from 'node:path';
import type { ConversationRequest } from '../api/conversation/read-conversation.ts';
import { parseRange } from '../api/conversation/select-messages.ts';
import { UserError } from '../errors.ts';
import type { Role } from '../records.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { Context } from './context.ts';
import { toOutput } from './output-path.ts';
import { type BriefFlags, defaultBudgets, toBudget } from './session-options.ts';

export interface ShowFlags extends BriefFlags {
  readonly range?: string;
  readonly match?: string;
  readonly around?: string;
  readonly context?: string;
  readonly last?: string;
  readonly role?: Role;
  readonly tools?: true;
  readonly 'tools=full'?: true;
  readonly prompts?: true;
  readonly subagents?: true;
  readonly recaps?: true;
  readonly markdown?: true;
  readonly html?: true;
  readonly output?: string;
  readonly force?: true;
  readonly pager: boolean;
}

export type ShowFormat = 'brief' | 'terminal' | 'markdown' | 'html' | 'json' | 'prompts' | 'prompts-json';

export interface ShowOptions {
  readonly format: ShowFormat;
  /** Characters, for an agent. */
  readonly budget: number;
  readonly showsTools: boolean;
  readonly showsSubagents: boolean;
  readonly showsRecaps: boolean;
  readonly output: string | null;
  readonly overwrites: boolean;
  readonly usesPager: boolean;
}

export function toShowOptions(context: Context, flags: ShowFlags): ShowOptions {
  const format = toFormat(context, flags);
  // An agent may be allowed to read with --brief without being asked; nothing that it reads may make it write.
  if (format === 'brief' && flags.output !== undefined) {
    throw new UserError('--brief is printed, and cannot be written to a file', {
      code: 'usage',
      hint: 'leave --brief or --output out',
    });
  }
  if (format === 'html' && flags.output === undefined && context.stdout.isTerminal) {
    throw new UserError('--html is not meant for a terminal', {
      code: 'usage',
      hint: 'write it to a file: --output session.html',
    });
  }
  return {
    format,
    budget: toBudget(flags, defaultBudgets.show, context.json) ?? defaultBudgets.show,
    showsTools: flags.tools ?? flags['tools=full'] ?? false,
    showsSubagents: flags.subagents ?? false,
    showsRecaps: flags.recaps ?? false,
    output: toOutput(context, flags.output),
    overwrites: flags.force ?? false,
    usesPager: flags.pager,
  };
}

export function toConversationRequest(flags: ShowFlags, format: ShowFormat): ConversationRequest {
  const isPrompts = flags.prompts === true;
  if (isPrompts && flags.role === 'assistant')
    throw new UserError('prompts are what the user said, not the assistant', {
      code: 'usage',
      hint: 'leave --prompts or --role out',
    });
  return {
    match: flags.match,
    around: flags.around,
    range: parseRange(flags.range),
    context: toCount('context', flags.context, 0),
    last: toCount('last', flags.last, 1),
    role: isPrompts ? 'user' : flags.role,
    subagents: !isPrompts && (flags.subagents === true || format === 'html'),
    // Scripts get every message, and the session apart from its subagents.
    inlined: format === 'json',
    putsSubagentsLast: format === 'json',
    callTexts: toCallTexts(flags, format),
  };
}

/** Scripts get what they ask for, and people what they look for. */
function toCallTexts(flags: ShowFlags, format: ShowFormat): ConversationRequest['callTexts'] {
  if (flags.prompts === true) return false;
  if (flags['tools=full'] === true && format !== 'brief') return true;
  return flags.match !== undefined && (format === 'terminal' || format === 'brief') ? 'matching' : false;
}

const byExtension: Readonly<Record<string, ShowFormat>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.json': 'json',
};

function toFormat({ json }: Context, flags: ShowFlags): ShowFormat {
  const { brief, markdown, html, prompts, output = '' } = flags;
  const asked: ShowFormat[] = [];
  const named = byExtension[extname(output).toLowerCase()];
  if (prompts) asked.push('prompts');
  if (json && !prompts) asked.push('json');
  if (brief) asked.push('brief');
  if (markdown) asked.push('markdown');
  if (html) asked.push('html');
  if (asked.length > 1)
    throw new UserError(`--${asked.join(' and --')} are different formats`, {
      code: 'usage',
      hint: 'choose one',
    });
  if (prompts) return json || named === 'json' ? 'prompts-json' : 'prompts';
  return asked[0] ?? named ?? 'terminal';
}

function toCount(name: string, flag: string | undefined, least: number): number | undefined {
  if (flag === undefined) return undefined;
  const count = Number(flag);
  if (flag.trim() !== '' && Number.isSafeInteger(count) && count >= least) return count;
  throw new UserError(`--${name} takes a number of at least ${least}, not ${toPrintableLine(flag)}`, {
    code: 'usage',
  });
}
