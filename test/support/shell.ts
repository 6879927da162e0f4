// Runs a command in this process with a context that a test has made, or only looks at what commands there are.

import type { Context } from '../../src/command-line/context.ts';
import { buildProgram, type Shell } from '../../src/program.ts';

const output = { writeOut: () => {}, writeErr: () => {} };

/** For a program of which no command is run. */
export const silentShell: Shell = {
  output,
  setExitCode: () => {},
  buildContext: () => {
    throw new Error('nothing is to be run');
  },
};

/** The exit code. What the command does not ask of its context need not be there. */
export async function runCommand(context: Partial<Context>, argv: readonly string[]): Promise<number> {
  let code: number | undefined;
  const shell: Shell = {
    output,
    setExitCode: (given) => {
      code = given;
    },
    buildContext: () => ({ recall: { close: () => {} }, ...context }) as unknown as Context,
  };
  const program = await buildProgram(shell, argv);
  await program.parseAsync([...argv], { from: 'user' });
  if (code === undefined) throw new Error('the command gave no exit code');
  return code;
}
