// Which files below a root belong to which session. The name of a session's file has only the start of its id, and so has all
// that Gemini CLI itself knows of a session when it deletes one.

import { toUsualFiles } from '../files/usual-files.ts';
import type { SessionFiles } from '../kept-files.ts';
import { layout } from './places.ts';

const shortIdChars = 8;
const usualFiles = toUsualFiles(layout);

/** A session whose file does not say its id is known by the name of its file. */
function toOwner(nativeId: string): string {
  return /^session-.*-([^-]+)$/s.exec(nativeId)?.[1] ?? nativeId.slice(0, shortIdChars);
}

function findOwner(path: string): string | null {
  const { transcript = null } = usualFiles.findMeaning(path) ?? {};
  if (transcript === null) return null;
  const { parentNativeId, nativeId } = transcript;
  return toOwner(parentNativeId ?? nativeId);
}

/** Its subagents. A second file with the same id, which resuming leaves behind, has no messages, and stays away. */
function toFolder(path: string, nativeId: string): string | null {
  const [store, slug, chats] = path.split('/');
  return chats === undefined ? null : `${store}/${slug}/${chats}/${nativeId}`;
}

export const sessionFiles: SessionFiles = {
  ...usualFiles,
  findOwner,
  toOwner,
  toFolder,
  // Older sessions are one JSON value.
  findForm: (path) => (path.endsWith('.json') ? 'text' : usualFiles.findForm(path)),
  // Which of the files with the start of an id is the session, only their content says.
  findOnDisk: () => null,
};
