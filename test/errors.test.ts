// Errors that a person can do something about, and the reasons in them.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXIT_ERROR, EXIT_NOTHING_FOUND, EXIT_OK, toReason, UserError } from '../src/errors.ts';

test('exit codes are 0 done, 1 nothing found, 2 error', () => {
  expect([EXIT_OK, EXIT_NOTHING_FOUND, EXIT_ERROR]).toEqual([0, 1, 2]);
});

describe('UserError', () => {
  test('carries code, hint, cause and exit code', () => {
    const cause = new Error('underneath');
    const error = new UserError('no such thing', { code: 'no-thing', hint: 'recall index', cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      ...{ name: 'UserError', message: 'no such thing', code: 'no-thing', hint: 'recall index', exitCode: 2 },
      cause,
    });
  });

  test('without a hint, with another exit code', () => {
    const error = new UserError('nothing', { code: 'none', exitCode: 1 });
    expect([error.hint, error.exitCode]).toEqual([undefined, 1]);
  });
});

describe('toReason', () => {
  test('is the system’s words without code, call and path', () => {
    expect(toReason(failure(() => readFileSync('/nowhere/at, all')))).toBe('no such file or directory');
    expect(toReason(failure(() => readFileSync('/')))).toBe('illegal operation on a directory');
  });

  test('survives names with quotes and newlines', () => {
    expect(toReason(failure(() => readFileSync("/nowhere/it's\nodd")))).toBe('no such file or directory');
  });

  test('leaves other messages as they are', () => {
    expect(toReason(new Error('plain, words'))).toBe('plain, words');
    expect(toReason('a string')).toBe('a string');
    expect(toReason(undefined)).toBe('undefined');
  });
});

function failure(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
