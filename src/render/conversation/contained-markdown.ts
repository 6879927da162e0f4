// Puts foreign Markdown into a document of ours without letting it affect the rest of the document. Pure.

import MarkdownIt from 'markdown-it';
import { isTooLong } from './parse-markdown.ts';

/** Escapes prose so that no character has a meaning in Markdown or HTML. */
export function toEscaped(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|~#$&]/g, (character) => (character === '&' ? '&amp;' : `\\${character}`))
    .replace(/^([^\S\n]*)([-+=]|\d+[.)])(?=\s|$|-|=)/gm, (_, space: string, mark: string) =>
      /\d/.test(mark) ? `${space}${mark.slice(0, -1)}\\${mark.slice(-1)}` : `${space}\\${mark}`,
    );
}

/** With as many backticks as it needs. */
export function toInlineCode(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const ticks = '`'.repeat(longestRun(line, '`') + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${line}${space}${ticks}`;
}

export function toFenced(code: string, language: string): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(code, '`') + 1));
  return `${ticks}${/^[\w+#.-]{0,20}$/.test(language) ? language : ''}\n${code.replace(/\n$/, '')}\n${ticks}`;
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(new RegExp(`${character}+`, 'g')))
    longest = Math.max(longest, run.length);
  return longest;
}

const fence = /^(\s*(?:(?:[-*+>]|\d+[.)])\s+)*)(`{3,}|~{3,})(.*)$/;

/**
 * Line by line, because the text should stay as it was written:
 * 1. inside a fence nothing is changed, and a fence still open at the end is closed;
 * 2. headings go `levels` down, underlined ones become ordinary text;
 * 3. HTML is text, as everywhere else; so are link definitions, which would apply to the whole document;
 * 4. a parser has the last word: text that could still affect the document is shown as code.
 */
export function toContained(text: string, levels: number): string {
  if (isTooLong(text)) return toFenced(text, 'markdown');
  const lines: string[] = [];
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const [, , mark = '', info = ''] = fence.exec(line) ?? [];
    if (open !== null) {
      if (mark.startsWith(open) && info.trim() === '') open = null;
      lines.push(line);
    } else if (mark !== '' && !(mark.startsWith('`') && info.includes('`'))) {
      open = mark;
      lines.push(line);
    } else lines.push(toContainedLine(line, lines.at(-1) ?? '', levels));
  }
  if (open !== null) lines.push(open);
  const contained = lines.join('\n');
  return isContained(contained, levels) ? contained : toFenced(text, 'markdown');
}

function toContainedLine(line: string, before: string, levels: number): string {
  const [, start = '', marks = '', rest = ''] = /^(\s*(?:>\s*)*)(#{1,6})(?=\s|$)(.*)$/.exec(line) ?? [];
  if (marks !== '') return `${start}${'#'.repeat(Math.min(6, marks.length + levels))}${escapeHtml(rest)}`;
  if (/^\s*(=+|-+)\s*$/.test(line) && before.trim() !== '')
    return `\n${line.replace(/=/g, '-').trim().padEnd(3, '-')}`;
  const defined = line.replace(/^(\s{0,3}(?:>\s*)*)\[([^\]]*)\]:/, '$1\\[$2]:');
  return escapeHtml(defined);
}

/** Leaves inline code alone, where a backslash would show. */
function escapeHtml(line: string): string {
  return line
    .split(/(`+[^`]*`+)/)
    .map((piece, i) => (i % 2 === 1 ? piece : piece.replace(/<(?=[A-Za-z/!?])/g, '\\<')))
    .join('');
}

let reader: ReturnType<typeof makeReader> | null = null;

function makeReader() {
  return new MarkdownIt({ html: true });
}

/** No HTML, no heading as high as the document's own, no link definition, and what follows is not part of it. */
function isContained(text: string, levels: number): boolean {
  reader ??= makeReader();
  const references = {};
  const tokens = reader.parse(`${text}\n\n# after`, { references });
  const isOurs = (level: string) => Number(level.slice(1)) <= levels;
  const [open, words] = tokens.slice(-3);
  const isAfter = open?.type === 'heading_open' && open.level === 0 && words?.content === 'after';
  return (
    isAfter &&
    Object.keys(references).length === 0 &&
    tokens.slice(0, -3).every(({ type, tag, children }) => {
      if (type === 'html_block' || (type === 'heading_open' && isOurs(tag))) return false;
      return children?.every((child) => child.type !== 'html_inline') ?? true;
    })
  );
}
