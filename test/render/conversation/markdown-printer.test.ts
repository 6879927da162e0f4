// Foreign text cannot break the document that contains it, whatever it is.

import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import {
  containMarkdown,
  escapeMarkdown,
  fenceCode,
  formatInlineCode,
} from '../../../src/render/conversation/markdown-printer.ts';

const reader = new MarkdownIt({ html: true });

const pieces = fc.constantFrom(
  '# ',
  '## x\n',
  'a\n===\n',
  'b\n---\n',
  '> # q\n',
  '- # l\n',
  '1. ',
  '```',
  '````\n',
  '~~~\n',
  '```js\n',
  '`',
  '``',
  '<script>alert(1)</script>',
  '<!--',
  '-->',
  '</details>\n',
  '<![CDATA[',
  '<?php',
  '[x]: http://evil.example\n',
  '[x]',
  '\n',
  '\n\n',
  '    ',
  '\t',
  '\\',
  '|a|\n|-|\n',
  'word ',
  '&lt;',
  '* * *\n',
);
const anyMarkdown = fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join(''));

/** The headings of the document, and whether any HTML is left in it. */
function read(document: string) {
  const tokens = reader.parse(document, {});
  const flat = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
  return {
    headings: tokens.flatMap((token, i) =>
      token.type === 'heading_open' && Number(token.tag.slice(1)) <= 2
        ? [`${token.tag} ${tokens[i + 1]?.content}`]
        : [],
    ),
    html: flat.filter(({ type }) => type.startsWith('html_')).map(({ content }) => content),
  };
}

describe('any text', () => {
  test.each([
    ['an answer', (text: string) => containMarkdown(text, 2)],
    ['a fenced text', (text: string) => fenceCode(text, 'js')],
    ['an escaped line', (text: string) => escapeMarkdown(text.replace(/\s+/g, ' ').trim())],
    ['inline code', (text: string) => formatInlineCode(text.trim() || 'x')],
  ])('as %s leaves the document as it is', (_, toText) => {
    fc.assert(
      fc.property(anyMarkdown, (text) => {
        const { headings, html } = read(`# title\n\n## you\n\n${toText(text)}\n\n## claude\n\nend`);
        expect(headings).toEqual(['h1 title', 'h2 you', 'h2 claude']);
        expect(html).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test('an escaped line renders as the original text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const line = text.replace(/\s+/g, ' ').trim();
        const [, inline] = reader.parse(`x${escapeMarkdown(line)}`, {});
        const shown = (inline?.children ?? []).map((child) => child.content).join('');
        expect(shown).toBe(`x${line}`);
      }),
    );
  });
});

test('harmless text stays as it was written', () => {
  const text = 'Use `Array<string>`:\n\n```html\n<b># no heading</b>\n```\n\n- one\n- two';
  expect(containMarkdown(text, 2)).toBe(text);
});

test('headings go down, HTML becomes text, a fence left open is closed', () => {
  expect(containMarkdown('# Plan\n\n<div>x</div>\n\n```sh\nls', 2)).toBe(
    '### Plan\n\n\\<div>x\\</div>\n\n```sh\nls\n```',
  );
});
