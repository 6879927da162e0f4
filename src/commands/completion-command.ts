// recall completion: prints a script for a shell, which calls `recall __complete` whenever Tab is pressed.

import { Argument, type Program, shellNames } from '../command-line/commander.ts';
import type { ToAction } from '../command-line/context.ts';
import bash from '../command-line/shells/recall.bash';
import fish from '../command-line/shells/recall.fish';
import powershell from '../command-line/shells/recall.ps1';
import zsh from '../command-line/shells/recall.zsh';

const scripts = { bash, zsh, fish, powershell };

export function define(program: Program, run: ToAction): void {
  program
    .command('completion')
    .description('print a script that completes commands, flags, sessions and projects in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(shellNames))
    .action(
      run(async (context, shell) => {
        context.print(scripts[shell].trimEnd());
      }),
    );
}
