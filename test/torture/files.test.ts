// Files that change under the reader, and files that nobody expects.

import { test } from 'vitest';
import { failingReads, moving, oddFiles } from '../../torture/files.ts';
import { expectNothingFound } from '../support/short-torture.ts';

test('everything that can happen to a file while it is read', () => expectNothingFound(moving, 1));

test('odd names, times and kinds of files', () => expectNothingFound(oddFiles, 1));

test('a read that fails costs that file', () => expectNothingFound(failingReads, 1));
