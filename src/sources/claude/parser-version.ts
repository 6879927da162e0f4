// The number of what Claude Code's transcripts are parsed into. Raise it when parsing finds something else in the same bytes:
// every transcript on disk is then read again. test/sources/claude/parser-version.test.ts fails where that was forgotten.

export const parserVersion = 7;
