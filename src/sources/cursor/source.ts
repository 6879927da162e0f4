// Cursor's agent: all that recall knows of its files and habits, behind the interface of a source, from files and documents alone.

import { layoutOf } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { keepsHomeFolder, readsFiles, resumesById, usualSource } from '../usual.ts';

/** The directory is known by the name of its folder only, in which every character that is not a letter or digit is a dash. */
const layout = layoutOf({
  'projects/<slug>/agent-transcripts/<id>.jsonl': 'main',
  'projects/<slug>/agent-transcripts/<parent>/subagents/<id>.jsonl': 'subagent',
  'projects/<slug>/agent-transcripts/<>/<id>.jsonl': 'main',
});

export const cursor: Source = {
  ...usualSource('cursor', 'Cursor'),
  ...keepsHomeFolder('.cursor', ['cli-config.json', 'mcp.json']),
  ...readsFiles(layout),
  loadReader: async () => (await import('./reader.ts')).cursorReader,
  ...resumesById('preferred', 'cursor-agent', '--resume'),
};
