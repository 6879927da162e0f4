// Measures the archive: filling it after the index, its size, and what it costs when nothing has changed.

import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toRecall, toScript } from './commands.ts';
import type { Measure } from './measure.ts';
import { toMeasure } from './measure-index.ts';
import { runRounds } from './rounds.ts';
import { type Place, toIndexPath } from './trial.ts';

export function measureArchive(
  place: Place,
  scripts: string,
  transcriptBytes: number,
  trials: number,
  rounds: number,
): Measure[] {
  const archive = join(dirname(toIndexPath(place)), 'archive');
  const config = join(place.work, '.config', 'recall', 'config.json');
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, '{"archive":true}');
  try {
    const filled = runRounds(
      place,
      [
        toScript(scripts, 'brotli-alone', [place.claudeDir]),
        {
          ...toRecall('archive', ['index', '--quiet']),
          isLong: true,
          before: () => rmSync(archive, { recursive: true, force: true }),
        },
      ],
      trials,
    );
    const unchanged = runRounds(
      place,
      [
        toRecall('unchanged', ['index', '--quiet', '--no-archive']),
        toRecall('unchanged-archived', ['index', '--quiet']),
      ],
      rounds,
    );
    return [
      toMeasure(filled, 'brotli-alone', 'brotli alone', []),
      toMeasure(filled, 'archive', 'archive', ['brotli-alone'], true),
      toSize(archive, transcriptBytes),
      toMeasure(unchanged, 'unchanged-archived', 'nothing changed, archived', ['unchanged'], true),
    ];
  } finally {
    rmSync(config);
  }
}

function toSize(archive: string, transcriptBytes: number): Measure {
  const names = readdirSync(archive, { recursive: true, encoding: 'utf8' }) as string[];
  const bytes = names
    .filter((name) => name.endsWith('.br'))
    .reduce((sum, name) => sum + statSync(join(archive, name)).size, 0);
  const ratios = [{ yardstick: 'transcripts', ratio: bytes / transcriptBytes }];
  const name = `archive, ${(bytes / 1e6).toFixed(0)} MB`;
  return { id: 'archive-size', name, isProgram: false, ms: null, peakMb: null, ratios };
}
