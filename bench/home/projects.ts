// The projects of a made home: where people keep them, and the folder Claude Code derives from that.

import { join } from 'node:path';
import type { Random } from './random.ts';
import type { ListedSession } from './sidecars.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Project {
  readonly cwd: string;
  /** Its folder below `projects`. */
  readonly folder: string;
  readonly branches: readonly string[];
  /** Main transcripts made so far, which later ones may continue. */
  readonly mains: MadeMain[];
  readonly sessions: ListedSession[];
}

export interface MadeMain {
  readonly path: string;
  readonly modifiedAtMs: number;
  readonly messagesPerLine: number;
}

export function makeProject(claudeDir: string, vocabulary: Vocabulary, random: Random): Project {
  const name = `${vocabulary.drawRare(random)}-${vocabulary.draw(random)}`;
  const cwd = random.chance(0.4) ? `C:\\Users\\ada\\work\\${name}` : `/home/ada/work/${name}`;
  const folder = join(claudeDir, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
  const branches = [
    'main',
    'main',
    `feature/${vocabulary.drawRare(random)}`,
    `fix/${vocabulary.drawRare(random)}`,
  ];
  return { cwd, folder, branches, mains: [], sessions: [] };
}
