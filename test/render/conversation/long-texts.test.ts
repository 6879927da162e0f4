// Whatever was pasted, the time to write any format grows linearly with the length: a pattern that is retried at each
// place of a run would take hours for these texts.

import { describe, expect, test } from 'vitest';
import type { ConversationPage, PageStart } from '../../../src/api/answers.ts';
import { formatBriefConversation } from '../../../src/render/brief/brief-conversation.ts';
import { buildCommandVoice } from '../../../src/render/brief/brief-sessions.ts';
import { HtmlPrinter } from '../../../src/render/conversation/html-printer.ts';
import { JsonPrinter } from '../../../src/render/conversation/json-printer.ts';
import { MarkdownPrinter } from '../../../src/render/conversation/markdown-printer.ts';
import { type Printer, printConversation } from '../../../src/render/conversation/printer.ts';
import { TerminalPrinter } from '../../../src/render/conversation/terminal-printer.ts';
import type { StoredMessage } from '../../../src/store/read/read-conversation.ts';
import { headOf, hit } from '../made-hits.ts';

const commandVoice = buildCommandVoice('');

const head = headOf(hit({}));

const terminal = {
  columns: 80,
  showsTools: true,
  showsRecaps: true,
  now: new Date(0),
  homeDir: '/home/u',
};
type ReadAll = () => AsyncIterable<ConversationPage>;
type Write = (readAll: ReadAll) => Promise<string>;

/** A printer writes one conversation. */
const toWrite =
  (make: () => Printer): Write =>
  async (readAll) => {
    const printed: string[] = [];
    for await (const piece of printConversation(make(), { head, start: {} as PageStart }, readAll))
      printed.push(piece);
    return printed.join('\n');
  };
const toMarkdown = toWrite(() => new MarkdownPrinter({ homeDir: '/home/u', showsTools: true }));

const formats: Readonly<Record<string, Write>> = {
  'a terminal': toWrite(() => new TerminalPrinter({ ...terminal, useColor: true, isDrawn: true, terms: [] })),
  'a pipe': toWrite(() => new TerminalPrinter({ ...terminal, useColor: false, isDrawn: false, terms: [] })),
  Markdown: toMarkdown,
  HTML: toWrite(() => new HtmlPrinter({ homeDir: '/home/u', terms: [] })),
  JSON: toWrite(() => new JsonPrinter(true)),
  'an agent': async (readAll) => (await formatBriefConversation(head, readAll(), commandVoice, 8000)).text,
};

const chars = 200_000;
const run = (text: string, length = chars) => text.repeat(Math.ceil(length / text.length));

const texts: Readonly<Record<string, string>> = {
  spaces: `a${run(' ')}b`,
  newlines: `a${run('\n')}b`,
  'empty lines of spaces': `a${run(' \n')}b`,
  letters: run('a'),
  'wide letters': run('中'),
  'accents alone': run('\u0301'),
  backticks: `a${run('`')}b`,
  'tildes that end in a backtick': `${run('~')}\``,
  'a fence and spaces': `~~~${run(' ')}\``,
  'a fence and letters': `~~~${run('a')}\``,
  pipes: run('|'),
  brackets: run('['),
  'brackets as Markdown': run('['),
  'pictures as Markdown': run('!['),
  'a table as Markdown': `|a|\n|-|\n${run('|a\n')}`,
  'backticks as Markdown': run('`a'),
};

function pageOf(role: StoredMessage['role'], text: string): ReadAll {
  const kind = role === 'user' ? 'prompt' : 'reply';
  const message = {
    id: 1,
    seq: 1,
    uuid: null,
    role,
    kind,
    timestamp: null,
    text,
    isSidechain: false,
  } as const;
  return async function* () {
    const part = { type: 'message', message, position: 1, isMatch: false } as const;
    yield { pieces: [{ type: 'part', part }], next: null, unread: null };
  };
}

describe.each(Object.entries(formats))('for %s', (_, write) => {
  test.each(Object.entries(texts))('%s', async (__, text) => {
    for (const role of ['user', 'assistant'] as const)
      expect((await write(pageOf(role, text))).length).toBeGreaterThan(0);
  });
});

test('an answer that is too long to parse as Markdown becomes code in the document', async () => {
  const shown = await toMarkdown(pageOf('assistant', `# high\n<b>\n${run('a ', 500_000)}`));
  expect(shown).toContain('\n```markdown\n# high\n<b>\na a');
  expect(shown.trimEnd().endsWith('\n```')).toBe(true);
});
