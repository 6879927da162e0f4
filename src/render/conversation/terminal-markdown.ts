// Markdown as lines for a terminal: headings, lists, code, quotes and tables. Without colour, the Markdown marks stay in
// place.

import type { Token } from 'markdown-it';
import { toPrintable } from '../../text/printable.ts';
import { type Colors, type Paint, toColors } from '../colors.ts';
import { widthOf } from '../columns.ts';
import { type Block, isTooLong, parseMarkdown } from './parse-markdown.ts';
import { asIs, type Span, wrapSpans } from './styled-text.ts';
import { type Cell, toTableLines } from './terminal-table.ts';

export interface TextStyle {
  readonly useColor: boolean;
  /** For prose. */
  readonly columns: number;
  /** For code and tables, which suffer more from being broken. */
  readonly wideColumns: number;
  /** Splits a text where matches start and end. */
  readonly mark: (text: string) => readonly { readonly text: string; readonly isMatch: boolean }[];
}

export function toMarkdownLines(text: string, style: TextStyle): string[] {
  if (isTooLong(text)) return toPlainLines(text, style);
  return new TerminalMarkdown(style).blocks(parseMarkdown(text), 0);
}

/** The text unchanged, but wrapped. */
export function toPlainLines(text: string, style: TextStyle): string[] {
  return wrapSpans(toMarkedSpans(toPrintable(text), asIs, style), style.columns);
}

export function toCodeLines(
  code: string,
  style: TextStyle,
  { indent = 0, margin = '  ', paint = toColors(style.useColor).green } = {},
): string[] {
  const spans = toMarkedSpans(toPrintable(code).replace(/\n$/, ''), paint, style);
  const lines = wrapSpans(spans, style.wideColumns - margin.length - indent);
  return lines.map((line) => (line === '' ? '' : `${margin}${line}`));
}

function toMarkedSpans(text: string, paint: Paint, { mark, useColor }: TextStyle): Span[] {
  const colors = toColors(useColor);
  const paintMatch: Paint = (match) => colors.inverse(colors.yellow(match));
  return mark(text).map((piece) => ({ text: piece.text, paint: piece.isMatch ? paintMatch : paint }));
}

class TerminalMarkdown {
  private readonly style: TextStyle;
  private readonly colors: Colors;

  constructor(style: TextStyle) {
    this.style = style;
    this.colors = toColors(style.useColor);
  }

  /** `indent` is the width of what the caller puts before the lines. */
  blocks(blocks: readonly Block[], indent: number): string[] {
    const lines: string[] = [];
    for (const [i, block] of blocks.entries()) {
      const isTight = block.token.hidden || (i > 0 && blocks[i - 1]?.token.hidden);
      if (i > 0 && !isTight) lines.push('');
      for (const line of this.block(block, indent)) lines.push(line);
    }
    return lines;
  }

  private block({ token, blocks }: Block, indent: number): string[] {
    switch (token.type) {
      case 'heading_open':
        return this.heading(token, blocks, indent);
      case 'bullet_list_open':
      case 'ordered_list_open':
        return this.list(token, blocks, indent);
      case 'blockquote_open':
        return this.blocks(blocks, indent + 2).map((line) => `${this.colors.dim('│')} ${line}`.trimEnd());
      case 'fence':
      case 'code_block':
        return toCodeLines(token.content, this.style, { indent });
      case 'hr':
        return [this.colors.dim('─'.repeat(Math.max(3, Math.min(40, this.style.columns - indent))))];
      case 'table_open':
        return this.table(blocks, indent);
      case 'inline':
        return wrapSpans(this.inline(token.children ?? [], asIs), this.style.columns - indent);
      default:
        return blocks.length > 0 ? this.blocks(blocks, indent) : this.leaf(token, indent);
    }
  }

  private leaf(token: Token, indent: number): string[] {
    const spans = toMarkedSpans(toPrintable(token.content), asIs, this.style);
    return token.content === '' ? [] : wrapSpans(spans, this.style.columns - indent);
  }

