// OpenClaw: all that recall knows of its databases and habits, behind the interface of a source. Each of its own agents has a
// database; older versions kept each session in a file.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { control } from '../../text/printable.ts';
import { type DatabaseLayout, joinDiscoveries } from '../files/database.ts';
import { type FileLayout, type FilePlace, layoutOf } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { findRunning, isPlainId, keepsFolder, keepsRows, readsFiles, usualSource } from '../usual.ts';

const lines = layoutOf({ 'agents/<>/sessions/<id>.jsonl': 'main' });

/** Beside a session there are copies of what it was before. */
const fileLayout: FileLayout<FilePlace> = {
  ...lines,
  findMeaning: (place, name) => (/\..*\.jsonl$/s.test(name) ? null : lines.findMeaning(place, name)),
};

const rowLayout: DatabaseLayout = {
  program: 'OpenClaw',
  fileName: 'openclaw-agent.sqlite',
  listDatabases: (root) => {
    try {
      return readdirSync(join(root, 'agents')).map((name) => `agents/${name}/agent/openclaw-agent.sqlite`);
    } catch {
      return [];
    }
  },
  needed: {
    session_windows: ['session_id', 'session_key', 'updated_at', 'spawned_by'],
    session_nodes: ['session_key', 'current_session_id'],
    transcript_events: ['session_id', 'seq', 'event_json'],
  },
  // A key is that of a conversation, which goes on in another session when it is reset. One without events was put away elsewhere.
  readRows: (db) =>
    db
      .all(`select session_id as id, updated_at as updated,
        (select count(*) from transcript_events where transcript_events.session_id = session_windows.session_id) as rows,
        (select current_session_id from session_nodes where session_nodes.session_key = session_windows.spawned_by) as parent,
        (select session_key from session_nodes where current_session_id = session_windows.session_id) as key
        from session_windows where rows > 0 order by session_id`)
      .map(({ id, updated, rows, parent, key }) => ({
        id: String(id),
        parentId: typeof parent === 'string' ? parent : null,
        updatedMs: Number(updated),
        rows: Number(rows),
        slug: typeof key === 'string' ? key : null,
      })),
};

const [files, rows] = [readsFiles(fileLayout), keepsRows(rowLayout)];

export const openclaw: Source = {
  ...usualSource('openclaw', 'OpenClaw'),
  parserVersion: 3,
  ...keepsFolder('OPENCLAW_STATE_DIR', '.openclaw', { own: ['openclaw.json'] }),
  discover: (root, options) => joinDiscoveries([files.discover(root, options), rows.discover(root, options)]),
  isWatched: (name) => rows.isWatched(name) || files.isWatched(name),
  hasSession: rows.hasSession,
  loadReader: async (_, loadTools) => (await import('./reader.ts')).makeReader(await loadTools()),
  // The working directory is that of the agent, wherever it is started.
  resumesIn: 'anywhere',
  toResumeArgv: ({ slug }) =>
    slug === null || !isPlainId(slug) || control.test(slug) ? null : ['openclaw', 'tui', '--session', slug],
  findRunningSession: (env) => findRunning(env, null, 'OPENCLAW_SHELL'),
};
