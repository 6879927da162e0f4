// Which folders could not be looked into, said in a line. What was asked about are files and folders by the thousand: named
// are the folders that refuse.

import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { FailedFile } from '../indexing/report.ts';
import { toPrintableLine } from '../render/printable.ts';
import { formatNumbered } from '../render/quantities.ts';

export function toUnseenNote(unseen: readonly FailedFile[]): string {
  const reasons = new Map<string, string>();
  for (const { path, reason } of unseen) reasons.set(toRefusing(path), reason);
  const [[path, reason] = ['', ''], ...others] = reasons;
  const more = others.length === 0 ? '' : ` (and ${formatNumbered(others.length, 'other place')})`;
  return `${toPrintableLine(path)} cannot be read: ${reason}${more}`;
}

/** The outermost folder that lets nobody through; else the path itself. */
function toRefusing(path: string): string {
  const parent = dirname(path);
  return parent === path || isPassable(parent) ? path : toRefusing(parent);
}

function isPassable(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
