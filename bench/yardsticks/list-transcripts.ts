// Every transcript below a folder, as the yardsticks read them.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export function listTranscripts(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(root, name));
}
