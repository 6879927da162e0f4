// The words of a made home: 30,000 of them, drawn as people use words, few very often and most hardly ever. The
// commonest are real; the rest are made of syllables, with the endings that stemming takes off.

import { englishWords } from './common-words.ts';
import { Random } from './random.ts';

const wordCount = 30_000;

/** Draws by looking up a table of so many places. */
const tableBits = 21;

/**
 * Zipf's law with a kink, as counted over real conversations: 1 / rank among the first thousand words, without its very
 * top, where the commonest word is one in thirty, and falling faster after them. The commonest 400 words make two
 * thirds of the text. A plain 1 / rank has three times as many different words in a megabyte, and an index of it costs
 * three times as much.
 */
const headOffset = 4;
const kinkRank = 1000;
const tailExponent = 1.7;

/** Common words are short. */
const shortWords = 4000;

const onsets = 'b c d f g h j l m n p r s t v w br cl cr dr fl gr pl pr sl st tr qu sh th'.split(' ');
const vowels = 'a a e e i i o o u ea ou'.split(' ');
const codas = ['', '', '', '', '', '', 'l', 'm', 'n', 'r', 's', 't'];
const endings = ['s', 'ed', 'ing', 'er', 'ly', 'ment', 'tion'];

export class Vocabulary {
  /** Commonest first. */
  readonly words: readonly string[];
  /** The share of sessions that use words of another script. */
  readonly foreign: number;
  private readonly table: Uint16Array;

  constructor(seed: number, foreign = 0) {
    this.foreign = foreign;
    this.words = makeWords(new Random(seed, 1));
    this.table = toTable(this.words.length);
  }

  draw(random: Random): string {
    return this.words[this.table[random.bits() >>> (32 - tableBits)] as number] as string;
  }

  /** A word that few sessions use: from the last two thirds. */
  drawRare(random: Random): string {
    const from = Math.floor(this.words.length / 3);
    return this.words[from + random.below(this.words.length - from)] as string;
  }
}

function makeWords(random: Random): string[] {
  const words = new Set(englishWords);
  while (words.size < shortWords) {
    const base = makeWord(random, 2).slice(0, 4 + random.below(4));
    words.add(base);
    for (const ending of endings) if (random.chance(0.05)) words.add(base + ending);
  }
  while (words.size < wordCount) {
    const base = makeWord(random, random.chance(0.7) ? 2 : 3);
    words.add(base);
    for (const ending of endings) if (random.chance(0.15)) words.add(base + ending);
  }
  return [...words].slice(0, wordCount);
}

function makeWord(random: Random, syllables: number): string {
  let word = '';
  for (let left = syllables; left > 0; left--)
    word += random.pick(onsets) + random.pick(vowels) + random.pick(codas);
  return word;
}

/** Each word has its share of the places; the rarest have none, and are used as topics only. */
function toTable(words: number): Uint16Array {
  const size = 2 ** tableBits;
  const weights = Array.from({ length: words }, (_, i) => toWeight(i + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const table = new Uint16Array(size);
  let sum = 0;
  let from = 0;
  weights.forEach((weight, rank) => {
    sum += weight;
    const to = Math.min(size, Math.round((sum / total) * size));
    table.fill(rank, from, to);
    from = to;
  });
  return table.fill(0, from);
}

function toWeight(rank: number): number {
  if (rank <= kinkRank) return 1 / (rank + headOffset);
  return (kinkRank / rank) ** tailExponent / (kinkRank + headOffset);
}
