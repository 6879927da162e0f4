// recall init: prints a shell function and a key binding. A program cannot change the directory of the shell that runs it;
// a function of that shell can.

import { Argument, type Program, shellNames } from '../command-line/commander.ts';
import type { ToAction } from '../command-line/context.ts';
import bash from '../command-line/shells/init.bash';
import fish from '../command-line/shells/init.fish';
import powershell from '../command-line/shells/init.ps1';
import zsh from '../command-line/shells/init.zsh';
import { usageError } from '../errors.ts';
import { toPrintableLine } from '../text/printable.ts';

const scripts = { bash, zsh, fish, powershell };

/** The name that the scripts are written with. */
const functionName = 'rcd';

export function define(program: Program, run: ToAction): void {
  program
    .command('init')
    .description('print a shell function that resumes a session in this shell, and a key that searches')
    .addArgument(new Argument('<shell>', 'your shell').choices(shellNames))
    .option('--name <name>', 'what to call the function', functionName)
    .action(
      run(async (context, shell, { name }) => {
        if (!/^[A-Za-z_][\w-]*$/.test(name))
          throw usageError(
            `--name takes the name of a function, not ${toPrintableLine(name)}`,
            `letters, digits, - and _, such as ${functionName}`,
          );
        context.print(scripts[shell].trimEnd().replaceAll(new RegExp(`\\b${functionName}\\b`, 'g'), name));
      }),
    );
}
