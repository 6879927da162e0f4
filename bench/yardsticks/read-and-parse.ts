// Yardstick: reads every transcript and parses every line, and does nothing with it.
// Arguments: the Claude folder.

import { readFileSync } from 'node:fs';
import { listTranscripts } from './list-transcripts.ts';

const [root = ''] = process.argv.slice(2);
let parsed = 0;
for (const path of listTranscripts(root)) {
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue;
    try {
      JSON.parse(line);
      parsed++;
    } catch {
      // Torn lines are part of real transcripts.
    }
  }
}
console.log(parsed);
