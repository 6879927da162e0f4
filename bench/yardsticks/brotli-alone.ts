// Yardstick: reads every transcript and packs it at the quality of the archive, as many at a time, and writes nothing.
// Arguments: the Claude folder.

import { readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { pack } from '../../src/archive/segments.ts';
import { listTranscripts } from './list-transcripts.ts';

const [root = ''] = process.argv.slice(2);
const limit = pLimit(4);
let packed = 0;
await Promise.all(
  listTranscripts(root).map((path) =>
    limit(async () => {
      packed += (await pack(readFileSync(path))).length;
    }),
  ),
);
console.log(packed);
