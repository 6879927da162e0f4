// The one field of a tool's input that is kept.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toToolTarget } from '../../../src/sources/claude/content-blocks.ts';

const fields = [
  ...['file_path', 'notebook_path', 'path', 'command', 'pattern', 'url', 'query', 'description', 'skill'],
  'subagent_type',
];

test.each(fields.map((field, rank) => [field, fields.slice(rank)] as const))(
  '%s goes before what comes after it in the list',
  (field, rest) => {
    const input = Object.fromEntries(rest.toReversed().map((name) => [name, `the ${name}`]));
    expect(toToolTarget(input)).toBe(`the ${field}`);
  },
);

test('an empty or wrongly typed field gives way to the next', () => {
  expect(toToolTarget({ file_path: '', path: 7, command: ['ls'], pattern: 'TODO' })).toBe('TODO');
  expect(toToolTarget({ content: 'x', old_string: 'y' })).toBeNull();
});

test('a target is at most 400 characters, and clean', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', size: 'large', minLength: 1 }), (command) => {
      const target = toToolTarget({ command }) ?? '';
      expect(target.length).toBeLessThanOrEqual(400);
      expect(target.isWellFormed()).toBe(true);
      expect(target).not.toContain('\0');
    }),
  );
});
