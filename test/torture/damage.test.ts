// A damaged index at random places: reported, and repaired.

import { test } from 'vitest';
import { tortureDamage } from '../../torture/damage.ts';
import { expectNothingFound } from '../support/short-torture.ts';

test('any damage is reported and can be repaired', () => expectNothingFound(tortureDamage, 8));
