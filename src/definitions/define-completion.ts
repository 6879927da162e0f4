// recall completion: its help.

import { Argument, type Command } from 'commander';
import type { Run } from '../command-line/run.ts';

export function defineCompletion(program: Command, run: Run): void {
  program
    .command('completion')
    .description('print a script that completes commands, flags, sessions and projects in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  bash, with the bash-completion package:
    mkdir -p ~/.local/share/bash-completion/completions
    recall completion bash > ~/.local/share/bash-completion/completions/recall
  bash, without it, in ~/.bashrc:
    eval "$(recall completion bash)"
  zsh:
    mkdir -p ~/.zfunc && recall completion zsh > ~/.zfunc/_recall
    and in ~/.zshrc, before compinit: fpath+=~/.zfunc
  fish:
    mkdir -p ~/.config/fish/completions
    recall completion fish > ~/.config/fish/completions/recall.fish`,
    )
    .action(
      run(async (context, _flags, shell) =>
        (await import('../commands/completion-command.ts')).runCompletion(context, shell),
      ),
    );
}

/** What the scripts ask at every press of the key. Not for people, so no help names it. */
export function defineComplete(program: Command, run: Run): void {
  program
    .command('__complete', { hidden: true })
    .argument('[words...]', 'the command line up to the cursor, without the name of the program')
    .action(
      run(async (context, _flags, words) =>
        (await import('../commands/complete-command.ts')).runComplete(
          context,
          program,
          words as unknown as string[],
        ),
      ),
    );
}
