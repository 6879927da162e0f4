// Permissions, places, network, and what forget leaves.

import { test } from 'vitest';
import { narrowRights, noOtherPlaces, nothingLeft } from '../../torture/privacy.ts';
import { expectNothingFound } from '../support/short-torture.ts';

test('only its owner can read what recall keeps', () => expectNothingFound(narrowRights, 1));

test('it writes nowhere else and talks to nobody', () => expectNothingFound(noOtherPlaces, 1));

test('forget leaves no byte', () => expectNothingFound(nothingLeft, 1));
