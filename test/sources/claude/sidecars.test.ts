// The small JSON files beside the transcripts, whole and broken.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCleanupDays } from '../../../src/sources/claude/roots.ts';
import {
  parseCustomTitle,
  parseSessionsIndex,
  parseSubagentMeta,
} from '../../../src/sources/claude/sidecars.ts';
import { parseJsonObject } from '../../../src/sources/json/json-value.ts';

const wrongTypes = [null, 7, '', '  ', true, [], {}, ['text'], { text: 'text' }];

describe('parseJsonObject', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['\uFEFF{"a":1}\r\n', { a: 1 }],
    ['', null],
    ['{"a":', null],
    ['{"a":1}{"b":2}', null],
    ['[{"a":1}]', null],
    ['"text"', null],
    ['null', null],
    ['\0\0\0', null],
  ])('%j', (text, value) => {
    expect(parseJsonObject(text)).toEqual(value);
  });

  test('any text gives an object or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        const value = parseJsonObject(text);
        expect(value === null || (typeof value === 'object' && !Array.isArray(value))).toBe(true);
      }),
    );
  });
});

describe('parseSessionsIndex', () => {
  test('a full entry', () => {
    const entry = {
      ...{ sessionId: 's1', fullPath: '/x/s1.jsonl', fileMtime: 1772704800000, firstPrompt: ' hello ' },
      ...{ summary: 'Greeting', customTitle: 'Mine', messageCount: 4, created: '2026-03-05T10:00:00.000Z' },
      ...{ modified: '2026-03-05T11:00:00.000Z', gitBranch: 'dev', projectPath: '/home/u/shop' },
      ...{ isSidechain: false, prNumber: 7, prUrl: 'https://x/7', prRepository: 'u/shop' },
    };
    expect(parseSessionsIndex({ version: 1, originalPath: '/other', entries: [entry] })).toEqual([
      {
        ...{ nativeId: 's1', firstPrompt: 'hello', summary: 'Greeting', customTitle: 'Mine', branch: 'dev' },
        ...{ createdAt: '2026-03-05T10:00:00.000Z', modifiedAt: '2026-03-05T11:00:00.000Z' },
        projectPath: '/home/u/shop',
        pullRequest: { number: 7, url: 'https://x/7', repository: 'u/shop' },
      },
    ]);
  });

  test('an entry with nothing but an id takes the folder’s path', () => {
    expect(parseSessionsIndex({ originalPath: '/home/u/shop', entries: [{ sessionId: 's1' }] })).toEqual([
      {
        ...{ nativeId: 's1', firstPrompt: null, summary: null, customTitle: null, branch: null },
        ...{ createdAt: null, modifiedAt: null, projectPath: '/home/u/shop', pullRequest: null },
      },
    ]);
  });

  test('the file’s time is used for a missing date of change', () => {
    const [hint] = parseSessionsIndex({ entries: [{ sessionId: 's1', fileMtime: 1772704800000 }] });
    expect(hint?.modifiedAt).toBe('2026-03-05T10:00:00.000Z');
  });

  test('“No prompt” is no prompt', () => {
    const [hint] = parseSessionsIndex({ entries: [{ sessionId: 's1', firstPrompt: 'No prompt' }] });
    expect(hint?.firstPrompt).toBeNull();
  });

  test('sidechains, entries without id and things that are no entries are passed over', () => {
    const entries = [
      { sessionId: 's1', isSidechain: true },
      { summary: 'x' },
      { sessionId: 7 },
      null,
      7,
      'x',
      [],
    ];
    expect(parseSessionsIndex({ entries })).toEqual([]);
  });

  test.each([undefined, ...wrongTypes])('entries: %j is an empty index', (entries) => {
    expect(parseSessionsIndex({ entries })).toEqual([]);
  });

  test('fields of any type never throw', () => {
    const fields = [
      'sessionId',
      'firstPrompt',
      'summary',
      'created',
      'modified',
      'fileMtime',
      'prNumber',
      '__proto__',
    ];
    const entry = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, fc.jsonValue())), fc.jsonValue(), (entries, originalPath) => {
        for (const hint of parseSessionsIndex({ entries, originalPath })) expect(hint.nativeId).not.toBe('');
      }),
    );
  });
});

describe('other sidecars', () => {
  test('subagent meta', () => {
    expect(
      parseSubagentMeta({ agentType: 'Explore', description: 'Find it', toolUseId: 't1', spawnDepth: 1 }),
    ).toEqual({
      ...{ subagentType: 'Explore', description: 'Find it', toolUseId: 't1' },
    });
    expect(parseSubagentMeta({ name: 'reviewer' }).description).toBe('reviewer');
    for (const value of wrongTypes) {
      expect(parseSubagentMeta({ agentType: value, description: value, name: value, toolUseId: 7 })).toEqual({
        ...{ subagentType: null, description: null, toolUseId: null },
      });
    }
  });

  test('custom titles', () => {
    expect(parseCustomTitle({ customTitle: ' Mine\0 ', title: 'x' })).toBe('Mine');
    expect(parseCustomTitle({ title: 'Also mine' })).toBe('Also mine');
    for (const value of wrongTypes) expect(parseCustomTitle({ customTitle: value })).toBeNull();
  });

  test.each([
    [null, 30],
    [{}, 30],
    [{ cleanupPeriodDays: 90 }, 90],
    [{ cleanupPeriodDays: 0 }, 0],
    [{ cleanupPeriodDays: -1 }, 30],
    [{ cleanupPeriodDays: '90' }, 30],
  ])('settings %j delete after %i days', (settings, days) => {
    expect(parseCleanupDays(settings)).toBe(days);
  });
});
