// recall show: reads a conversation, or a part of it, and writes it in the requested format to a file, to a pager or to standard
// output. The screen's export writes it in the same way.

import { extname } from 'node:path';
import type { Conversation, PageStart, Unread } from '../api/answers.ts';
import { parseRange } from '../api/conversation/select-messages.ts';
import type { ConversationRequest } from '../api/requests.ts';
import { type FlagsOf, Option, type Program } from '../command-line/commander.ts';
import type { Context, ToAction } from '../command-line/context.ts';
import { page } from '../command-line/pager.ts';
import { addBriefFlags, buildAgentsAlias, parseBudget, parseNumber } from '../command-line/session-flags.ts';
import { resolveOutput, writeOutput } from '../command-line/write-output.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError, usageError } from '../errors.ts';
import { roles } from '../records.ts';
import { buildCommandVoice } from '../render/brief/brief-sessions.ts';
import { type Printer, printConversation, type ReadPages } from '../render/conversation/printer.ts';
import { formatNumbered } from '../render/quantities.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: ToAction): void {
  addShow(program).action(
    run(async (context, ref, flags) => {
      const plan = planShow(context, flags);
      const conversation = await context.recall.read(ref, plan.request, { isNumbered: true });
      const isFound = noteMatches(context, conversation, flags.match ?? '');
      if (!isFound && plan.format !== 'json') return EXIT_NOTHING_FOUND;
      const unread: Unread[] = [];
      const readPages = async function* (start: PageStart) {
        unread.length = 0;
        for await (const page of context.recall.pages(start)) {
          if (page.unread !== null) unread.push(page.unread);
          yield page;
        }
      };
      await writeConversation(context, flags, plan, { conversation, readPages });
      noteUnread(context, unread);
      return isFound ? EXIT_OK : EXIT_NOTHING_FOUND;
    }),
  );
}

export type ShowFlags = FlagsOf<typeof addShow>;

function addShow(program: Program) {
  const show = program
    .command('show')
    .description('read a conversation')
    .argument(
      '<ref>',
      'id of a session or subagent, its first four or more characters, or the number of a search result; 66c737db:12 shows the messages around its twelfth',
    )
    .option(
      '--match <words>',
      'only messages and tool calls that match, as in a search, with some messages around them',
    )
    .option(
      '--around <message>',
      'only the messages around one: 12 or #12 for the twelfth, its uuid, or its id',
    )
    .option('--context <n>', 'how many messages to show before and after those')
    .option('--last <n>', 'only the last n messages')
    .addOption(new Option('--role <who>', 'only what the user or the assistant said').choices(roles))
    .option('--tools', 'show each tool call on its own line')
    .option('--tools=full', 'also the input and the output of each tool')
    .option('--prompts', 'only a list of the prompts, with their numbers')
    .option('--subagents', 'include what subagents said')
    .addOption(buildAgentsAlias())
    .option('--recaps', 'show the recaps that were written when the conversation was compacted')
    .option('--range <from-to>', 'only these messages: 12-40')
    .option('--markdown', 'as a Markdown document')
    .option('--html', 'as one self-contained HTML page')
    .option('-o, --output <file>', 'write to a file; .md, .html and .json choose the format')
    .option('--force', 'overwrite an existing file')
    .option('--no-pager', 'do not use a pager, however long the output');
  return addBriefFlags(show);
}

/** False if there was something to match and nothing does. */
function noteMatches(context: Context, { matches, head }: Conversation, words: string): boolean {
  if (matches === null) return true;
  for (const [typed, meant] of matches.corrections)
    context.note(`recall: did you mean “${toPrintableLine(meant)}” for “${toPrintableLine(typed)}”?`);
  if (matches.lines.size === 0) {
    const id = toPrintableLine(head.session.nativeId);
    context.note(
      `recall: nothing in ${id} matches “${toPrintableLine(words)}”\n  try: fewer or different words, or leave out --match to read all of it`,
    );
    return false;
  }
  if (matches.isPartial)
    context.note('recall: no message contains all of the words; these contain some of them');
  return true;
}

function noteUnread(context: Context, unread: readonly Unread[]): void {
  const [first] = unread;
  if (first === undefined) return;
  const count = unread.reduce((sum, { calls }) => sum + calls, 0);
  context.note(
    first.reason === 'off'
      ? 'recall: the input and output of tools is not indexed, so only their names are shown\n  to index it: remove "done": false from config.json'
      : `recall: ${formatNumbered(count, 'tool call')} could not be read in full: the transcript has changed or was deleted, and no copy of it is kept`,
  );
}

type ShowFormat = 'brief' | 'terminal' | 'markdown' | 'html' | 'json' | 'prompts' | 'prompts-json';

const byExtension: Readonly<Record<string, ShowFormat>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.json': 'json',
};

