// No text from a transcript becomes markup, whatever it is.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HtmlPrinter, HtmlText } from '../../../src/render/conversation/html-printer.ts';
import { parseQuery } from '../../../src/search/query/parse-query.ts';
import { anyText, headOf, hit } from '../made-hits.ts';

const plain = new HtmlText([]);
const marking = new HtmlText(parseQuery('redis alert').terms);

const attack = fc.constantFrom(
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</style>',
  '</code></pre><b>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&#58;alert(1))',
  '[x](data:text/html,<script>)',
  '[x](vbscript:x)',
  '[x](https://a.example "t\\" onclick=alert(1)")',
  '![x](https://a.example/x.png)',
  '![x](javascript:alert(1))',
  '<https://a.example/"onclick=x>',
  '<javascript:alert(1)>',
  '```"><script>\nredis\n```',
  '```html\n<script>redis</script>\n```',
  '`````',
  '~~~',
  '|a|b|\n|:-|-:|\n|<b>|`|`|\n',
  '&lt;script&gt;',
  '&#60;script&#62;',
  '\n\n',
  '    <b>',
  '# <i>\n',
  '- ',
  '> ',
);
const anyAttack = fc.array(fc.oneof(attack, anyText), { maxLength: 12 }).map((pieces) => pieces.join(''));

const tags =
  /^<(?:\/?(?:p|ul|ol|li|pre|code|em|strong|s|blockquote|h[3-6]|table|thead|tbody|tr|th|td|div|mark|span|a)|br|hr)(?: [^<>]*)?>$/;
const attributes =
  /^(?: (?:class="(?:typed|scroll|left|right|center|hljs-[\w-]+(?: [\w-]+)*|language-\w+)"|start="\d+"|tabindex="0"|data-language="[^"<>]*"|href="(?:https?:\/\/|mailto:)[^"<>]*"|rel="noopener noreferrer nofollow"))*$/i;

/** Every tag and every attribute is one of ours. */
function expectSafe(html: string): void {
  for (const [tag] of html.matchAll(/<[^>]*>?/g)) {
    expect(tag).toMatch(tags);
    expect(tag.replace(/^<\/?\w+/, '').replace(/>$/, '')).toMatch(attributes);
  }
}

describe('any text', () => {
  test.each([
    ['Markdown', (text: string) => plain.fromMarkdown(text)],
    ['Markdown with matches', (text: string) => marking.fromMarkdown(text)],
    ['typed text', (text: string) => marking.fromTyped(text)],
  ])('as %s makes no markup of its own', (_, toHtml) => {
    fc.assert(
      fc.property(anyAttack, (text) => expectSafe(toHtml(text))),
      { numRuns: 400 },
    );
  });
});

describe('Markdown', () => {
  test('links lead to pages and mail only', () => {
    expect(plain.fromMarkdown('[a](https://a.example) [b](mailto:b@c.example)')).toBe(
      '<p><a href="https://a.example" rel="noopener noreferrer nofollow">a</a> <a href="mailto:b@c.example" rel="noopener noreferrer nofollow">b</a></p>',
    );
    for (const address of ['javascript:x', 'file:///etc/passwd', 'data:text/html,x', '//a.example', '#m1'])
      expect(plain.fromMarkdown(`[a](${address})`)).toBe(`<p>[a](${address})</p>`);
  });

  test('an image is a link', () => {
    expect(plain.fromMarkdown('![chart](https://a.example/x.png)')).toContain(
      '<a href="https://a.example/x.png" rel="noopener noreferrer nofollow">chart</a>',
    );
  });

  test('code is coloured, or marked if it matches', () => {
    const code = '```ts\nconst x = "redis";\n```';
    expect(plain.fromMarkdown(code)).toContain('<span class="hljs-keyword">const</span>');
    expect(marking.fromMarkdown(code)).toContain('&quot;<mark>redis</mark>&quot;');
  });

  test('what was typed stays as it was typed', () => {
    expect(plain.fromTyped('see __init__.py\n  and *.ts')).toBe(
      '<p class="typed">see __init__.py\n  and *.ts</p>',
    );
  });
});

test('the policy of the page allows its own style and nothing else, and comes before any text', () => {
  const page = new HtmlPrinter({ homeDir: '/home/u', terms: [] }).begin(headOf(hit({ title: 'a title' })));
  const [, before = '', policy = ''] =
    /^(.*?)<meta http-equiv="Content-Security-Policy" content="([^"]*)">/s.exec(page) ?? [];
  expect(before).toBe('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n');
  const [style, ...furtherStyles] = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => text);
  expect(furtherStyles).toEqual([]);
  const hash = createHash('sha256')
    .update(style ?? '')
    .digest('base64');
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/));
  expect(directives.toSorted()).toEqual([
    ['base-uri', "'none'"],
    ['default-src', "'none'"],
    ['form-action', "'none'"],
    ['style-src', `'sha256-${hash}'`],
  ]);
  expect(page).toContain('<meta name="referrer" content="no-referrer">');
});
