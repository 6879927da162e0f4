// Text as the formatters of manual pages read it. The file is ASCII, so that no locale matters, and what people copy
// from a page is what was written: a dash stays a dash, a quote a quote.

/** Of characters that groff would print as others. */
const named: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** Any text as one line, or as part of one. */
export function toRoff(text: string): string {
  const escaped = [...text].map((character) => named[character] ?? toCharacter(character)).join('');
  // At the beginning of a line a dot would be a command; a space would break the paragraph.
  return /^[. ]/.test(escaped) ? `\\&${escaped}` : escaped;
}

/** Prose, in lines of a length that people like to see compared. */
export function toText(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && toRoff(`${line} ${word}`).length > 79) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map(toRoff).join('\n');
}

function toCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return ' ';
  return code < 0x7f ? character : `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

export function bold(text: string): string {
  return `\\fB${toRoff(text)}\\fR`;
}

export function italic(text: string): string {
  return `\\fI${toRoff(text)}\\fR`;
}

export function section(heading: string, ...lines: readonly string[]): string {
  return [`.SH ${heading}`, ...lines].join('\n');
}

/** What is explained, in roff, and the text that explains it. */
export function entry(term: string, text: string): string {
  return ['.TP', term, toText(text)].join('\n');
}

/** Lines as they are. */
export function verbatim(lines: readonly string[]): string {
  return ['.nf', '.RS 4', ...lines.map((line) => toRoff(line) || '.sp'), '.RE', '.fi'].join('\n');
}
