// What the makers of one home's files share: the words, the filler, and the counts of what was made so far.

import type { Filler } from './filler.ts';
import type { TypedPrompt } from './sidecars.ts';
import type { TranscriptFile } from './transcript-file.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Making {
  readonly vocabulary: Vocabulary;
  readonly filler: Filler;
  readonly noise: number;
  readonly turns: number;
  readonly newest: number;
  readonly typed: TypedPrompt[];
  transcripts: number;
  sidecars: number;
  bytes: number;
  messages: number;
}

export function countTranscript(making: Making, file: TranscriptFile, messages: number): void {
  making.transcripts++;
  making.bytes += file.bytes;
  making.messages += messages;
}
