// Parses what the assistant wrote as Markdown. HTML in it is plain text, and only addresses that a browser opens as pages
// or as mail are links.

import MarkdownIt, { type Token } from 'markdown-it';
import { toPrintable } from '../../text/printable.ts';

/** A longer text is a pasted file rather than an answer: its marks would mean nothing and take long to parse. */
const maxChars = 300_000;

let parser: ReturnType<typeof makeParser> | null = null;

/** A tree of blocks; `tokens` of a leaf are its inline pieces. */
export interface Block {
  readonly token: Token;
  readonly blocks: readonly Block[];
}

export function isTooLong(text: string): boolean {
  return text.length > maxChars;
}

export function parseMarkdown(text: string): Block[] {
  parser ??= makeParser();
  return toBlocks(parser.parse(toPrintable(text), {}));
}

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

/** The parser returns a flat list of opening and closing tokens. */
function toBlocks(tokens: readonly Token[]): Block[] {
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
    blocks.push({ token, blocks: toBlocks(tokens.slice(i + 1, end - 1)) });
    i = end - 1;
  }
  return blocks;
}
