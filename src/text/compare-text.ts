// The order of two texts by their characters: the same on every machine, unlike that of a language, and right for times as
// they are written in transcripts.

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
