// recall show: its flags and help.

import { type Command, Option } from 'commander';
import { addBriefOptions } from '../command-line/brief-options.ts';
import { toAgentsAlias } from '../command-line/filter-options.ts';
import type { Run } from '../command-line/run.ts';

export function defineShow(program: Command, run: Run): void {
  const show = program
    .command('show')
    .description('read a conversation')
    .argument(
      '<ref>',
      'id of a session or a subagent, the first four or more characters of it, or the number of a search result; 66c737db:12 means about its twelfth message',
    )
    .option('--match <words>', 'only what matches, as in a search, with some messages about it')
    .option(
      '--around <message>',
      'only the messages about one: 12 or #12 for the twelfth, its uuid, or its id',
    )
    .option('--context <n>', 'how many messages before and after those')
    .option('--last <n>', 'only the last messages')
    .addOption(
      new Option('--role <who>', 'only what the user or the assistant said').choices(['user', 'assistant']),
    )
    .option('--tools', 'each tool call on a line of its own')
    .option('--subagents', 'what subagents said, too')
    .addOption(toAgentsAlias())
    .option('--recaps', 'the recaps that were written when the conversation was compacted')
    .option('--range <from-to>', 'only these messages: 12-40')
    .option('--markdown', 'as a Markdown document')
    .option('--html', 'as one HTML page that needs nothing else')
    .option('-o, --output <file>', 'write to a file; .md, .html and .json say what to write')
    .option('--force', 'overwrite the file')
    .option('--no-pager', 'straight to the terminal, however long it is');
  addBriefOptions(show)
    .addHelpText(
      'after',
      `
Examples:
  recall show 1
  recall show 5b60eaeb --match "refresh token"
  recall show 5b60eaeb --around '#12' --tools
  recall show 1 --last 5 --role assistant
  recall show 1 --subagents --output session.html
  recall show 66c737db:12 --brief
  recall show 1 --json | jq -r '.messages[].text'`,
    )
    .action(
      run(async (context, flags, ref) =>
        (await import('../commands/show-command.ts')).runShow(context, ref, flags),
      ),
    );
}