  private heading(token: Token, blocks: readonly Block[], indent: number): string[] {
    const level = Number(token.tag.slice(1)) || 1;
    const paint: Paint = (text) =>
      level === 1 ? this.colors.bold(this.colors.underline(text)) : this.colors.bold(text);
    const mark = this.style.useColor ? [] : [{ text: `${'#'.repeat(level)} `, paint: asIs }];
    const children = blocks.flatMap((block) => block.token.children ?? []);
    return wrapSpans([...mark, ...this.inline(children, paint)], this.style.columns - indent);
  }

  private list(token: Token, items: readonly Block[], indent: number): string[] {
    const first = Number(token.attrGet('start') ?? 1);
    const isOrdered = token.type === 'ordered_list_open';
    const widest = isOrdered ? `${first + items.length - 1}. `.length : 2;
    return items.flatMap((item, i) => {
      const marker = isOrdered ? `${first + i}. `.padStart(widest) : '• ';
      const lines = this.blocks(item.blocks, indent + widest);
      const text = (lines.length === 0 ? [''] : lines).map((line, n) =>
        `${n === 0 ? this.colors.cyan(marker) : line === '' ? '' : ' '.repeat(widest)}${line}`.trimEnd(),
      );
      const isLoose = item.blocks.some(
        (block) => block.token.type === 'paragraph_open' && !block.token.hidden,
      );
      return isLoose && i > 0 ? ['', ...text] : text;
    });
  }

  private table(blocks: readonly Block[], indent: number): string[] {
    const rows = blocks.flatMap((section) => section.blocks);
    const cells = rows.map((row) =>
      row.blocks.map((cell): Cell => {
        const spans = cell.blocks.flatMap(({ token }) => this.inline(token.children ?? [], asIs));
        const width = widthOf(spans.map(({ text }) => text).join(''));
        return { spans, width, isRight: /right/.test(String(cell.token.attrGet('style') ?? '')) };
      }),
    );
    return toTableLines(cells, this.style.wideColumns - indent, this.colors);
  }

  private inline(tokens: readonly Token[], base: Paint): Span[] {
    const spans: Span[] = [];
    const paints: Paint[] = [base];
    const { useColor } = this.style;
    const add = (text: string, paint = paints.at(-1) ?? base) => {
      for (const span of toMarkedSpans(toPrintable(text), paint, this.style)) spans.push(span);
    };
    const within = (paint: Paint, mark: string) => {
      const outer = paints.at(-1) ?? base;
      if (!useColor) add(mark);
      paints.push((text) => paint(outer(text)));
    };
    const close = (mark: string) => {
      paints.pop();
      if (!useColor) add(mark);
    };
    let address = '';
    let linkFrom = 0;
    for (const token of tokens) {
      switch (token.type) {
        case 'strong_open':
          within(this.colors.bold, token.markup);
          break;
        case 'em_open':
          within(this.colors.italic, token.markup);
          break;
        case 's_open':
          within(this.colors.dim, token.markup);
          break;
        case 'strong_close':
        case 'em_close':
        case 's_close':
          close(token.markup);
          break;
        case 'code_inline':
          if (useColor) add(token.content, (text) => this.colors.cyan(base(text)));
          else add(`${token.markup}${token.content}${token.markup}`);
          break;
        case 'link_open':
          address = String(token.attrGet('href') ?? '');
          linkFrom = spans.length;
          within(this.colors.underline, '');
          break;
        case 'link_close': {
          close('');
          const shown = spans
            .slice(linkFrom)
            .map(({ text }) => text)
            .join('');
          if (address !== '' && address !== shown && decode(address) !== shown)
            add(` (${address})`, this.colors.dim);
          break;
        }
        case 'image':
          add(`${token.content || 'image'} (${token.attrGet('src') ?? ''})`);
          break;
        case 'softbreak':
        case 'hardbreak':
          spans.push({ text: '\n', paint: asIs });
          break;
        default:
          add(token.content);
      }
    }
    return spans;
  }
}

function decode(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}
