// Gemini CLI: all that recall knows of its files and habits, behind the interface of a source.

import { basename, dirname, join, resolve } from 'node:path';
import { readForeignFile } from '../../open-file.ts';
import { asTranscript, type FileLayout, type FilePlace, type Meaning } from '../files/layout.ts';
import { field, objectField, parseJsonObject, stringField } from '../json/json-value.ts';
import type { SessionFiles, Source } from '../source.ts';
import { findRunning, keepsFiles, keepsFolder, resumesById, usualFiles, usualSource } from '../usual.ts';

/** Below tmp/ there is a folder for each project, with chats/, in which a session's subagents have a folder of their own. */
interface GeminiPlace extends FilePlace {
  readonly holds: 'projects' | 'project' | 'chats' | 'subagents';
  readonly slug?: string;
  readonly nativeId?: string;
}

function findPlaceBelow({ holds, folder, slug }: GeminiPlace, name: string): GeminiPlace | null {
  const below = { folder: `${folder}/${name}`, slug };
  if (holds === 'projects') return { ...below, holds: 'project', slug: name };
  if (holds === 'project') return name === 'chats' ? { ...below, holds: 'chats' } : null;
  return holds === 'chats' ? { ...below, holds: 'subagents', nativeId: name } : null;
}

const session = /^session-.+\.jsonl?$/s;

/** The name of a session's file has only the start of its id. */
function findMeaning(place: GeminiPlace, name: string): Meaning | null {
  const { holds, folder, slug, nativeId: parentNativeId } = place;
  const isSubagent = holds === 'subagents' && /\.jsonl?$/.test(name);
  if (!isSubagent && !(holds === 'chats' && session.test(name))) return null;
  const nativeId = name.replace(/\.jsonl?$/, '');
  const kind = isSubagent ? 'subagent' : 'main';
  return asTranscript({ path: `${folder}/${name}`, kind, nativeId, parentNativeId, slug });
}

const layout: FileLayout<GeminiPlace> = {
  stores: [{ folder: 'tmp', holds: 'projects' }],
  findPlaceBelow,
  isTranscript: () => true,
  findMeaning,
};

const { findMeaning: findMeaningOf, findForm } = usualFiles(layout);

/** As Gemini CLI itself knows a session when it deletes one. A session whose file does not say its id is known by the name of its file. */
function toOwner(nativeId: string): string {
  return /^session-.*-([^-]+)$/s.exec(nativeId)?.[1] ?? nativeId.slice(0, 8);
}

const files: Partial<SessionFiles> = {
  findOwner: (path) => {
    const transcript = findMeaningOf(path)?.transcript ?? null;
    return transcript === null ? null : toOwner(transcript.parentNativeId ?? transcript.nativeId);
  },
  toOwner,
  // Its subagents. A second file with the same id, which resuming leaves behind, has no messages, and stays away.
  toFolder: (path, nativeId) => {
    const [store, slug, chats] = path.split('/');
    return chats === undefined ? null : `${store}/${slug}/${chats}/${nativeId}`;
  },
  // Older sessions are one JSON value.
  findForm: (path) => (path.endsWith('.json') ? 'text' : findForm(path)),
  // Which of the files with the start of an id is the session, only their content says.
  findOnDisk: () => null,
};

const defaultCleanupDays = 30;

function readCleanupDays(root: string): number | null {
  let text: string;
  try {
    text = readForeignFile(join(root, 'settings.json')).toString();
  } catch {
    return defaultCleanupDays;
  }
  const general = objectField(parseJsonObject(text) ?? {}, 'general');
  const retention = objectField(general, 'sessionRetention');
  if (field(retention, 'enabled') === false) return null;
  const [, count, unit] = /^(\d{1,4})([hdwm])$/.exec(stringField(retention, 'maxAge') ?? '') ?? [];
  const days = { h: 1 / 24, d: 1, w: 7, m: 30 }[unit ?? ''] ?? 0;
  return count === undefined ? defaultCleanupDays : Number(count) * days;
}

export const gemini: Source = {
  ...usualSource('gemini', 'Gemini CLI'),
  parserVersion: 4,
  ...keepsFolder(
    'GEMINI_CLI_HOME',
    ({ env, homeDir, cwd }) => join(resolve(cwd, env.GEMINI_CLI_HOME || homeDir), '.gemini'),
    {
      own: ['settings.json', 'oauth_creds.json', 'GEMINI.md'],
      toValue: (root) => (basename(root) === '.gemini' ? dirname(root) : null),
    },
  ),
  readCleanupDays,
  cleanupAdvice: 'raise general.sessionRetention.maxAge in settings.json',
  ...keepsFiles(layout, files),
  loadReader: async () => (await import('./reader.ts')).geminiReader,
  ...resumesById('required', 'gemini', '--resume'),
  findRunningSession: (env) => findRunning(env, null, 'GEMINI_CLI'),
};
