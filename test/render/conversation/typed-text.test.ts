// What a person typed stays as it was; only fenced code is recognised.

import { expect, test } from 'vitest';
import { toTypedBlocks } from '../../../src/render/conversation/typed-text.ts';

test.each([
  ['\n\n  a  b \n\n', [[false, '', '  a  b']]],
  [
    'a\n```ts\nb\n```\nc',
    [
      [false, '', 'a'],
      [true, 'ts', 'b'],
      [false, '', 'c'],
    ],
  ],
  ['~~~~  ts and more \nb\n~~~\n~~~~\n', [[true, 'ts', 'b\n~~~']]],
  ['``` a ` b', [[false, '', '``` a ` b']]],
  ['~~~ts`\nb', [[false, '', '~~~ts`\nb']]],
  ['```\nb', [[true, '', 'b']]],
  ['    ```\nb', [[false, '', '    ```\nb']]],
  [' \n', []],
])('%j', (text, blocks) => {
  expect(toTypedBlocks(text).map((block) => [block.isCode, block.language, block.text])).toEqual(blocks);
});
