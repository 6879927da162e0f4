// Escape sequences for a terminal: colours, titles, links. Left where they are, they would become part of a word:
// `\x1b[33mquokka` would be found as 33mquokka only.

/** CSI, OSC with what ends it, and those of one letter. One that is broken off loses its start only. */
const sequence =
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b\n]{0,4096}(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

export function withoutEscapes(text: string): string {
  return text.includes('\u001b') ? text.replace(sequence, '') : text;
}
