// What the assistant wrote, as Markdown: parsed, and as lines for a terminal. HTML in it is plain text, and only addresses
// that a browser opens as pages or as mail are links. Without colour, the Markdown marks stay in place.

import MarkdownIt, { type Token } from 'markdown-it';
import { toPrintable } from '../../text/printable.ts';
import { asIs, type Colors, chooseColors, type Paint, type PaintedText, wrapSpans } from '../colors.ts';
import { widthOf } from '../columns.ts';

/** A tree of blocks; the children of a leaf's token are its inline pieces. */
interface Block {
  readonly token: Token;
  readonly blocks: readonly Block[];
}

/** A longer text is a pasted file rather than an answer: its marks would mean nothing and take long to parse. */
export function isTooLong(text: string): boolean {
  return text.length > 300_000;
}

let parser: ReturnType<typeof makeParser> | null = null;

/** Each caller has a parser of its own, because it may change the rendering rules. */
export function makeParser() {
  const made = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false });
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  made.validateLink = isSafeLink;
  return made;
}

export function isSafeLink(address: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(address.trim());
}

function buildBlocks(tokens: readonly Token[]): Block[] {
  const blocks: Block[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    if (token.nesting <= 0) {
      blocks.push({ token, blocks: [] });
      continue;
    }
    let depth = 1;
    let end = i + 1;
    for (; end < tokens.length && depth > 0; end++) depth += tokens[end]?.nesting ?? 0;
    blocks.push({ token, blocks: buildBlocks(tokens.slice(i + 1, end - 1)) });
    i = end - 1;
  }
  return blocks;
}

export interface TextStyle {
  readonly useColor: boolean;
  readonly columns: number;
  /** For code and tables, which suffer more from being broken. */
  readonly wideColumns: number;
  /** Splits a text where matches start and end. */
  readonly mark: (text: string) => readonly { readonly text: string; readonly isMatch: boolean }[];
}

export function formatMarkdownLines(text: string, style: TextStyle): string[] {
  if (isTooLong(text)) return formatPlainLines(text, style);
  parser ??= makeParser();
  return new TerminalMarkdown(style).blocks(buildBlocks(parser.parse(toPrintable(text), {})), 0);
}

export function formatPlainLines(text: string, style: TextStyle): string[] {
  return wrapSpans(markSpans(toPrintable(text), asIs, style), style.columns);
}

export function formatCodeLines(
  code: string,
  style: TextStyle,
  { indent = 0, margin = '  ', paint = chooseColors(style.useColor).green } = {},
): string[] {
  const spans = markSpans(toPrintable(code).replace(/\n$/, ''), paint, style);
  const lines = wrapSpans(spans, style.wideColumns - margin.length - indent);
  return lines.map((line) => (line === '' ? '' : `${margin}${line}`));
}

function markSpans(text: string, paint: Paint, { mark, useColor }: TextStyle): PaintedText[] {
  const colors = chooseColors(useColor);
  const paintMatch: Paint = (match) => colors.inverse(colors.yellow(match));
  return mark(text).map((piece) => ({ text: piece.text, paint: piece.isMatch ? paintMatch : paint }));
}

class TerminalMarkdown {
  private readonly style: TextStyle;
  private readonly colors: Colors;

  constructor(style: TextStyle) {
    this.style = style;
    this.colors = chooseColors(style.useColor);
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
        return formatCodeLines(token.content, this.style, { indent });
      case 'hr':
        return [this.colors.dim('─'.repeat(Math.max(3, Math.min(40, this.style.columns - indent))))];
      case 'table_open':
        return this.table(blocks, indent);
      case 'inline':
        return wrapSpans(this.inline(token.children ?? [], asIs), this.style.columns - indent);
      default: {
        if (blocks.length > 0 || token.content === '') return this.blocks(blocks, indent);
        const spans = markSpans(toPrintable(token.content), asIs, this.style);
        return wrapSpans(spans, this.style.columns - indent);
      }
    }
  }

  private heading(token: Token, blocks: readonly Block[], indent: number): string[] {
    const level = Number(token.tag.slice(1)) || 1;
    const { bold, underline } = this.colors;
    const paint: Paint = (text) => bold(level === 1 ? underline(text) : text);
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
        const width = widthOf(joinSpans(spans));
        return { spans, width, isRight: /right/.test(String(cell.token.attrGet('style') ?? '')) };
      }),
    );
    return formatTableLines(cells, this.style.wideColumns - indent, this.colors);
  }

  private inline(tokens: readonly Token[], base: Paint): PaintedText[] {
    const spans: PaintedText[] = [];
    const paints: Paint[] = [base];
    const { useColor } = this.style;
    const add = (text: string, paint = paints.at(-1) ?? base) => {
      for (const span of markSpans(toPrintable(text), paint, this.style)) spans.push(span);
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
    const { bold, italic, dim, cyan, underline } = this.colors;
    for (const token of tokens) {
      switch (token.type) {
        case 'strong_open':
        case 'em_open':
        case 's_open':
          within({ strong_open: bold, em_open: italic, s_open: dim }[token.type], token.markup);
          break;
        case 'strong_close':
        case 'em_close':
        case 's_close':
          close(token.markup);
          break;
        case 'code_inline':
          if (useColor) add(token.content, (text) => cyan(base(text)));
          else add(`${token.markup}${token.content}${token.markup}`);
          break;
        case 'link_open':
          address = String(token.attrGet('href') ?? '');
          linkFrom = spans.length;
          within(underline, '');
          break;
        case 'link_close': {
          close('');
          const shown = joinSpans(spans.slice(linkFrom));
          if (address !== '' && address !== shown && decode(address) !== shown) add(` (${address})`, dim);
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

function joinSpans(spans: readonly PaintedText[]): string {
  return spans.map(({ text }) => text).join('');
}

function decode(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

interface Cell {
  readonly spans: readonly PaintedText[];
  readonly width: number;
  readonly isRight: boolean;
}

const between = '  ';

/** Columns side by side if they fit, otherwise each row as a list of labelled values. The first row has the column names. */
function formatTableLines(rows: readonly (readonly Cell[])[], columns: number, colors: Colors): string[] {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.width ?? 0), 1),
  );
  const total = widths.reduce((sum, width) => sum + width, 0) + between.length * (widths.length - 1);
  if (total > columns) return formatRowsAsLists(rows, columns, colors);
  const formatRow = (row: readonly Cell[]) =>
    widths
      .map((width, i) => {
        const cell = row[i];
        const text = (cell?.spans ?? []).map((span) => span.paint(span.text)).join('');
        const room = ' '.repeat(width - (cell?.width ?? 0));
        return cell?.isRight ? room + text : text + room;
      })
      .join(between)
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join(between);
  return [colors.bold(formatRow(head)), colors.dim(rule), ...body.map(formatRow)];
}

function formatRowsAsLists(
  [head = [], ...body]: readonly (readonly Cell[])[],
  columns: number,
  { bold }: Colors,
) {
  return body.flatMap((row, i) => {
    const lines = row.flatMap((cell, column) => {
      const label = joinSpans(head[column]?.spans ?? []);
      const name: PaintedText[] = label === '' ? [] : [{ text: `${label}: `, paint: bold }];
      if (cell.width === 0) return [];
      const [first = '', ...rest] = wrapSpans([...name, ...cell.spans], columns - 2);
      return [column === 0 ? first : `  ${first}`, ...rest.map((line) => `  ${line}`)];
    });
    return i === 0 ? lines : ['', ...lines];
  });
}
