// Message text as HTML. Everything from a transcript is escaped here and never becomes markup: HTML in it is text, a link
// that does not lead to a page or to mail is text, an image is a link, and nothing is ever loaded.

import type { Term } from '../../search/query/parse-query.ts';
import { toPrintable } from '../../text/printable.ts';
import { toMarkedPieces } from '../../text/snippet.ts';
import { highlightCode } from './highlight-code.ts';
import { isTooLong, makeParser } from './parse-markdown.ts';
import { toTypedBlocks } from './typed-text.ts';

export function escapeHtml(text: string): string {
  return toPrintable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

export class HtmlText {
  private readonly terms: readonly Term[];
  private readonly markdown: ReturnType<typeof makeParser>;

  constructor(terms: readonly Term[]) {
    this.terms = terms;
    this.markdown = this.makeRenderer();
  }

  fromMarkdown(text: string): string {
    if (isTooLong(text)) return this.verbatim(text);
    return this.markdown.render(toPrintable(text)).trim();
  }

  /** As it was typed, except that fenced code is shown as code. */
  fromTyped(text: string): string {
    return toTypedBlocks(toPrintable(text))
      .map((block) => (block.isCode ? this.code(block.text, block.language) : this.verbatim(block.text)))
      .join('\n');
  }

  /** With matches marked. */
  marked(text: string): string {
    return toMarkedPieces(toPrintable(text), this.terms)
      .map((piece) => (piece.isMatch ? `<mark>${escapeHtml(piece.text)}</mark>` : escapeHtml(piece.text)))
      .join('');
  }

  private verbatim(text: string): string {
    return `<p class="typed">${this.marked(text)}</p>`;
  }

  private code(code: string, language: string): string {
    const text = toPrintable(code).replace(/\n$/, '');
    // Marks and colours would have to be nested; the matches matter more.
    const isMarked = toMarkedPieces(text, this.terms).some(({ isMatch }) => isMatch);
    const shown = (isMarked ? null : highlightCode(text, language)) ?? this.marked(text);
    const label = language === '' ? '' : ` data-language="${escapeHtml(language.slice(0, 20))}"`;
    return `<pre${label}><code>${shown}</code></pre>`;
  }

  private makeRenderer() {
    const made = makeParser();
    const { rules } = made.renderer;
    rules.text = (tokens, i) => this.marked(tokens[i]?.content ?? '');
    rules.text_special = rules.text;
    rules.code_inline = (tokens, i) => `<code>${this.marked(tokens[i]?.content ?? '')}</code>`;
    rules.code_block = (tokens, i) => `${this.code(tokens[i]?.content ?? '', '')}\n`;
    rules.fence = (tokens, i) => {
      const [language = ''] = (tokens[i]?.info ?? '').trim().split(/\s+/);
      return `${this.code(tokens[i]?.content ?? '', language)}\n`;
    };
    rules.link_open = (tokens, i) =>
      `<a href="${escapeHtml(String(tokens[i]?.attrGet('href') ?? ''))}" rel="noopener noreferrer nofollow">`;
    rules.image = (tokens, i) => {
      const token = tokens[i];
      const name = this.marked(token?.content || 'image');
      return `<a href="${escapeHtml(String(token?.attrGet('src') ?? ''))}" rel="noopener noreferrer nofollow">${name}</a>`;
    };
    // The page's own headings use the first levels, and its security policy forbids style attributes.
    rules.heading_open = (tokens, i) => `<h${toLevel(tokens[i]?.tag)}>`;
    rules.heading_close = (tokens, i) => `</h${toLevel(tokens[i]?.tag)}>\n`;
    for (const name of ['th', 'td'])
      rules[`${name}_open`] = (tokens, i) =>
        `<${name}${toAlignment(String(tokens[i]?.attrGet('style') ?? ''))}>`;
    rules.table_open = () => '<div class="scroll"><table>\n';
    rules.table_close = () => '</table></div>\n';
    return made;
  }
}

function toLevel(tag: string | undefined): number {
  return Math.min(6, (Number(tag?.slice(1)) || 1) + 2);
}

function toAlignment(style: string): string {
  const [, side = ''] = /text-align:(left|center|right)/.exec(style) ?? [];
  return side === '' ? '' : ` class="${side}"`;
}
