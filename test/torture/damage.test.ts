// A damaged index at random places: told, and repaired.

import { test } from 'vitest';
import { tortureDamage } from '../../torture/damage.ts';
import { expectNothingFound } from '../support/short-torture.ts';

test('any damage is told and can be repaired', () => expectNothingFound(tortureDamage, 8));
