// Any text as one word of a command line, safe to paste and to eval whatever it contains.

export const control = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/**
 * For sh, bash, zsh and fish alike. Inside single quotes only the quote itself and, in fish, the backslash
 * are special, so these two are placed outside. Control characters would break the line or reach the
 * terminal, so a name that contains any is spelled out with printf.
 */
export function quoteForShell(text: string): string {
  if (!control.test(text)) return `'${text.replace(/['\\]/g, "'\\$&'")}'`;
  const escaped = [...Buffer.from(text, 'utf8')].map(toPrintfByte).join('');
  // A shell strips trailing newlines from command output. Only a directory ends in one here, and `/.` names
  // the same directory.
  return `"$(printf '${escaped}${text.endsWith('\n') ? '/.' : ''}')"`;
}

function toPrintfByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[A-Za-z0-9/_.,:@-]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
}
