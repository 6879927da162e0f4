// Droid by Factory: all that recall knows of its files and habits, behind the interface of a source. It resumes nothing without
// an account, so nothing is restored into its folder.

import { basename, dirname, join, resolve } from 'node:path';
import { layoutOf } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { keepsFolder, readsFiles, resumesById, usualSource } from '../usual.ts';

export const droid: Source = {
  ...usualSource('droid', 'Droid'),
  ...keepsFolder(
    'FACTORY_HOME_OVERRIDE',
    ({ env, homeDir, cwd }) => join(resolve(cwd, env.FACTORY_HOME_OVERRIDE || homeDir), '.factory'),
    {
      own: ['settings.json', 'config.json'],
      toValue: (root) => (basename(root) === '.factory' ? dirname(root) : null),
    },
  ),
  ...readsFiles(layoutOf({ 'sessions/<>/<id>.jsonl': 'main' })),
  loadReader: async () => (await import('./reader.ts')).droidReader,
  ...resumesById('preferred', 'droid', '--resume'),
};
