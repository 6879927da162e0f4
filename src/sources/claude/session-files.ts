// Which files below a root belong to which session, and where the transcript of a session is or goes.

import { readdirSync } from 'node:fs';
import { isFile } from '../files/is-file.ts';
import { toUsualFiles } from '../files/usual-files.ts';
import type { SessionFiles } from '../kept-files.ts';
import { layout } from './places.ts';
import { toSlug } from './slug.ts';

const transcript = /^(?:agent-)?(.+)\.jsonl$/s;

/** `sessions-index.json` is a cache, and history.jsonl is not deleted: they are of no session and not kept. */
function findOwner(path: string): string | null {
  const [store, first = '', second, ...rest] = path.split('/');
  if (store === 'projects') {
    if (second === undefined || second === 'memory') return null;
    return rest.length > 0 ? second : (transcript.exec(second)?.[1] ?? null);
  }
  const isStore = layout.stores.some(({ folder }) => folder === store);
  return isStore && second === undefined ? (transcript.exec(first)?.[1] ?? null) : null;
}

/** Subagents, long results of tools, a title: all that is in `projects/<slug>/<id>/`. */
function toFolder(path: string): string | null {
  const [store, slug, name = '', ...rest] = path.split('/');
  if (store !== 'projects' || name === 'memory' || name.startsWith('agent-')) return null;
  if (rest.length === 0 && !name.endsWith('.jsonl')) return null;
  return `${store}/${slug}/${rest.length === 0 ? name.slice(0, -'.jsonl'.length) : name}`;
}

/** Claude Code itself looks into every project when it is given an id. */
function findOnDisk(root: string, nativeId: string): string | null {
  let slugs: string[];
  try {
    slugs = readdirSync(`${root}/projects`);
  } catch {
    return null;
  }
  const paths = slugs.map((slug) => `projects/${slug}/${nativeId}.jsonl`);
  return paths.find((path) => isFile(`${root}/${path}`)) ?? null;
}

export const sessionFiles: SessionFiles = {
  ...toUsualFiles(layout),
  findOwner,
  toFolder,
  findOnDisk,
  toMovedPath: (directory, nativeId) => `projects/${toSlug(directory)}/${nativeId}.jsonl`,
};
