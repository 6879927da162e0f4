// Homes on disk: made when they are not there, and kept beside a note of what they hold. The note is written last, so
// that a home whose making was interrupted is made again.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HomeFacts, makeHome } from './make-home.ts';
import type { HomeShape } from './sizes.ts';

export interface Home {
  readonly claudeDir: string;
  readonly facts: HomeFacts;
}

/** Raise it when the same shape gives other files. */
const makerVersion = 3;

export function keepHome(folder: string, shape: HomeShape): Home {
  const claudeDir = join(folder, '.claude');
  const notePath = join(folder, 'home.json');
  const wanted = JSON.stringify({ makerVersion, shape });
  if (existsSync(notePath)) {
    const { made, facts } = JSON.parse(readFileSync(notePath, 'utf8')) as { made: unknown; facts: HomeFacts };
    if (JSON.stringify(made) === wanted) return { claudeDir, facts };
  }
  rmSync(notePath, { force: true });
  rmSync(claudeDir, { recursive: true, force: true });
  const facts = makeHome(claudeDir, shape);
  writeFileSync(notePath, `${JSON.stringify({ made: { makerVersion, shape }, facts }, null, 2)}\n`);
  return { claudeDir, facts };
}
