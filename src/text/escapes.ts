// Escape sequences for a terminal: colours, titles, links. Tools print them into the middle of words' surroundings, where
// `\x1b[33mquokka` would be read as the word 33mquokka.

/** CSI, OSC with what ends it, and those of one letter. One that is broken off loses its start only. */
const sequence =
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b\n]{0,4096}(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

export function withoutEscapes(text: string): string {
  return text.includes('\u001b') ? text.replace(sequence, '') : text;
}
