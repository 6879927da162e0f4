// recall mcp: its flags and help.

import type { Command } from 'commander';
import type { Run } from '../command-line/run.ts';

export function defineMcp(program: Command, run: Run): void {
  program
    .command('mcp')
    .description(
      'serve past sessions to an agent: a Model Context Protocol server on standard input and output',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  claude mcp add --scope user recall -- recall mcp\n  recall setup claude --write',
    )
    .action(run(async (context) => (await import('../mcp/serve.ts')).runMcp(context)));
}
