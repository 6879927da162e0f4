// recall mcp: serves past sessions to an agent until the client disconnects.

import type { Program } from '../command-line/commander.ts';
import type { ToAction } from '../command-line/context.ts';
import { hint, recall } from '../hints.ts';

export function define(program: Program, run: ToAction): void {
  program
    .command('mcp')
    .description(
      'serve past sessions to an agent: a Model Context Protocol server on standard input and output',
    )
    .option('--labels', 'let the agent name, star, tag and annotate sessions: the tool label_session')
    .action(
      run(async (context, { labels = false }) => {
        if (context.isInteractive)
          context.note(
            hint`recall: this is an MCP server, for agents to talk to on standard input (see ${recall('setup', 'claude')}); stop it with Ctrl-C`,
          );
        const { serve } = await import('../mcp/serve.ts');
        await serve(context.recall, { labels }, context.signal, (message) =>
          context.note(`recall: ${message}`),
        );
      }),
    );
}
