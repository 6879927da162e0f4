// What a browser loads of the page: little enough, and nothing from elsewhere.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const folder = 'dist/web';
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const compressed = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0);

test('all scripts and styles are at most 150 kB compressed, the first load at most 60 kB', () => {
  expect(compressed(readdirSync(folder).filter((name) => /\.(js|css)$/.test(name)))).toBeLessThan(150_000);
  const first = [...read('index.html').matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, name]) => name ?? '');
  expect(first).toEqual(['icon.svg', 'page.css', 'page.js']);
  expect(compressed(['index.html', ...first])).toBeLessThan(60_000);
});

test('no address of another host, nothing inline, and no code from text', () => {
  const known = /https?:\/\/(?:www\.w3\.org\/(?:2000\/svg|1999\/xhtml|1998\/Math\/MathML)|\$)/g;
  for (const name of readdirSync(folder))
    expect([
      name,
      read(name)
        .replace(known, '')
        .match(/https?:\/\/[^\s"'`$)]+/g),
    ]).toEqual([name, null]);
  expect(read('index.html')).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=/);
  expect(read('page.js')).not.toMatch(/\beval\(|new Function\(|document\.write/);
  expect(read('page.css')).not.toMatch(/url\(|@import|@font-face/);
});
