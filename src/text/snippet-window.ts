// How far a snippet extends on both sides of what it has to show: as far as there is room, then back to a
// good place to cut the text.

import { toClusters } from './clusters.ts';
import { toPattern } from './patterns.ts';

/** Columns or characters that one cluster takes. */
export type Measure = (cluster: string) => number;

export interface Window {
  readonly from: number;
  readonly to: number;
}

/**
 * The most to give up for a good place to cut; if there is none this close, the cut is between any two
 * characters.
 */
const maxLoss = 20;

/** A third of the room goes before, the rest after, and each side gets what the other does not need. */
export function widen(text: string, { from, to }: Window, room: number, measure: Measure): Window {
  const before = reach(toBefore(text, from, room), room, measure);
  const after = reach(toAfter(text, to, room), room, measure);
  const share = Math.max(Math.floor(room / 3), room - after.width);
  const left = cut(before, share, from, (length) => gradeCut(text, from - length));
  const right = cut(after, room - left.width, text.length - to, (length) => gradeCut(text, to + length));
  return trim(text, { from: from - left.length, to: to + right.length }, { from, to });
}

/** How many characters fit, for a text that is too long to show as a whole. */
export function countFitting(text: string, room: number, measure: Measure): number {
  return reach(toAfter(text, 0, room), room, measure).length;
}

/** One column each, and nothing to look at one by one. */
const plain = /^[!-~\s]*$/;

/** How wide a text is on one line, where a run of spaces counts as one. */
export function widthInLine(text: string, measure: Measure): number {
  if (plain.test(text)) return text.replace(/\s+/g, ' ').length;
  let width = 0;
  for (const { width: more } of toSteps(toClusters(text), measure)) width += more;
  return width;
}

interface Step {
  /** Characters. */
  readonly length: number;
  readonly width: number;
}

interface Reach extends Step {
  /** Outwards from the part that is shown. */
  readonly steps: readonly Step[];
}

/** A cluster may have many characters, but filling a line never takes more than this. */
const charsPerColumn = 2;

function toBefore(text: string, from: number, room: number): string[] {
  const start = Math.max(0, from - room * charsPerColumn - maxLoss);
  const clusters = toClusters(text.slice(start, from));
  // This slice may have cut the first cluster.
  return (start > 0 ? clusters.slice(1) : clusters).reverse();
}

function toAfter(text: string, to: number, room: number): string[] {
  const end = Math.min(text.length, to + room * charsPerColumn + maxLoss);
  const clusters = toClusters(text.slice(to, end));
  return end < text.length ? clusters.slice(0, -1) : clusters;
}

function reach(clusters: readonly string[], room: number, measure: Measure): Reach {
  const steps: Step[] = [];
  let width = 0;
  let length = 0;
  for (const step of toSteps(clusters, measure)) {
    if (width + step.width > room) break;
    steps.push(step);
    width += step.width;
    length += step.length;
  }
  return { steps, width, length };
}

function toSteps(clusters: readonly string[], measure: Measure): Step[] {
  let wasSpace = false;
  return clusters.map((cluster) => {
    const isPlain = cluster > ' ' && cluster <= '~' && cluster.length === 1;
    const isSpace = !isPlain && /^\s$/.test(cluster);
    const width = isSpace && wasSpace ? 0 : isPlain || isSpace ? 1 : measure(cluster);
    wasSpace = isSpace;
    return { length: cluster.length, width };
  });
}

/**
 * The longest part within `room` that ends at a good place to cut, unless that loses too much; everything if
 * it fits.
 */
function cut({ steps }: Reach, room: number, all: number, gradeAfter: (length: number) => Grade): Step {
  let most: Step = { length: 0, width: 0 };
  const places = [most];
  for (const step of steps) {
    if (most.width + step.width > room) break;
    most = { length: most.length + step.length, width: most.width + step.width };
    places.push(most);
  }
  if (most.length === all) return most;
  let fair: Step | null = null;
  for (const place of places.reverse()) {
    if (most.width - place.width > maxLoss) break;
    const grade = gradeAfter(place.length);
    if (grade === 'good') return place;
    if (grade === 'fair') fair ??= place;
  }
  return fair ?? most;
}

type Grade = 'good' | 'fair' | 'inside';

/** Scripts without spaces, and their punctuation. */
const unspaced = toPattern(
  /(?!)/,
  () => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fc\uff00-\uff60]/u,
);

/** These stay with the character before them. */
const closing = /[、。〉》」』】〕）］｝，．：；！？]/;
const inWord = toPattern(/[A-Za-z0-9_]/, () => /[\p{L}\p{N}\p{M}_]/u);

/**
 * Good: at a space, after a path separator, next to a character of a script without spaces. Fair: after any
 * other sign.
 */
function gradeCut(text: string, at: number): Grade {
  const before = toCharacterBefore(text, at);
  const after = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (closing.test(after)) return 'inside';
  const beside = before + after;
  if (/[\s/\\]/.test(before) || /\s/.test(after) || unspaced(beside).test(beside)) return 'good';
  return inWord(before).test(before) ? 'inside' : 'fair';
}

function toCharacterBefore(text: string, at: number): string {
  return [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
}

/** Drops the spaces at the cuts. */
function trim(text: string, window: Window, kept: Window): Window {
  let { from, to } = window;
  if (from > 0) while (from < kept.from && /\s/.test(text.charAt(from))) from++;
  if (to < text.length) while (to > kept.to && /\s/.test(text.charAt(to - 1))) to--;
  return { from, to };
}
