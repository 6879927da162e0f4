// Reads single calls and answers again, for passages. Apart from the reader, which loads many times as much.

import type { WorkReader } from '../source.ts';
import { parseWork, readWork } from '../transcript/read-work.ts';
import { parseEntry } from './parse.ts';

export const claudeWorkReader: WorkReader = {
  readWork: (path, place, toText) => readWork(parseEntry, path, place, toText),
  parseWork: (line, place, toText) => parseWork(parseEntry, line, place, toText),
};
