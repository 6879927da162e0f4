// A file that is one JSON object, for agents that write a session as a whole.

import { closeSync, readFileSync } from 'node:fs';
import { openFile } from '../../open-file.ts';
import { type JsonObject, parseJsonObject } from './json-value.ts';

/** Such a session has to be held as a whole. */
const maxBytes = 32 * 1024 * 1024;

/** The object, or why there is none. */
export function readJsonFile(path: string, sizeBytes: number): JsonObject | string {
  if (sizeBytes > maxBytes) return `longer than ${maxBytes / 1024 / 1024} MiB`;
  const fd = openFile(path);
  try {
    return parseJsonObject(readFileSync(fd, 'utf8')) ?? 'not a JSON object';
  } finally {
    closeSync(fd);
  }
}
