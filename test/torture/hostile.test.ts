// Hostile text, names and ids.

import { test } from 'vitest';
import { hostileOpen, hostileText, reachingOutside } from '../../torture/hostile.ts';
import { expectNothingFound } from '../support/short-torture.ts';

test('nothing active reaches the terminal', () => expectNothingFound(hostileText, 10));

test('no shell runs anything but claude, there', () => expectNothingFound(hostileOpen, 12));

test('nothing outside of the Claude folder is reached', () => expectNothingFound(reachingOutside, 1));
