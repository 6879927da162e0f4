// Makes untrusted text safe to print and to paste into a shell. Escape sequences could move the cursor, change the title
// or trigger a terminal feature, and bidirectional overrides could make a line read as something else.

const unprintable =
  /[\u115f\u1160\u180e\u3164\uffa0\u{e0000}-\u{e007f}\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** Keeps line breaks; tabs become spaces, everything invisible or active is dropped. */
export function toPrintable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\t/g, '  ').replace(unprintable, '');
}

export function toPrintableLine(text: string): string {
  return toPrintable(text).replace(/\s+/g, ' ').trim();
}

/** CSI, OSC with what ends it, and those of one letter. One that is broken off loses its start only. */
const escapeSequence =
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b\n]{0,4096}(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** For indexing: left where it is, a sequence would become part of a word, and `\x1b[33mquokka` be found as 33mquokka only. */
export function withoutEscapes(text: string): string {
  return text.includes('\u001b') ? text.replace(escapeSequence, '') : text;
}

export const control = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/** Only the quote and, in fish, the backslash are special inside single quotes. Control characters are spelled out by printf. */
export function quoteForShell(text: string): string {
  if (!control.test(text)) return `'${text.replace(/['\\]/g, "'\\$&'")}'`;
  const escaped = Array.from(Buffer.from(text, 'utf8'), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9/_.,:@-]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  }).join('');
  // A shell strips trailing newlines from command output; only a directory ends in one here, and `/.` names the same one.
  return `"$(printf '${escaped}${text.endsWith('\n') ? '/.' : ''}')"`;
}
