import { CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { reportError } from '../../src/command-line/error-report.ts';
import { UserError } from '../../src/errors.ts';
import { hint, recall } from '../../src/hints.ts';

const lost = new UserError('nothing is there', {
  code: 'not-found',
  hint: hint`${recall('list')}`,
  exitCode: 1,
});

describe('an error', () => {
  test('that the user can mend is told with the next step, and the flags that were given', () => {
    expect(reportError(lost, false, ' --db x')).toEqual({
      exitCode: 1,
      json: '',
      complaint: 'recall: nothing is there\n  try: recall list --db x\n',
    });
  });

  test('without a next step is one line', () => {
    expect(reportError(new UserError('no', { code: 'usage' }), false, '')).toEqual({
      exitCode: 2,
      json: '',
      complaint: 'recall: no\n',
    });
  });

  test('is one object for programs, and nothing else', () => {
    const { json, complaint, exitCode } = reportError(lost, true, '');
    expect(JSON.parse(json)).toEqual({
      error: { code: 'not-found', message: 'nothing is there', hint: 'recall list' },
    });
    expect(json.endsWith('\n')).toBe(true);
    expect([complaint, exitCode]).toEqual(['', 1]);
  });

  test('of the output itself is not written to it', () => {
    const error = new UserError('the disk is full', { code: 'no-output' });
    expect(reportError(error, true, '')).toMatchObject({
      json: '',
      complaint: 'recall: the disk is full\n',
    });
  });

  test('that is a mistake of ours shows where it happened, to programs as well', () => {
    const report = reportError(new TypeError('oops'), true, '');
    expect(JSON.parse(report.json)).toEqual({ error: { code: 'internal', message: 'oops', hint: null } });
    expect(report.complaint).toMatch(/^recall: internal error\nTypeError: oops\n {4}at /);
    expect(reportError('thrown as it is', false, '')).toEqual({
      exitCode: 2,
      json: '',
      complaint: 'recall: internal error\nthrown as it is\n',
    });
  });

  test('that commander has printed is not printed again', () => {
    const nothing = { json: '', complaint: '' };
    expect(reportError(new CommanderError(0, 'commander.help', 'help'), false, '')).toEqual({
      exitCode: 0,
      ...nothing,
    });
    expect(reportError(new CommanderError(1, 'commander.unknown', 'no'), false, '')).toEqual({
      exitCode: 2,
      ...nothing,
    });
  });
});
