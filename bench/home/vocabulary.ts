// The words of a made home: 30,000 of them, drawn as people use words, few very often and most hardly ever. The
// commonest are real; the rest are made of syllables, with the endings that stemming takes off.

import { englishWords } from './common-words.ts';
import { Random } from './random.ts';

const wordCount = 30_000;

/** Draws by looking up a table of so many places, in which the rarest word still has some. */
const tableSize = 2 ** 20;

/** Flattens the very top of Zipf's law, as in real text, where the commonest word is one in twenty. */
const headOffset = 6;

const onsets = 'b c d f g h j l m n p r s t v w br cl cr dr fl gr pl pr sl st tr qu sh th'.split(' ');
const vowels = 'a a e e i i o o u ea ou'.split(' ');
const codas = ['', '', '', '', '', '', 'l', 'm', 'n', 'r', 's', 't'];
const endings = ['s', 'ed', 'ing', 'er', 'ly', 'ment', 'tion'];

export class Vocabulary {
  /** Commonest first. */
  readonly words: readonly string[];
  private readonly table: Uint16Array;

  constructor(seed: number) {
    this.words = makeWords(new Random(seed, 1));
    this.table = toTable(this.words.length);
  }

  draw(random: Random): string {
    return this.words[this.table[random.bits() >>> 12] as number] as string;
  }

  /** A word that few sessions use: from the last two thirds. */
  drawRare(random: Random): string {
    const from = Math.floor(this.words.length / 3);
    return this.words[from + random.below(this.words.length - from)] as string;
  }
}

function makeWords(random: Random): string[] {
  const words = new Set(englishWords);
  while (words.size < wordCount) {
    const base = makeWord(random);
    words.add(base);
    for (const ending of endings) if (random.chance(0.15)) words.add(base + ending);
  }
  return [...words].slice(0, wordCount);
}

function makeWord(random: Random): string {
  let word = '';
  for (let left = random.chance(0.7) ? 2 : 3; left > 0; left--)
    word += random.pick(onsets) + random.pick(vowels) + random.pick(codas);
  return word;
}

/** Each word's places in the table follow its share: 1 / (rank + offset), at least one. */
function toTable(words: number): Uint16Array {
  const weights = Array.from({ length: words }, (_, rank) => 1 / (rank + 1 + headOffset));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const table = new Uint16Array(tableSize);
  let sum = 0;
  let from = 0;
  weights.forEach((weight, rank) => {
    sum += weight;
    const to = Math.min(tableSize, Math.round((sum / total) * tableSize));
    table.fill(rank, from, to);
    from = to;
  });
  return table.fill(words - 1, from);
}
