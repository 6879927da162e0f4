// The archive holds what it is told to hold, whatever cut the runs before short.

import { test } from 'vitest';
import { killUnredacted } from '../../torture/archive.ts';
import { expectNothingFound } from '../support/short-torture.ts';

test('killed while it kept secrets, and then told not to', () => expectNothingFound(killUnredacted, 8));
