// A disk that is full or fails, and permissions that are missing.

import { test } from 'vitest';
import { failingWrites, fullDisk, noRights } from '../../torture/disk.ts';
import { expectNothingFound } from '../support/short-torture.ts';

test('no room for all of it', () => expectNothingFound(fullDisk, 1));

test('a write that fails', () => expectNothingFound(failingWrites, 1));

test('an index or a folder that may not be written to', () => expectNothingFound(noRights, 1));
