// A conversation in the requested format. Each format has its own libraries, so it is loaded only when
// needed.

import type { Conversation } from '../api/conversation/read-conversation.ts';
import { toCommandVoice } from '../render/brief/brief-sessions.ts';
import { type Printer, printConversation, type ReadPages } from '../render/conversation/printer.ts';
import type { Context } from './context.ts';
import type { ShowOptions } from './show-flags.ts';

export async function* printInFormat(
  context: Context,
  options: ShowOptions,
  conversation: Conversation,
  readPages: ReadPages,
): AsyncGenerator<string> {
  if (options.format === 'brief') {
    const { toBriefConversation } = await import('../render/brief/brief-conversation.ts');
    const voice = toCommandVoice(context.givenFlags);
    const pages = readPages(conversation.start);
    yield (await toBriefConversation(conversation.head, pages, voice, options.budget)).text;
    return;
  }
  const printer = await makePrinter(context, options, options.format, conversation.matches?.terms ?? []);
  yield* printConversation(printer, conversation, readPages);
}

async function makePrinter(
  context: Context,
  { output, showsTools, showsSubagents, showsRecaps }: ShowOptions,
  format: Exclude<ShowOptions['format'], 'brief'>,
  terms: NonNullable<Conversation['matches']>['terms'],
): Promise<Printer> {
  const { givenFlags } = context;
  const { homeDir } = context.at;
  const { columns } = context.stdout;
  const isFile = output !== null;
  const useColor = context.useColor && !isFile;
  const isDrawn = useColor || (context.stdout.isTerminal && !isFile);
  switch (format) {
    case 'json': {
      const { JsonPrinter } = await import('../render/conversation/json-printer.ts');
      return new JsonPrinter(showsSubagents);
    }
    case 'markdown': {
      const { MarkdownPrinter } = await import('../render/conversation/markdown-printer.ts');
      return new MarkdownPrinter({ homeDir, givenFlags, showsTools });
    }
    case 'html': {
      const { HtmlPrinter } = await import('../render/conversation/html-printer.ts');
      return new HtmlPrinter({ homeDir, givenFlags, terms });
    }
    case 'prompts-json': {
      const { PromptsJson } = await import('../render/conversation/prompts-printer.ts');
      return new PromptsJson();
    }
    case 'prompts': {
      const { PromptsList } = await import('../render/conversation/prompts-printer.ts');
      return new PromptsList({ columns, useColor, isDrawn, homeDir, givenFlags });
    }
    case 'terminal': {
      const { TerminalPrinter } = await import('../render/conversation/terminal-printer.ts');
      return new TerminalPrinter({
        columns,
        useColor,
        isDrawn,
        showsTools,
        showsRecaps,
        now: context.now(),
        homeDir,
        givenFlags,
        terms,
      });
    }
  }
}
