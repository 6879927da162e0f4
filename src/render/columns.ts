// Fits text into terminal columns; an East Asian character takes two.

import { eastAsianWidth } from 'get-east-asian-width';
import { toClusters } from '../text/clusters.ts';

/** Latin letters, ordinary punctuation, arrows and box drawing: one column each, and most text is nothing else. */
const simple =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u2199\u2500-\u257f]*$/;

export function widthOf(text: string): number {
  if (simple.test(text)) return text.length;
  let width = 0;
  for (const cluster of toClusters(text)) width += widthOfCluster(cluster);
  return width;
}

/** Cuts to at most `columns`, with an ellipsis where text was lost. */
export function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns <= 1) return columns === 1 ? '…' : '';
  if (simple.test(text)) return `${text.slice(0, columns - 1).trimEnd()}…`;
  let kept = '';
  let width = 0;
  for (const cluster of toClusters(text)) {
    width += widthOfCluster(cluster);
    if (width > columns - 1) break;
    kept += cluster;
  }
  return `${kept.trimEnd()}…`;
}

/** Breaks lines between words; a word longer than a line is cut. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => clip(each, columns));
}

/** Like `clip`, but keeps the end. */
export function clipStart(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const cluster of toClusters(text).reverse()) {
    width += widthOfCluster(cluster);
    if (width > columns - 1) break;
    kept = cluster + kept;
  }
  return columns < 1 ? '' : `…${kept.trimStart()}`;
}

/** The end of a path, which says more than its start, cut between two components. */
export function clipPath(text: string, columns: number): string {
  const kept = clipStart(text, columns);
  if (kept === text) return text;
  // Unless not even the last component fits.
  const whole = kept.search(/[\\/]/);
  return whole > 1 ? `…${kept.slice(whole)}` : kept;
}

/** For a pipe, in which nothing is cut: whoever reads it knows how much they want. */
export const uncutColumns = 10_000;

/** Adds spaces at the end, up to `columns`. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/**
 * Cuts wherever a line is full. `used` columns of the first line are already taken, so its part may be empty; every
 * other part has at least one character.
 */
export function cutToColumns(text: string, columns: number, used: number): string[] {
  const isSimple = simple.test(text);
  if (isSimple && used + text.length <= columns) return [text];
  if (isSimple) {
    const parts = [text.slice(0, Math.max(0, columns - used))];
    for (let at = parts[0]?.length ?? 0; at < text.length; at += columns)
      parts.push(text.slice(at, at + columns));
    return parts;
  }
  const parts: string[] = [];
  let part = '';
  let width = used;
  for (const cluster of toClusters(text)) {
    const more = widthOfCluster(cluster);
    if (width > 0 && width + more > columns) {
      parts.push(part);
      part = '';
      width = 0;
    }
    part += cluster;
    width += more;
  }
  return [...parts, part];
}

/** Before a selector, a joiner or a keycap, even a plain character may be drawn as an emoji, which takes two. */
const emojiMark = /[\u200d\u20e3\ufe0f]/;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;
const spacingMark = /^\p{Mc}$/u;

function widthOfCluster(cluster: string): number {
  let base: number | undefined;
  let marks = 0;
  for (const character of cluster) {
    const width = eastAsianWidth(character.codePointAt(0) ?? 0);
    if (spacingMark.test(character)) marks += width;
    else if (!invisible.test(character)) base ??= emojiMark.test(cluster) ? 2 : width;
  }
  return (base ?? 0) + marks;
}
