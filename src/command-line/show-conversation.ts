// `recall show` and the screen's export: flags → what to read, and a conversation → pieces in the format that was asked for, to a
// file, to a pager or to standard output.

import { extname } from 'node:path';
import type { Conversation, ConversationRequest } from '../api/answers.ts';
import { parseRange } from '../api/conversation/select-messages.ts';
import { usageError } from '../errors.ts';
import type { Role } from '../records.ts';
import { toCommandVoice } from '../render/brief/brief-sessions.ts';
import { type Printer, printConversation, type ReadPages } from '../render/conversation/printer.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { Context } from './context.ts';
import { type BriefFlags, defaultBudgets, parseBudget } from './session-flags.ts';
import { page, resolveOutput, writeOutput } from './write-output.ts';

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

type ShowFormat = 'brief' | 'terminal' | 'markdown' | 'html' | 'json' | 'prompts' | 'prompts-json';

const byExtension: Readonly<Record<string, ShowFormat>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.json': 'json',
};

interface ShowPlan {
  readonly format: ShowFormat;
  readonly request: ConversationRequest;
  /** Characters, for an agent. */
  readonly budget: number;
  /** Null for standard output. */
  readonly output: string | null;
}

/** Reports what is wrong with the flags before anything is read. */
export function planShow(context: Context, flags: ShowFlags): ShowPlan {
  const format = chooseFormat(context, flags);
  const budget = parseBudget(flags, defaultBudgets.show, context.json) ?? defaultBudgets.show;
  const output = resolveOutput(context, flags.output);
  return { format, request: toConversationRequest(flags, format), budget, output };
}

/** Refuses formats that exclude each other, and those that do not go where the output goes. */
function chooseFormat({ json, stdout }: Context, flags: ShowFlags): ShowFormat {
  const { brief, markdown, html, prompts, output } = flags;
  const asked: ShowFormat[] = [];
  if (prompts) asked.push('prompts');
  if (json && !prompts) asked.push('json');
  if (brief) asked.push('brief');
  if (markdown) asked.push('markdown');
  if (html) asked.push('html');
  if (asked.length > 1) throw usageError(`--${asked.join(' and --')} are different formats`, 'choose one');
  // An agent may be allowed to read with --brief without being asked; nothing that it reads may make it write.
  if (brief && output !== undefined)
    throw usageError('--brief is printed, and cannot be written to a file', 'leave --brief or --output out');
  const named = byExtension[extname(output ?? '').toLowerCase()];
  const format = asked[0] ?? named ?? 'terminal';
  if (format === 'html' && output === undefined && stdout.isTerminal)
    throw usageError('--html is not meant for a terminal', 'write it to a file: --output session.html');
  return format === 'prompts' && (json || named === 'json') ? 'prompts-json' : format;
}

export function toConversationRequest(flags: ShowFlags, format: ShowFormat): ConversationRequest {
  const isPrompts = flags.prompts === true;
  if (isPrompts && flags.role === 'assistant')
    throw usageError('prompts are what the user said, not the assistant', 'leave --prompts or --role out');
  return {
    match: flags.match,
    around: flags.around,
    range: parseRange(flags.range),
    context: parseCount('context', flags.context, 0),
    last: parseCount('last', flags.last, 1),
    role: isPrompts ? 'user' : flags.role,
    subagents: !isPrompts && (flags.subagents === true || format === 'html'),
    // Scripts get every message, and the session apart from its subagents.
    putsSubagentsLast: format === 'json',
    inlined: format === 'json',
    callTexts: chooseCallTexts(flags, format),
  };
}

/** Scripts get what they ask for, and people what they look for. */
function chooseCallTexts(flags: ShowFlags, format: ShowFormat): ConversationRequest['callTexts'] {
  if (flags.prompts === true) return false;
  if (flags['tools=full'] === true && format !== 'brief') return true;
  return flags.match !== undefined && (format === 'terminal' || format === 'brief') ? 'matching' : false;
}

function parseCount(name: string, flag: string | undefined, least: number): number | undefined {
  if (flag === undefined) return undefined;
  const count = Number(flag);
  if (flag.trim() !== '' && Number.isSafeInteger(count) && count >= least) return count;
  throw usageError(`--${name} takes a number of at least ${least}, not ${toPrintableLine(flag)}`);
}

