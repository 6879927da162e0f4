// Editing JSON as text: the right value, in the style of the text, and nothing else changed.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addItem, atEnd, findRepeatedKey, removeItem } from '../../src/setup/claude-settings.ts';
import { choices, writeJson } from '../support/written-json.ts';

const value = { hooks: [{ type: 'command', async: true }] };

describe('adding', () => {
  test.each([
    ['two spaces', '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}\n'],
    ['four spaces', '{\n    "a": 1\n}', '{\n    "a": 1,\n    "b": [\n        2\n    ]\n}'],
    ['tabs', '{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"b": [\n\t\t2\n\t]\n}\n'],
    ['Windows lines', '{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "b": [\r\n    2\r\n  ]\r\n}\r\n'],
    ['one line', '{"a":1}', '{"a":1,"b":[2]}'],
    ['one line with spaces', '{ "a": 1 }\n', '{ "a": 1, "b": [ 2 ] }\n'],
    ['an empty one', '{}\n', '{\n  "b": [\n    2\n  ]\n}\n'],
    ['an empty one over two lines', '{\n}\n', '{\n  "b": [\n    2\n  ]\n}\n'],
  ])('%s', (_, text, expected) => {
    expect(addItem(text, ['b'], [2])).toBe(expected);
  });

  test('to a list on a line of its own within a text of many', () => {
    expect(addItem('{\n  "a": [1, 2],\n  "b": 0\n}', ['a', atEnd], { c: [3] })).toBe(
      '{\n  "a": [1, 2, { "c": [ 3 ] }],\n  "b": 0\n}',
    );
  });

  test('to an empty object in the middle', () => {
    expect(addItem('{\n  "a": {},\n  "b": 0\n}', ['a', 'c'], 1)).toBe(
      '{\n  "a": {\n    "c": 1\n  },\n  "b": 0\n}',
    );
  });

  test('with the objects and lists on the way to it', () => {
    expect(addItem('{"a":1}', ['b', 'c', atEnd], 2)).toBe('{"a":1,"b":{"c":[2]}}');
    expect(addItem('{\n  "b": {}\n}', ['b', 'c'], 2)).toBe('{\n  "b": {\n    "c": 2\n  }\n}');
  });

  test('next to a value on one line, which keeps its form', () => {
    expect(addItem('{\n  "a": {"x": [1,2]}\n}', ['b'], 3)).toBe('{\n  "a": {"x": [1,2]},\n  "b": 3\n}');
  });
});

test('a key that occurs twice on the way is found', () => {
  expect(findRepeatedKey('{"a":{"x":1},"a":{"y":2}}', ['a', 'y'])).toBe('a');
  expect(findRepeatedKey('{"a":[{"x":1,"x":2}]}', ['a', 0, 'x'])).toBe('x');
  expect(findRepeatedKey('{"b":1,"b":2,"a":{"x":1}}', ['a', 'x'])).toBeUndefined();
});

describe('removing', () => {
  test.each([
    ['the last', '{\n  "a": 1,\n  "b": 2\n}\n', ['b'], '{\n  "a": 1\n}\n'],
    ['the first', '{\n  "a": 1,\n  "b": 2\n}\n', ['a'], '{\n  "b": 2\n}\n'],
    ['the only one', '{\n  "a": 1\n}\n', ['a'], '{}\n'],
    ['of a list', '[1, 2, 3]', [1], '[1, 3]'],
    ['the last of a list', '[1, 2]', [1], '[1]'],
    ['with what is empty then', '{"a":{"b":[{"c":1}]},"d":0}', ['a', 'b', 0], '{"d":0}'],
    ['but not with what is not', '{"a":{"b":[1],"x":0}}', ['a', 'b', 0], '{"a":{"x":0}}'],
    ['what is not there', '{"a":1}', ['b'], '{"a":1}'],
  ])('%s', (_, text, path, expected) => {
    expect(removeItem(text, path)).toBe(expected);
  });
});

const object = fc.dictionary(
  fc.string().filter((key) => key !== 'added' && key !== '__proto__'),
  fc.jsonValue(),
  { minKeys: 1 },
);
const indents = fc.constantFrom(undefined, 1, 2, 4, '\t');

describe('any text', () => {
  test('adding and removing again leaves no trace', () => {
    fc.assert(
      fc.property(object, choices, (settings, ways) => {
        const text = writeJson(settings, ways);
        const added = addItem(text, ['added'], value);
        expect(JSON.parse(added)).toEqual({ ...JSON.parse(text), added: value });
        expect(removeItem(added, ['added', 'hooks', 0])).toBe(text);
      }),
    );
  });

  test('it looks as if the serialiser that wrote the text had written it all', () => {
    fc.assert(
      fc.property(object, indents, (settings, indent) => {
        const text = JSON.stringify(settings, null, indent);
        const whole = { ...(JSON.parse(text) as object), added: value };
        expect(addItem(text, ['added'], value)).toBe(JSON.stringify(whole, null, indent));
      }),
    );
  });
});
