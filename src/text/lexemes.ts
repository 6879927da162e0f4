// Text → the words by which PostgreSQL finds it: those that FTS5 finds, each with its places, as the text of a tsvector. Texts
// and queries are split here alike.

import { fold, toPattern } from './word-parts.ts';
import { toSearchable } from './words.ts';

/** An accent of its own belongs to the letter before it, and is left out. */
const token = toPattern(/[A-Za-z0-9]+/g, () => /[\p{L}\p{N}\p{Co}](?:[\p{L}\p{N}\p{Co}]|[\u0300-\u036f])*/gu);
const accents = /[\u0300-\u036f]/g;
/** PostgreSQL takes up to 2046 bytes. */
const maxTokenChars = 400;

export function toTokens(text: string): string[] {
  return (text.match(token(text)) ?? []).map((word) =>
    fold(word).replace(accents, '').slice(0, maxTokenChars).toWellFormed(),
  );
}

/** What PostgreSQL can tell apart, and what one vector may take. A word beyond is found, a phrase is not. */
const lastPlace = 16_383;
const maxPlaces = 255;
const maxBytes = 900_000;
/** So that no phrase spans two of the texts. */
const gap = 40;

/** `parts` are those of identifiers, which count less. */
export function toVector(texts: readonly string[], parts: string): string {
  const places = new Map<string, string[]>();
  let [place, bytes] = [0, 0];
  const add = (text: string, weight: string) => {
    for (const word of toTokens(text)) {
      place++;
      let known = places.get(word);
      if (known === undefined) {
        bytes += Buffer.byteLength(word) + 8;
        if (bytes > maxBytes) continue;
        known = [];
        places.set(word, known);
      }
      bytes += 2;
      if (known.length < maxPlaces && bytes <= maxBytes) known.push(`${Math.min(place, lastPlace)}${weight}`);
    }
    place += gap;
  };
  for (const text of texts) add(toSearchable(text), '');
  add(parts, 'B');
  return Array.from(places, ([word, at]) => `'${word}'${at.length === 0 ? '' : `:${at.join(',')}`}`).join(
    ' ',
  );
}
