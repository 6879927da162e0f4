// A project's path where only its sameness matters: a forgotten session must not be named by its directory either.

import { createHash } from 'node:crypto';

export function toProjectHash(path: string): string {
  return createHash('sha1').update(path).digest('hex').slice(0, 16);
}
