// The flags for agents that read the output themselves.

import type { Command } from 'commander';

export function addBriefOptions(command: Command): Command {
  return command
    .option('--brief', 'for an agent: a few lines with references to read on by')
    .option('--budget <chars>', 'how many characters --brief may take');
}
