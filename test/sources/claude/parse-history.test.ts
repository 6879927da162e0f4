// Prompts of history.jsonl.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHistoryLine } from '../../../src/sources/claude/parse-history.ts';

const pasted = {
  '1': { id: 1, type: 'text', content: 'line 1\nline 2' },
  '2': { id: 2, contentHash: 'abc' },
};

describe('parseHistoryLine', () => {
  test('a line of today', () => {
    const line = { display: ' fix it ', timestamp: 1772704800000, project: '/home/u/shop', sessionId: 's1' };
    expect(parseHistoryLine(line)).toEqual({
      ...{ kind: 'prompt', text: 'fix it', nativeId: 's1', project: '/home/u/shop' },
      timestamp: '2026-03-05T10:00:00.000Z',
    });
  });

  test('an old line names no session', () => {
    expect(parseHistoryLine({ display: 'fix it', project: '/p' })).toEqual({
      ...{ kind: 'prompt', text: 'fix it', nativeId: null, project: '/p', timestamp: null },
    });
  });

  test.each([
    ['/clear', null],
    ['/review the cart', 'the cart'],
    ['see [Pasted text #1 +2 lines] and [Pasted text #1]', 'see line 1\nline 2 and line 1\nline 2'],
    ['see [Pasted text #2 +1 line]', 'see [Pasted text #2 +1 line]'],
    ['see [Pasted text #9]', 'see [Pasted text #9]'],
    ['see [Image #1]', 'see [Image #1]'],
    ['', null],
    ['nul\0 gone', 'nul gone'],
  ])('%j', (display, text) => {
    expect(parseHistoryLine({ display, pastedContents: pasted })?.text ?? null).toBe(text);
  });

  test('what was pasted is not put in without end', () => {
    const display = '[Pasted text #1]'.repeat(100);
    const pastedContents = { 1: { content: 'x'.repeat(1_000_000) } };
    const text = parseHistoryLine({ display, pastedContents })?.text ?? '';
    expect(text.length).toBeLessThan(4_010_000);
    expect(text.endsWith('[Pasted text #1]')).toBe(true);
  });

  test('pasted text is put in as it is', () => {
    const line = { display: '[Pasted text #1]', pastedContents: { '1': { content: 'costs $& and $1' } } };
    expect(parseHistoryLine(line)?.text).toBe('costs $& and $1');
  });

  test('any fields give a prompt or nothing', () => {
    const fields = ['display', 'pastedContents', 'timestamp', 'project', 'sessionId', '__proto__'];
    const display = fc.constantFrom('[Pasted text #1]', 'words', '/x', '[Pasted text #__proto__]');
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...fields), fc.oneof(display, fc.jsonValue())), (line) => {
        const prompt = parseHistoryLine(line);
        if (prompt !== null) expect(prompt.text.trim()).not.toBe('');
      }),
    );
  });
});
