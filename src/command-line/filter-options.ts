// The flags that say which sessions are looked at: the same for every command that lists some.

import { type Command, Option } from 'commander';

/** Where and when. */
export function addScopeOptions(command: Command): Command {
  return command
    .option('--project <text>', 'only this project: a path, a name, or . for here')
    .option(
      '--since <day>',
      'only sessions active since then: 2026-01-31, 2026-01, 7d, yesterday, "last week"',
    )
    .option('--until <day>', 'only sessions begun by then');
}

/** And what they are like. */
export function addFilterOptions(command: Command): Command {
  return addScopeOptions(command)
    .option('--branch <text>', 'only sessions on a git branch')
    .addOption(
      new Option('--role <who>', 'only what the user or the assistant said').choices(['user', 'assistant']),
    )
    .option('--model <text>', 'only sessions with this model')
    .option('--file <path>', 'only sessions whose tools touched this file, or a path that ends so')
    .addOption(toKindOption())
    .option('--subagents', 'list subagents on their own instead of under their session')
    .addOption(toAgentsAlias())
    .option('--all', 'also empty sessions, warm-ups and machinery');
}

/** The older name of --subagents: it works, and help does not name it. */
export function toAgentsAlias(): Option {
  return new Option('--agents', 'the same as --subagents').implies({ subagents: true }).hideHelp();
}

/** `--kind agent` is the older name of `--kind subagent`. */
function toKindOption(): Option {
  const option = new Option('--kind <kind>', 'only one kind of session').choices([
    'main',
    'subagent',
    'transcript',
    'precompact',
    'history',
  ]);
  const check = option.parseArg;
  return option.argParser((value, previous: unknown) =>
    check?.(value === 'agent' ? 'subagent' : value, previous),
  );
}
