// Patterns in two versions, one for ASCII and one for all of Unicode. Building a Unicode class takes a few
// milliseconds, which slows a search, and matching with it is slower, which slows a first index; nearly all
// text is ASCII.

const nonAscii = /[^\x00-\x7f]/;

export function isAscii(text: string): boolean {
  return !nonAscii.test(text);
}

/** Both must match the same ASCII text. The second is built when it is first needed. */
export function toPattern(ascii: RegExp, unicode: () => RegExp): (text: string) => RegExp {
  let built: RegExp | null = null;
  return (text) => {
    if (isAscii(text)) return ascii;
    built ??= unicode();
    return built;
  };
}
