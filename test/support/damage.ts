// Damages an index file on purpose.

import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { openDatabase } from '../../src/store/open/database.ts';

export const pageBytes = 8192;

export function overwrite(path: string, fromByte: number, bytes: Buffer): void {
  const fd = openSync(path, 'r+');
  writeSync(fd, bytes, 0, bytes.length, fromByte);
  closeSync(fd);
}

/** Bytes that are the same in every run and look like nothing. */
export function noise(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (Math.imul(i + 1, 2654435761) >>> 13) & 0xff));
}

/** Makes the page that holds this text unreadable. */
export function ruinPageWith(path: string, text: string): void {
  const offset = readFileSync(path).indexOf(text);
  if (offset <= 0) throw new Error(`the index does not hold ${text}`);
  overwrite(path, Math.floor(offset / pageBytes) * pageBytes, noise(pageBytes));
}

/** Makes a page of the full-text index unreadable. */
export function ruinWords(path: string): void {
  overwrite(path, ((readPages(path, 'message_fts_data').at(-2) ?? 0) - 1) * pageBytes, noise(pageBytes));
}

/** Makes all pages of a table unreadable. */
export function ruinTable(path: string, table: string): void {
  for (const page of readPages(path, table)) overwrite(path, (page - 1) * pageBytes, noise(pageBytes));
}

function readPages(path: string, table: string): number[] {
  const db = openDatabase(path, { readOnly: true });
  const pages = db.prepare('select pageno from dbstat where name = ?').pluck().all(table) as number[];
  db.close();
  return pages;
}

/** Puts these bytes in the place of an index, without the log of what was there. */
export function putIndex(path: string, bytes: Buffer): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  writeFileSync(path, bytes);
}
