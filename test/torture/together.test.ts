// Several recalls at once, in mixtures made by chance.

import { test } from 'vitest';
import { fiftySearches, mixtures, watchAndRebuild } from '../../torture/together.ts';
import { expectNothingFound } from '../support/short-torture.ts';

test('any mixture of commands at the same moment', () => expectNothingFound(mixtures, 1));

test('fifty searches while others index', () => expectNothingFound(fiftySearches, 1));

test('one that watches, others that rebuild', () => expectNothingFound(watchAndRebuild, 2));
