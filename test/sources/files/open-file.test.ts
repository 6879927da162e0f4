// Only files are opened, whatever has come into their place.

import { execFileSync } from 'node:child_process';
import { closeSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readJob } from '../../../src/indexing/reader.ts';
import { claudeReader } from '../../../src/sources/claude/reader.ts';
import { openFile } from '../../../src/sources/files/open-file.ts';
import { WordForms } from '../../../src/text/words.ts';
import { TempHome } from '../../support/home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

test('a file is', () => {
  closeSync(openFile(home.write('file', 'text')));
});

test.skipIf(process.platform === 'win32')('a pipe is not waited for, a link is not followed', () => {
  execFileSync('mkfifo', [join(home.path, 'pipe')]);
  symlinkSync(home.write('file', 'text'), join(home.path, 'link'));
  expect(() => openFile(join(home.path, 'pipe'))).toThrow('not a regular file');
  expect(() => openFile(join(home.path, 'link'))).toThrow(/ELOOP|EMLINK/);
  expect(() => openFile(home.path)).toThrow('not a regular file');
});

test.skipIf(process.platform === 'win32')(
  'a transcript that became a pipe costs that file, not the run',
  () => {
    const path = join(home.path, 'pipe');
    execFileSync('mkfifo', [path]);
    const from = { bytes: 0, lines: 0, version: null };
    const job = {
      path,
      kind: 'main',
      sizeBytes: 10,
      from,
      fingerprint: null,
      isRedacting: false,
      keepsToolTexts: true,
    } as const;
    const options = { forms: new WordForms(), shouldStop: () => false };
    expect([...readJob(claudeReader, job, 0, options)]).toEqual([
      { nth: 0, failure: { code: 'ENOTREG', reason: 'not a regular file' } },
    ]);
  },
);
