// Editing as in a shell: each key against what readline does.

import { describe, expect, test } from 'vitest';
import { editLine, type Line } from '../../src/screen/edit-line.ts';

/** `|` is the cursor. */
const toLine = (text: string): Line => ({ text: text.replace('|', ''), cursor: text.indexOf('|') });
const toText = ({ text, cursor }: Line) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe('editing', () => {
  test.each([
    ['ctrl-a', 'one two|', '|one two'],
    ['ctrl-e', '|one two', 'one two|'],
    ['ctrl-u', 'one t|wo', '|wo'],
    ['ctrl-k', 'one t|wo', 'one t|'],
    ['ctrl-w', 'cd src/text |x', 'cd |x'],
    ['alt-backspace', 'src/text|', 'src/|'],
    ['alt-d', 'one| two', 'one|'],
    ['alt-b', 'one two|', 'one |two'],
    ['alt-f', '|one two', 'one| two'],
    ['left', 'ne\u0301|', 'n|e\u0301'],
    ['backspace', 'x👩‍👧|', 'x|'],
    ['delete', '|数据', '|据'],
    ['left', '|x', '|x'],
    ['right', 'x|', 'x|'],
  ])('%s: %s → %s', (name, before, after) => {
    expect(toText(editLine(toLine(before), { type: 'key', name }) as Line)).toBe(after);
  });

  test('text goes to the cursor; a paste becomes one line without anything active', () => {
    expect(toText(editLine(toLine('a|c'), { type: 'text', text: 'b' }) as Line)).toBe('ab|c');
    const pasted = editLine(toLine('|'), { type: 'paste', text: 'one\r\ntwo\x1b[31m\x07' });
    expect(toText(pasted as Line)).toBe('one two[31m|');
  });

  test('a key that does not edit is left to others', () => {
    expect(editLine(toLine('|'), { type: 'key', name: 'up' })).toBeUndefined();
  });
});
