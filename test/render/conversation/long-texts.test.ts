// Whatever was pasted, every format is written in time that grows with its length: a pattern that is tried anew at each
// place of a run would take hours for these.

import { describe, expect, test } from 'vitest';
import { BriefPrinter } from '../../../src/render/brief/brief-printer.ts';
import { toCommandVoice } from '../../../src/render/brief/voice.ts';
import { HtmlPrinter } from '../../../src/render/conversation/html-printer.ts';
import { JsonPrinter } from '../../../src/render/conversation/json-printer.ts';
import { MarkdownPrinter } from '../../../src/render/conversation/markdown-printer.ts';
import type { Printer } from '../../../src/render/conversation/printer.ts';
import { TerminalPrinter } from '../../../src/render/conversation/terminal-printer.ts';
import type { StoredMessage } from '../../../src/store/read/read-conversation.ts';
import { headOf, hit } from '../made-hits.ts';

const commandVoice = toCommandVoice('');

const head = headOf(hit({}).session);

const terminal = {
  columns: 80,
  showsTools: true,
  showsRecaps: true,
  now: new Date(0),
  homeDir: '/home/u',
  isDirectory: () => true,
};
const printers: Readonly<Record<string, () => Printer>> = {
  'a terminal': () => new TerminalPrinter({ ...terminal, useColor: true, isDrawn: true, terms: [] }),
  'a pipe': () => new TerminalPrinter({ ...terminal, useColor: false, isDrawn: false, terms: [] }),
  Markdown: () => new MarkdownPrinter({ homeDir: '/home/u', isDirectory: () => true, showsTools: true }),
  HTML: () => new HtmlPrinter({ homeDir: '/home/u', isDirectory: () => true, terms: [] }),
  JSON: () => new JsonPrinter({ listsSubagents: true, countCopies: () => 0, isDirectory: () => true }),
  'an agent': () => new BriefPrinter(commandVoice, 8000),
};

const chars = 1_000_000;
/** As long as what is still read as Markdown. */
const markdownChars = 290_000;
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
  'brackets as Markdown': run('[', markdownChars),
  'pictures as Markdown': run('![', markdownChars),
  'a table as Markdown': `|a|\n|-|\n${run('|a\n', markdownChars)}`,
  'backticks as Markdown': run('`a', markdownChars),
};

function print(printer: Printer, role: StoredMessage['role'], text: string): string {
  const kind = role === 'user' ? 'prompt' : 'reply';
  const message = { id: 1, seq: 1, uuid: null, role, kind, timestamp: null, text, isSidechain: 0 } as const;
  const pieces = [printer.begin(head)];
  pieces.push(printer.part({ type: 'message', message, position: 1, isMatch: false }));
  pieces.push(printer.end());
  return pieces.join('\n');
}

describe.each(Object.entries(printers))('for %s', (_, make) => {
  test.each(Object.entries(texts))('%s', (__, text) => {
    for (const role of ['user', 'assistant'] as const)
      expect(print(make(), role, text).length).toBeGreaterThan(0);
  });
});

test('an answer too long to be read as Markdown is code in a document', () => {
  const shown = print(printers.Markdown?.() as Printer, 'assistant', `# high\n<b>\n${run('a ')}`);
  expect(shown).toContain('\n```markdown\n# high\n<b>\na a');
  expect(shown.trimEnd().endsWith('\n```')).toBe(true);
});
