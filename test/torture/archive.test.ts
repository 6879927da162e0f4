// The archive holds what it is told to hold, whatever cut the runs before short.

import { test } from 'vitest';
import { editInPlace, killRestore, killUnredacted } from '../../torture/archive.ts';
import { expectNothingFound } from '../support/short-torture.ts';

test('killed while it kept secrets, and then told not to', () => expectNothingFound(killUnredacted, 4));

test('edited in place, by as many bytes as there were', () => expectNothingFound(editInPlace, 3));

test('a restore that was killed leaves nothing behind for long', () => expectNothingFound(killRestore, 4));
