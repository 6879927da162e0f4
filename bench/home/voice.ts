// What is said in one session: prompts, answers with markdown and code, titles. A session keeps to its topic: a few
// rare words, some identifiers and paths of its own come back again and again, which makes it findable.

import { accentedWords, chineseWords, japaneseWords, russianWords } from './common-words.ts';
import type { Random } from './random.ts';
import type { Vocabulary } from './vocabulary.ts';

type Language = 'english' | 'accented' | 'chinese' | 'japanese' | 'russian';

const foreignLanguages = ['chinese', 'japanese', 'russian'] as const;
/** Languages without spaces between words. */
const unspaced: Partial<Record<Language, readonly string[]>> = {
  chinese: chineseWords,
  japanese: japaneseWords,
};
/** Languages that are mixed with English words, and how much of them there is. */
const mixed: Partial<Record<Language, readonly [share: number, words: readonly string[]]>> = {
  accented: [0.4, accentedWords],
  russian: [0.85, russianWords],
};
const accentedShare = 0.06;

const folders = ['src', 'lib', 'test', 'app', 'server', 'packages/core', 'src/api', 'src/store'];
const extensions = ['ts', 'tsx', 'py', 'go', 'rs', 'json', 'md', 'sql'];

export class Voice {
  readonly topics: readonly string[];
  private readonly random: Random;
  private readonly vocabulary: Vocabulary;
  private readonly language: Language;
  private readonly identifiers: readonly string[];
  private readonly paths: readonly string[];

  constructor(random: Random, vocabulary: Vocabulary) {
    this.random = random;
    this.vocabulary = vocabulary;
    this.topics = Array.from({ length: 4 }, () => vocabulary.drawRare(random));
    const draw = random.fraction();
    const { foreign } = vocabulary;
    this.language =
      draw < foreign
        ? (foreignLanguages[Math.floor((draw / foreign) * foreignLanguages.length)] ?? 'chinese')
        : draw < foreign + accentedShare
          ? 'accented'
          : 'english';
    this.identifiers = Array.from({ length: 6 }, () => this.makeIdentifier());
    this.paths = Array.from({ length: 6 }, () => this.makePath());
  }

  /** What the person types: short, one paragraph, hardly any mark-up. */
  prompt(chars: number): string {
    let text = this.sentence();
    while (text.length < chars) text += ` ${this.sentence()}`;
    return text;
  }

  /** What the assistant answers: paragraphs, lists, headings, code. */
  answer(chars: number): string {
    let text = this.sentence();
    while (text.length < chars) {
      const draw = this.random.fraction();
      if (draw < 0.6) text += ` ${this.sentence()}`;
      else if (draw < 0.75) text += `\n\n${this.sentence()}`;
      else if (draw < 0.88) text += `\n- **${this.word()}**: ${this.sentence()}`;
      else if (draw < 0.96) text += `\n\n## ${this.title()}\n\n${this.sentence()}`;
      else text += `\n\n\`\`\`ts\n${this.code(1 + this.random.below(5))}\`\`\`\n`;
    }
    return text;
  }

  title(): string {
    const words = [this.random.pick(this.topics), this.word(), this.random.pick(this.topics), this.word()];
    return capitalise(words.join(' '));
  }

  /** Source code, one statement a line. */
  code(lines: number): string {
    let text = '';
    for (let i = 0; i < lines; i++) {
      const [left, right] = [this.identifier(), this.identifier()];
      text += `  const ${left} = await ${right}("${this.word()}", ${this.random.below(1000)});\n`;
    }
    return text;
  }

  identifier(): string {
    return this.random.chance(0.97) ? this.random.pick(this.identifiers) : this.makeIdentifier();
  }

  path(): string {
    return this.random.chance(0.97) ? this.random.pick(this.paths) : this.makePath();
  }

  private sentence(): string {
    const words = unspaced[this.language];
    if (words !== undefined && this.random.chance(0.8)) return this.unspacedSentence(words);
    let text = capitalise(this.word());
    for (let left = 3 + this.random.below(16); left > 0; left--) {
      text += this.random.chance(0.07) ? ', ' : ' ';
      text += this.term();
    }
    return text + (this.random.chance(0.1) ? '?' : '.');
  }

  private unspacedSentence(words: readonly string[]): string {
    let text = '';
    for (let left = 4 + this.random.below(14); left > 0; left--)
      text += this.random.chance(0.06) ? ` ${this.term()} ` : this.random.pick(words);
    return `${text}。`;
  }

  private term(): string {
    const draw = this.random.bits() & 0x3ff;
    if (draw < 972) return this.word();
    if (draw < 1000) return this.random.pick(this.topics);
    if (draw < 1008) return `\`${this.identifier()}\``;
    if (draw < 1013) return this.path();
    if (draw < 1023) return String(this.random.below(10_000));
    return this.random.hex(7);
  }

  private word(): string {
    const [share, words] = mixed[this.language] ?? [0, []];
    if (share > 0 && this.random.chance(share)) return this.random.pick(words);
    return this.vocabulary.draw(this.random);
  }

  private makeIdentifier(): string {
    const parts = Array.from({ length: 2 + this.random.below(2) }, () => this.vocabulary.draw(this.random));
    if (this.random.chance(0.3)) return parts.join('_');
    return parts.map((part, i) => (i === 0 ? part : capitalise(part))).join('');
  }

  private makePath(): string {
    const [folder, extension] = [this.random.pick(folders), this.random.pick(extensions)];
    return `${folder}/${this.vocabulary.draw(this.random)}-${this.vocabulary.draw(this.random)}.${extension}`;
  }
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
