// Forgetting that is cut short is finished by the next command.

import { test } from 'vitest';
import { forgetReadOnly, forgetWithoutRoom, interruptForget, killForget } from '../../torture/forget.ts';
import { expectNothingFound } from '../support/short-torture.ts';

test('killed at any call that changes a file', () => expectNothingFound(killForget, 12));

test('interrupted while another recall archives', () => expectNothingFound(interruptForget, 1));

test('no room to write the index anew', () => expectNothingFound(forgetWithoutRoom, 4));

test('an archive that may only be read', () => expectNothingFound(forgetReadOnly, 1));
