// JSON as nobody's serialiser writes it: spaces anywhere, keys in any order and twice, escapes where none are needed.

import fc from 'fast-check';

/** JSON text of the value, with `choices` deciding wherever there is more than one way to write it. */
export function writeJson(value: unknown, choices: readonly number[]): string {
  return new Writer(choices).write(value);
}

/** Small numbers, mostly 0, which is the plain way. */
export const choices = fc.array(
  fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(7) }),
  { minLength: 1, maxLength: 40 },
);

const spaces = ['', ' ', '\t', '\r', '\n', ' \t\r\n', '  ', ''];

/** What a key holds that is written twice, the first time. */
const earlier = '[{"type":"user","text":0},"earlier"]';

class Writer {
  private readonly choices: readonly number[];
  private taken = 0;

  constructor(choices: readonly number[]) {
    this.choices = choices;
  }

  write(value: unknown): string {
    return this.space() + this.writeBare(value) + this.space();
  }

  private writeBare(value: unknown): string {
    if (typeof value === 'string') return this.writeString(value);
    if (typeof value === 'number')
      return Object.is(value, -0) ? '-0' : String(value).replace('Infinity', '1e999');
    if (Array.isArray(value)) return `[${value.map((item) => this.write(item)).join(',') || this.space()}]`;
    if (typeof value === 'object' && value !== null) return this.writeObject(value);
    return String(value);
  }

  private writeObject(object: object): string {
    const fields = Object.entries(object).flatMap(([key, value]) => {
      const field = this.writeField(key, value);
      return this.next() === 7 ? [`${this.writeString(key)}:${earlier}`, field] : [field];
    });
    const cut = this.next() % (fields.length + 1);
    return `{${[...fields.slice(cut), ...fields.slice(0, cut)].join(',') || this.space()}}`;
  }

  private writeField(key: string, value: unknown): string {
    return `${this.space()}${this.writeString(key)}${this.space()}:${this.write(value)}`;
  }

  private writeString(text: string): string {
    return `"${Array.from(text, (char) => this.writeChar(char)).join('')}"`;
  }

  private writeChar(char: string): string {
    const choice = this.next();
    if (choice === 6 && char === '/') return '\\/';
    if (choice < 5) return JSON.stringify(char).slice(1, -1);
    const units = Array.from({ length: char.length }, (_, i) =>
      char.charCodeAt(i).toString(16).padStart(4, '0'),
    );
    return units.map((hex) => `\\u${choice === 5 ? hex : hex.toUpperCase()}`).join('');
  }

  private space(): string {
    return spaces[this.next()] ?? '';
  }

  private next(): number {
    return this.choices[this.taken++ % this.choices.length] ?? 0;
  }
}
