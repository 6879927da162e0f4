// The bytes that nobody needs: tool output and signatures. They are nine tenths of a home, so they are cut out of
// texts made once, already escaped for JSON, instead of being made anew.

import { Random } from './random.ts';
import type { Vocabulary } from './vocabulary.ts';
import { Voice } from './voice.ts';

const plainChars = 8_000_000;
const mixedChars = 1_000_000;
const signatureChars = 1_000_000;

export class Filler {
  /** Log lines, listings, source code; ASCII, which is written several times as fast as anything else. */
  private readonly plain: string;
  /** The same with accents and Chinese. */
  private readonly mixed: string;
  private readonly base64: string;

  constructor(seed: number, vocabulary: Vocabulary) {
    const random = new Random(seed, 2);
    this.plain = makeText(random, vocabulary, plainChars, (text) => text.replace(/[^\n\x20-\x7e]/g, 'x'));
    this.mixed = makeText(random, vocabulary, mixedChars, (text) => text);
    let base64 = '';
    while (base64.length < signatureChars)
      base64 += Buffer.from(random.uuid() + random.uuid()).toString('base64url');
    this.base64 = base64;
  }

  /** Whole lines of output, about this long, fit to be inside a JSON string. */
  output(random: Random, chars: number): string {
    const text = random.chance(0.03) ? this.mixed : this.plain;
    let cut = '';
    while (cut.length < chars) cut += cutLines(text, random.below(text.length), chars - cut.length);
    return cut;
  }

  signature(random: Random, chars: number): string {
    const whole = Math.ceil(chars);
    let cut = '';
    while (cut.length < whole) {
      const from = random.below(this.base64.length);
      cut += this.base64.slice(from, from + whole - cut.length);
    }
    return cut;
  }
}

function makeText(
  random: Random,
  vocabulary: Vocabulary,
  chars: number,
  clean: (text: string) => string,
): string {
  let text = '';
  while (text.length < chars) {
    const voice = new Voice(random, vocabulary);
    for (let left = 40; left > 0; left--) text += JSON.stringify(clean(toLines(random, voice))).slice(1, -1);
  }
  return text;
}

function toLines(random: Random, voice: Voice): string {
  const draw = random.fraction();
  if (draw < 0.4) return voice.code(3);
  if (draw < 0.6) return `2026-03-0${1 + random.below(9)} ${random.below(24)}:00 ERROR ${voice.prompt(60)}\n`;
  if (draw < 0.8) return `${voice.path()}:${random.below(900)}:    ${voice.identifier()}\n`;
  return `${voice.answer(200)}\n`;
}

/** From the start of one line to the end of another, so that no escape is cut in two. */
function cutLines(text: string, from: number, chars: number): string {
  const start = text.indexOf('\\n', from) + 2;
  if (start === 1) return '';
  const end = text.indexOf('\\n', start + chars);
  return end < 0 ? text.slice(start, text.lastIndexOf('\\n') + 2) : text.slice(start, end + 2);
}