const usualBudget = 8000;

type ShowPlan = ReturnType<typeof planShow>;

function planShow(context: Context, flags: ShowFlags) {
  const format = chooseFormat(context, flags);
  const budget = parseBudget(context, flags, usualBudget) ?? usualBudget;
  const output = resolveOutput(context.at.cwd, flags.output);
  return { format, request: toConversationRequest(flags, format), budget, output };
}

function chooseFormat({ json, stdout }: Context, flags: ShowFlags): ShowFormat {
  const { brief, markdown, html, prompts, output } = flags;
  const given = { prompts, json: json && !prompts, brief, markdown, html };
  const asked = (Object.keys(given) as (keyof typeof given)[]).filter((format) => given[format]);
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
    context: flags.context === undefined ? undefined : parseNumber('--context', flags.context, { least: 0 }),
    last: flags.last === undefined ? undefined : parseNumber('--last', flags.last, { least: 1 }),
    role: isPrompts ? 'user' : flags.role,
    subagents: !isPrompts && (flags.subagents === true || format === 'html'),
    // Scripts get every message, and the session apart from its subagents.
    putsSubagentsLast: format === 'json',
    inlined: format === 'json',
    callTexts: chooseCallTexts(flags, format),
  };
}

function chooseCallTexts(flags: ShowFlags, format: ShowFormat): ConversationRequest['callTexts'] {
  if (flags.prompts === true) return false;
  if (flags['tools=full'] === true && format !== 'brief') return true;
  return flags.match !== undefined && (format === 'terminal' || format === 'brief') ? 'matching' : false;
}

interface ConversationToShow {
  readonly conversation: Conversation;
  readonly readPages: ReadPages;
}

async function writeConversation(
  context: Context,
  flags: ShowFlags,
  plan: ShowPlan,
  shown: ConversationToShow,
) {
  const { format, output } = plan;
  const pieces = await preparePieces(context, flags, plan, shown);
  if (output !== null) {
    await writeOutput(context, output, joinPieces(pieces(), context.signal), flags.force);
    if (!context.json) context.note(`recall: wrote ${toPrintableLine(output)}`);
    return;
  }
  const isForPeople = ['terminal', 'markdown', 'prompts'].includes(format);
  if (flags.pager && isForPeople && context.stdout.isTerminal && (await page(context, pieces()))) return;
  for await (const chunk of joinPieces(pieces(), context.signal)) context.print(chunk);
}

/** As `recall show <id> --output <path>` does, for the screen, with what to say there. */
export async function exportTo(context: Context, id: string, path: string): Promise<string> {
  const silent: Context = Object.create(context, { note: { value: () => {} } });
  try {
    const flags = { output: path, pager: false };
    const plan = planShow(silent, flags);
    const conversation = await context.recall.read(id, plan.request);
    const readPages = (start: PageStart) => context.recall.pages(start);
    await writeConversation(silent, flags, plan, { conversation, readPages });
    return `wrote ${toPrintableLine(path)}`;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** Returns a function that starts over each time it is called. Each format has libraries of its own, loaded only when it is needed. */
async function preparePieces(
  context: Context,
  flags: ShowFlags,
  { format, budget, output }: ShowPlan,
  { conversation, readPages }: ConversationToShow,
): Promise<() => AsyncIterable<string>> {
  const { givenFlags, stdout } = context;
  const { homeDir } = context.at;
  const useColor = context.useColor && output === null;
  const isDrawn = useColor || (stdout.isTerminal && output === null);
  const showsTools = flags.tools ?? flags['tools=full'] ?? false;
  const terms = conversation.matches?.terms ?? [];
  const drawing = { columns: stdout.columns, useColor, isDrawn };
  const withPrinter = (makePrinter: () => Printer) => () =>
    printConversation(makePrinter(), conversation, readPages);
  switch (format) {
    case 'brief': {
      const { formatBriefConversation } = await import('../render/brief/brief-conversation.ts');
      return async function* () {
        const pages = readPages(conversation.start);
        yield (await formatBriefConversation(conversation.head, pages, buildCommandVoice(givenFlags), budget))
          .text;
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
      return withPrinter(() => new PromptsList({ ...drawing, homeDir, givenFlags }));
    }
    case 'terminal': {
      const { TerminalPrinter } = await import('../render/conversation/terminal-printer.ts');
      const shows = { showsTools, showsRecaps: flags.recaps ?? false };
      const now = context.now();
      return withPrinter(
        () => new TerminalPrinter({ ...drawing, ...shows, now, homeDir, givenFlags, terms }),
      );
    }
  }
}

/** Large enough to keep the number of writes low, and small enough to appear immediately. */
const chunkChars = 32_768;

/** Joins pieces, each of them whole lines, and checks for an interrupt in between. */
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
