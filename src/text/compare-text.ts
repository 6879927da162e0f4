// Compares two texts by their characters: the same order on every machine, unlike a locale's, and correct for
// timestamps as transcripts write them.

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
