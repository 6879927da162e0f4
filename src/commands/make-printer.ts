// The printer of the format that was asked for; each brings its own libraries, so it is loaded only then.

import { isDirectory } from '../api/is-directory.ts';
import type { Context } from '../command-line/context.ts';
import type { ShowRequest } from '../command-line/show-flags.ts';
import { toCommandVoice } from '../render/brief/voice.ts';
import type { Printer } from '../render/conversation/printer.ts';
import type { Term } from '../search/parse-query.ts';
import type { Store } from '../store/open/open-store.ts';
import { countCopies } from '../store/read/read-sessions.ts';

export async function makePrinter(
  context: Context,
  store: Store,
  request: ShowRequest,
  terms: readonly Term[],
): Promise<Printer> {
  const { homeDir } = context.at;
  const { showsTools, showsRecaps } = request;
  switch (request.format) {
    case 'brief': {
      const { BriefPrinter } = await import('../render/brief/brief-printer.ts');
      return new BriefPrinter(toCommandVoice(context.givenFlags), request.budget);
    }
    case 'json': {
      const { JsonPrinter } = await import('../render/conversation/json-printer.ts');
      return new JsonPrinter({
        listsSubagents: request.showsSubagents,
        countCopies: (session) => countCopies(store.db, session),
        isDirectory,
      });
    }
    case 'markdown': {
      const { MarkdownPrinter } = await import('../render/conversation/markdown-printer.ts');
      return new MarkdownPrinter({ homeDir, isDirectory, showsTools });
    }
    case 'html': {
      const { HtmlPrinter } = await import('../render/conversation/html-printer.ts');
      return new HtmlPrinter({ homeDir, isDirectory, terms });
    }
    case 'terminal': {
      const { TerminalPrinter } = await import('../render/conversation/terminal-printer.ts');
      const isFile = request.output !== null;
      const useColor = context.useColor && !isFile;
      return new TerminalPrinter({
        columns: context.stdout.columns,
        useColor,
        isDrawn: useColor || (context.stdout.isTerminal && !isFile),
        showsTools,
        showsRecaps,
        now: context.now(),
        homeDir,
        isDirectory,
        terms,
      });
    }
  }
}
