// Cline's command line: all that recall knows of its files and habits, behind the interface of a source.

import { layoutOf } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { findRunning, keepsFiles, keepsFolder, resumesById, usualSource } from '../usual.ts';

/** A session, then its subagents, then what is said about it. */
const layout = layoutOf({
  'data/sessions/<parent>/agent_<id>.messages.json': 'subagent',
  'data/sessions/<>/<id>.messages.json': 'main',
  'data/sessions/<>/<id>.json': 'sidecar',
});

export const cline: Source = {
  ...usualSource('cline', 'Cline'),
  parserVersion: 2,
  ...keepsFolder('CLINE_DIR', '.cline', { own: ['data/settings/providers.json'] }),
  ...keepsFiles(layout, {
    findForm: () => 'text',
    toFolder: (path) => path.split('/').slice(0, 3).join('/'),
  }),
  loadReader: async () => (await import('./reader.ts')).clineReader,
  isSessionId: (text) => /^\d{13}_\w{5}$/.test(text),
  ...resumesById('preferred', 'cline', '--id'),
  findRunningSession: (env) => findRunning(env, null, 'CLINE_CONNECTOR_CLI_LAUNCH'),
};
