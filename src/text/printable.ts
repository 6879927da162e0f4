// Makes transcript text safe to print. It is untrusted: escape sequences could move the cursor, change the
// title or trigger a terminal feature, and bidirectional overrides could make a line read as something else.

const control =
  /[\u115f\u1160\u180e\u3164\uffa0\u{e0000}-\u{e007f}\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** Keeps line breaks; tabs become spaces, everything invisible or active is dropped. */
export function toPrintable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\t/g, '  ').replace(control, '');
}

/** The same, as one line. */
export function toPrintableLine(text: string): string {
  return toPrintable(text).replace(/\s+/g, ' ').trim();
}
