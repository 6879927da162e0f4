// Which files below a root belong to which session.

import { toUsualFiles } from '../files/usual-files.ts';
import type { SessionFiles } from '../kept-files.ts';
import { layout } from './places.ts';

/** Subagents are beside the folder of the chats: `projects/<directory>/subagents/<id>/`. */
function toFolder(path: string, nativeId: string): string | null {
  const [store, slug, holds] = path.split('/');
  return holds === undefined ? null : `${store}/${slug}/subagents/${nativeId}`;
}

export const sessionFiles: SessionFiles = { ...toUsualFiles(layout), toFolder };
