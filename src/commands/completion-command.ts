// recall completion: prints a script for a shell, which calls `recall __complete` whenever Tab is pressed.

import { Argument, type Program, shellNames, type ToAction } from '../command-line/commander.ts';
import bash from '../command-line/shells/recall.bash';
import fish from '../command-line/shells/recall.fish';
import powershell from '../command-line/shells/recall.ps1';
import zsh from '../command-line/shells/recall.zsh';
import { EXIT_OK } from '../errors.ts';

const scripts = { bash, zsh, fish, powershell };

export function define(program: Program, run: ToAction): void {
  program
    .command('completion')
    .description('print a script that completes commands, flags, sessions and projects in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(shellNames))
    .addHelpText('after', examples)
    .action(
      run(async (context, shell) => {
        context.print(scripts[shell].trimEnd());
        return EXIT_OK;
      }),
    );
}

const examples = `
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
    recall completion fish > ~/.config/fish/completions/recall.fish
  PowerShell, in the file that $PROFILE names:
    recall completion powershell | Out-String | Invoke-Expression`;
