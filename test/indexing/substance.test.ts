// Which prompts say what a session is about.

import { expect, test } from 'vitest';
import { isOfSubstance } from '../../src/indexing/settle.ts';

test.each([
  'hi',
  'Hello there!',
  '.',
  'ls',
  '',
  '???',
  'ok',
  '/init',
  'test',
  'good morning claude',
  'git',
  '你好',
])('%j says nothing', (text) => {
  expect(isOfSubstance(text)).toBe(false);
});

test.each([
  'fix the login',
  'hi, the build fails',
  'refactor',
  'npm test',
  '/review the pull request',
  '修复连接池',
  'go on with jwt',
])('%j says something', (text) => {
  expect(isOfSubstance(text)).toBe(true);
});
