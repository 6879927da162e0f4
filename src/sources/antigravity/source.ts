// Antigravity: all that recall knows of its files and habits, behind the interface of a source, from files and documents alone.

import { basename, join } from 'node:path';
import { layoutOf } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { keepsHomeFolder, readsFiles, resumesById, usualSource } from '../usual.ts';

const commandLine = 'antigravity-cli';
const { toResumeArgv, resumesIn } = resumesById('preferred', 'agy', '--conversation');

export const antigravity: Source = {
  ...usualSource('antigravity', 'Antigravity'),
  ...keepsHomeFolder('.gemini', ['settings.json', 'mcp_config.json']),
  // The command line, and the editor under its two names.
  toDefaultRoots: ({ homeDir }) =>
    [commandLine, 'antigravity', 'antigravity-ide'].map((name) => join(homeDir, '.gemini', name)),
  ...readsFiles(layoutOf({ 'brain/<id>/.system_generated/logs/transcript.jsonl': 'main' })),
  loadReader: async () => (await import('./reader.ts')).antigravityReader,
  resumesIn,
  // Whether the command line opens conversations of the editor is not known.
  toResumeArgv: (session) => (basename(session.root) === commandLine ? toResumeArgv(session) : null),
};
