// recall show: reads a conversation, or a part of it, and writes it in the requested format.

import type { Conversation, PageStart, Unread } from '../api/answers.ts';
import { Option, type Program, type ToAction } from '../command-line/commander.ts';
import type { Context } from '../command-line/context.ts';
import { addBriefFlags, buildAgentsAlias } from '../command-line/session-flags.ts';
import { planShow, writeConversation } from '../command-line/show-conversation.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK } from '../errors.ts';
import { roles } from '../records.ts';
import { formatNumbered } from '../render/quantities.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: ToAction): void {
  const show = program
    .command('show')
    .description('read a conversation')
    .argument(
      '<ref>',
      'id of a session or subagent, its first four or more characters, or the number of a search result; 66c737db:12 shows the messages around its twelfth',
    )
    .option(
      '--match <words>',
      'only messages and tool calls that match, as in a search, with some messages around them',
    )
    .option(
      '--around <message>',
      'only the messages around one: 12 or #12 for the twelfth, its uuid, or its id',
    )
    .option('--context <n>', 'how many messages to show before and after those')
    .option('--last <n>', 'only the last n messages')
    .addOption(new Option('--role <who>', 'only what the user or the assistant said').choices(roles))
    .option('--tools', 'show each tool call on its own line')
    .option('--tools=full', 'also what each tool was given and what it answered')
    .option('--prompts', 'only a list of the prompts, with their numbers')
    .option('--subagents', 'include what subagents said')
    .addOption(buildAgentsAlias())
    .option('--recaps', 'show the recaps that were written when the conversation was compacted')
    .option('--range <from-to>', 'only these messages: 12-40')
    .option('--markdown', 'as a Markdown document')
    .option('--html', 'as one self-contained HTML page')
    .option('-o, --output <file>', 'write to a file; .md, .html and .json choose the format')
    .option('--force', 'overwrite an existing file')
    .option('--no-pager', 'do not use a pager, however long the output');
  addBriefFlags(show)
    .addHelpText('after', examples)
    .action(
      run(async (context, ref, flags) => {
        const plan = planShow(context, flags);
        const conversation = await context.recall.read(ref, plan.request, { isNumbered: true });
        const isFound = noteMatches(context, conversation, flags.match ?? '');
        if (!isFound && plan.format !== 'json') return EXIT_NOTHING_FOUND;
        const unread: Unread[] = [];
        const readPages = async function* (start: PageStart) {
          unread.length = 0;
          for await (const page of context.recall.pages(start)) {
            if (page.unread !== null) unread.push(page.unread);
            yield page;
          }
        };
        await writeConversation(context, flags, plan, { conversation, readPages });
        noteUnread(context, unread);
        return isFound ? EXIT_OK : EXIT_NOTHING_FOUND;
      }),
    );
}

/** False if there was something to match and nothing does. */
function noteMatches(context: Context, { matches, head }: Conversation, words: string): boolean {
  if (matches === null) return true;
  for (const [typed, meant] of matches.corrections)
    context.note(`recall: did you mean “${toPrintableLine(meant)}” for “${toPrintableLine(typed)}”?`);
  if (matches.lines.size === 0) {
    const id = toPrintableLine(head.session.nativeId);
    context.note(
      `recall: nothing in ${id} matches “${toPrintableLine(words)}”\n  try: fewer or different words, or leave out --match to read all of it`,
    );
    return false;
  }
  if (matches.isPartial)
    context.note('recall: no message contains all of the words; these contain some of them');
  return true;
}

function noteUnread(context: Context, unread: readonly Unread[]): void {
  const [first] = unread;
  if (first === undefined) return;
  const count = unread.reduce((sum, { calls }) => sum + calls, 0);
  const calls = formatNumbered(count, 'tool call');
  context.note(
    first.reason === 'off'
      ? 'recall: what tools were given and answered is not indexed, so only their names are shown\n  to index it: remove "done": false from config.json'
      : `recall: ${calls} could not be read in full: the transcript has changed or is gone, and no copy of it is kept`,
  );
}

const examples = `
Examples:
  recall show 1
  recall show 5b60eaeb --match "refresh token"
  recall show 5b60eaeb --around '#12' --tools
  recall show 1 --last 3 --tools=full
  recall show 1 --prompts
  recall show 1 --last 5 --role assistant
  recall show 1 --subagents --output session.html
  recall show 66c737db:12 --brief
  recall show 1 --json | jq -r '.messages[].text'`;
