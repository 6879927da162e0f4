// OpenCode and what descends from it: all that recall knows of their databases and habits, behind the interface of a source.

import { dirname, isAbsolute, join } from 'node:path';
import { isFile } from '../../open-file.ts';
import type { AgentName } from '../../records.ts';
import { discoverRows } from '../files/database.ts';
import type { Source } from '../source.ts';
import { findRunning, keepsFolder, resumesById, usualSource } from '../usual.ts';
import { opencodeRows } from './discover.ts';

interface Relative {
  readonly name: string;
  /** Of its folder, its database and its command. */
  readonly program: AgentName;
  /** What its tools see. */
  readonly mark: string;
}

function toSource({ name, program, mark }: Relative): Source {
  const database = `${program}.db`;
  const layout = opencodeRows(name, database);
  return {
    ...usualSource(program),
    name,
    parserVersion: 4,
    ...keepsFolder(
      'XDG_DATA_HOME',
      ({ env: { XDG_DATA_HOME: xdg = '' }, homeDir }) =>
        join(isAbsolute(xdg) ? xdg : join(homeDir, '.local', 'share'), program),
      { own: ['auth.json', database], toValue: dirname },
    ),
    discover: (root, options) => discoverRows(root, layout, options),
    isWatched: (file) => file.startsWith(database) && !file.endsWith('-shm'),
    loadReader: async (_paths, loadTools) => {
      const { makeReader } = await import('./reader.ts');
      return makeReader(await loadTools());
    },
    isSessionId: (text) => /^ses_[0-9A-Za-z]{20,40}$/.test(text),
    // From elsewhere its turn runs, but nothing is printed.
    ...resumesById('required', program, '-s'),
    hasSession: ({ root, isGone }) => !isGone && isFile(join(root, database)),
    findRunningSession: (env) => findRunning(env, null, mark),
  };
}

export const opencode = toSource({ name: 'OpenCode', program: 'opencode', mark: 'OPENCODE' });
export const kilo = toSource({ name: 'Kilo', program: 'kilo', mark: 'KILO' });