interface ShownConversation {
  readonly conversation: Conversation;
  readonly readPages: ReadPages;
}

/** To a file, to a pager if it does not fit on the screen, or to standard output. */
export async function writeConversation(
  context: Context,
  flags: ShowFlags,
  plan: ShowPlan,
  shown: ShownConversation,
): Promise<void> {
  const { format, output } = plan;
  const pieces = await preparePieces(context, flags, plan, shown);
  if (output !== null) {
    await writeOutput(context, output, joinPieces(pieces(), context.signal), flags.force ?? false);
    if (!context.json) context.note(`recall: wrote ${toPrintableLine(output)}`);
    return;
  }
  const isForPeople = ['terminal', 'markdown', 'prompts'].includes(format);
  if (flags.pager && isForPeople && context.stdout.isTerminal && (await page(context, pieces()))) return;
  for await (const chunk of joinPieces(pieces(), context.signal)) context.print(chunk);
}

/** Starts over each time it is called. */
type Pieces = () => AsyncIterable<string>;

/** Each format has libraries of its own, and is loaded only when it is needed. */
async function preparePieces(
  context: Context,
  flags: ShowFlags,
  { format, budget, output }: ShowPlan,
  { conversation, readPages }: ShownConversation,
): Promise<Pieces> {
  const { givenFlags, stdout } = context;
  const { homeDir } = context.at;
  const { columns } = stdout;
  const useColor = context.useColor && output === null;
  const isDrawn = useColor || (stdout.isTerminal && output === null);
  const showsTools = flags.tools ?? flags['tools=full'] ?? false;
  const terms = conversation.matches?.terms ?? [];
  const withPrinter =
    (makePrinter: () => Printer): Pieces =>
    () =>
      printConversation(makePrinter(), conversation, readPages);
  switch (format) {
    case 'brief': {
      const { toBriefConversation } = await import('../render/brief/brief-conversation.ts');
      return async function* () {
        const pages = readPages(conversation.start);
        yield (await toBriefConversation(conversation.head, pages, toCommandVoice(givenFlags), budget)).text;
      };
    }
    case 'json': {
      const { JsonPrinter } = await import('../render/conversation/json-printer.ts');
      return withPrinter(() => new JsonPrinter(flags.subagents ?? false));
    }
    case 'markdown': {
      const { MarkdownPrinter } = await import('../render/conversation/markdown-printer.ts');
      return withPrinter(() => new MarkdownPrinter({ homeDir, givenFlags, showsTools }));
    }
    case 'html': {
      const { HtmlPrinter } = await import('../render/conversation/html-printer.ts');
      return withPrinter(() => new HtmlPrinter({ homeDir, givenFlags, terms }));
    }
    case 'prompts-json': {
      const { PromptsJson } = await import('../render/conversation/prompts-printer.ts');
      return withPrinter(() => new PromptsJson());
    }
    case 'prompts': {
      const { PromptsList } = await import('../render/conversation/prompts-printer.ts');
      return withPrinter(() => new PromptsList({ columns, useColor, isDrawn, homeDir, givenFlags }));
    }
    case 'terminal': {
      const { TerminalPrinter } = await import('../render/conversation/terminal-printer.ts');
      const showsRecaps = flags.recaps ?? false;
      const drawing = { columns, useColor, isDrawn, showsTools, showsRecaps };
      const now = context.now();
      return withPrinter(() => new TerminalPrinter({ ...drawing, now, homeDir, givenFlags, terms }));
    }
  }
}

/** Large enough to keep the number of writes low, and small enough to appear immediately. */
const chunkChars = 32_768;

/** Joins small pieces, each of them whole lines, into larger chunks, and checks for an interrupt in between. */
async function* joinPieces(pieces: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  let chunk: string[] = [];
  let chars = 0;
  for await (const piece of pieces) {
    if (piece === '') continue;
    chunk.push(piece);
    chars += piece.length;
    if (chars < chunkChars) continue;
    yield chunk.join('\n');
    chunk = [];
    chars = 0;
    // Signals arrive between two turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  if (chunk.length > 0) yield chunk.join('\n');
}
