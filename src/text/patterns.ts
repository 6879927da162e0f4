// Patterns in two spellings, one for ASCII and one for all of Unicode. Building a Unicode class takes some milliseconds,
// which a search feels, and matching with one is slower, which a first index feels; nearly all text is ASCII.

const nonAscii = /[^\x00-\x7f]/;

export function isAscii(text: string): boolean {
  return !nonAscii.test(text);
}

/** Both must say the same of ASCII text. The second is built when it is first needed. */
export function toPattern(ascii: RegExp, unicode: () => RegExp): (text: string) => RegExp {
  let built: RegExp | null = null;
  return (text) => {
    if (isAscii(text)) return ascii;
    built ??= unicode();
    return built;
  };
}
