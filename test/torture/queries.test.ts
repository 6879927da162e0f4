// Some thousands of queries and filters made by chance.

import { test } from 'vitest';
import { tortureQueries } from '../../torture/queries.ts';
import { expectNothingFound } from '../support/short-torture.ts';

test('no query fails, and the slowest are bounded', () => expectNothingFound(tortureQueries, 1500));
