// pi and what descends from it: all that recall knows of their files and habits, behind the interface of a source.

import { join, resolve } from 'node:path';
import type { AgentName, Surroundings } from '../../records.ts';
import { control } from '../../text/printable.ts';
import { asTranscript, type FileLayout, type FilePlace, layoutOf } from '../files/layout.ts';
import type { SessionFiles, Source } from '../source.ts';
import { findRunning, keepsFiles, usualSource } from '../usual.ts';

const sessionFile = /^\d{4}-\d{2}-\d{2}T[\dA-Z-]+_(.+)\.jsonl$/s;

/** Below sessions/ there is a folder for each directory; a folder that a person has named for sessions holds them itself. */
const piLayout: FileLayout<FilePlace> = {
  stores: [{ folder: 'sessions' }, { folder: '.' }],
  findPlaceBelow: ({ folder }, name) => (/^--.*--$/s.test(name) ? { folder: `${folder}/${name}` } : null),
  isTranscript: () => true,
  findMeaning: ({ folder }, name) => {
    const nativeId = sessionFile.exec(name)?.[1];
    if (nativeId === undefined) return null;
    const slug = folder.split('/')[1] ?? null;
    return asTranscript({ path: `${folder}/${name}`, kind: 'main', nativeId, slug });
  },
};

/** A session's subagents are in a folder that is called as its file is. */
const ompLayout = layoutOf({
  'sessions/<>/<>_<id>.jsonl': 'main',
  'sessions/<>/<>_<parent>/<nth>.jsonl': 'subagent',
});

interface Relative {
  readonly agent: AgentName;
  readonly name: string;
  /** Below the home. */
  readonly folder: string;
  readonly layout: FileLayout<FilePlace>;
  readonly files?: Partial<SessionFiles>;
  /** What comes before the file of the session that is resumed. */
  readonly resume: readonly string[];
  /** What its tools see. */
  readonly mark: string;
}

function toSource({ agent, name, folder, layout, files, resume, mark }: Relative): Source {
  const findRoots = ({ env, homeDir, cwd }: Surroundings) => {
    // Its relatives know these variables too. The folder that they name is read once.
    if (agent !== 'pi') return [join(homeDir, folder)];
    const sessions = env.PI_CODING_AGENT_SESSION_DIR;
    const own = resolve(cwd, env.PI_CODING_AGENT_DIR || join(homeDir, folder));
    return sessions ? [own, resolve(cwd, sessions)] : [own];
  };
  return {
    ...usualSource(agent, name),
    parserVersion: 4,
    rootVariable: agent === 'pi' ? 'PI_CODING_AGENT_DIR' : null,
    toDefaultRoots: findRoots,
    findOwnFiles: (root) => ['settings.json', 'models.json', 'auth.json'].map((file) => join(root, file)),
    ...keepsFiles(layout, files),
    loadReader: async () => (await import('./reader.ts')).piReader,
    // By its file it is found from anywhere, and works in its own directory; by its id only in that directory.
    resumesIn: 'anywhere',
    toResumeArgv: ({ root, path }) =>
      path === null || control.test(path) || control.test(root) ? null : [...resume, join(root, path)],
    findResumeEnv: () => ({}),
    findRunningSession: (env) => findRunning(env, null, mark),
  };
}

export const pi = toSource({
  agent: 'pi',
  name: 'pi',
  folder: '.pi/agent',
  layout: piLayout,
  resume: ['pi', '--session'],
  mark: 'PI_CODING_AGENT',
});

export const omp = toSource({
  agent: 'omp',
  name: 'oh-my-pi',
  folder: '.omp/agent',
  layout: ompLayout,
  files: { toFolder: (path) => path.replace(/\.jsonl$/, '') },
  resume: ['omp', '--resume'],
  mark: 'OMPCODE',
});
