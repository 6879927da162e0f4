// Fits text into terminal columns, where an East Asian character takes two. Node's own segmenter takes tens of milliseconds to
// load, as long as the search itself, so characters that belong together are told by simple rules; where these are
// wrong, a line comes out shorter than it could be.

import { eastAsianWidth } from 'get-east-asian-width';

/** Latin letters, ordinary punctuation, arrows and box drawing: one column each, and most of all text. */
const simple =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u2199\u2500-\u257f]*$/;

export function widthOf(text: string): number {
  if (simple.test(text)) return text.length;
  let width = 0;
  for (const cluster of toClusters(text)) width += widthOfCluster(cluster);
  return width;
}

/** Cut to at most `columns`, with an ellipsis where something was lost. */
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

/** Broken between words; a word longer than a line is cut. */
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

/** The same for paths, whose end says more than their beginning. */
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

/** With spaces after it up to `columns`. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/**
 * Cut where a line is full. `used` columns of the first line are taken already, so its part may be empty; every other
 * has at least one character.
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

/** Marks, joiners, variation selectors and skin tones stand with the character before them. */
const extending = /^(?:\p{M}|\p{Cf}|[\u{1f3fb}-\u{1f3ff}])$/u;
const joiner = '\u200d';

function toClusters(text: string): string[] {
  const clusters: string[] = [];
  let before = '';
  for (const character of text) {
    if (before !== '' && (before === joiner || extending.test(character)))
      clusters[clusters.length - 1] += character;
    else clusters.push(character);
    before = character;
  }
  return clusters;
}

/** Everything that is drawn as a picture takes two, also what is only so by a selector after it. */
function widthOfCluster(cluster: string): number {
  if (cluster.includes('\ufe0f')) return 2;
  let width = 0;
  for (const character of cluster) {
    const isOwn = width === 0 && !extending.test(character) && !/\p{Cc}/u.test(character);
    if (isOwn || /\p{Mc}/u.test(character)) width += eastAsianWidth(character.codePointAt(0) ?? 0);
  }
  return width;
}
