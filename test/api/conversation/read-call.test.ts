// One tool call as a whole, images of a transcript, and the outline of a conversation.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Recall } from '../../../src/api/recall.ts';
import { findImages, findImageType } from '../../../src/sources/transcript/find-images.ts';
import { assistantLine, at, TempHome, toolUse, userLine } from '../../support/home.ts';
import { toHost } from '../../support/host.ts';
import { indexHome } from '../../support/index-home.ts';

const png = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==`;
const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'x'.repeat(100)}</svg>`).toString(
  'base64',
);
const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const image = (data: string, type = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data },
});
const result = (toolId: string, content: unknown) => ({ type: 'tool_result', tool_use_id: toolId, content });
const long = Array.from({ length: 900 }, (_, i) => `line ${i} of the output`).join('\n');

const home = new TempHome();
const recall = new Recall(toHost(home));
let path = '';

beforeAll(async () => {
  path = home.writeSession(id, [
    userLine('look at the okapi', { timestamp: at(0) }),
    assistantLine(
      [
        toolUse(
          'Edit',
          { file_path: '/a.ts', old_string: 'one\ntwo', new_string: 'one: 2\nthree', replace_all: false },
          'c1',
        ),
        toolUse('Read', { file_path: '/b.png' }, 'c2'),
      ],
      { timestamp: at(1) },
    ),
    userLine([result('c2', [image(png), image(svg)])], { timestamp: at(2) }),
    userLine([result('c1', 'edited')], { timestamp: at(3) }),
    assistantLine([toolUse('Bash', { command: 'make' }, 'c3')], { timestamp: at(4) }),
    userLine([result('c3', long)], { timestamp: at(5) }),
    userLine([{ type: 'text', text: 'and this [Image #1]' }, image(png)], { timestamp: at(6) }),
    assistantLine('an okapi, indeed', { timestamp: at(7) }),
  ]);
  await indexHome(home);
});
afterAll(() => {
  recall.close();
  home.remove();
});

describe('a tool call', () => {
  test('has what it was given by name, and what it answered', async () => {
    const call = await recall.readCall(id, { line: 2, nth: 0 });
    expect(call).toMatchObject({ name: 'Edit', target: '/a.ts', output: 'edited', images: [], isCut: false });
    expect(call.given).toEqual([
      { name: 'file_path', text: '/a.ts' },
      { name: 'old_string', text: 'one\ntwo' },
      { name: 'new_string', text: 'one: 2\nthree' },
      { name: 'replace_all', text: 'false' },
    ]);
  });

  test('has the images of its own answer, by what their bytes say: no SVG', async () => {
    const call = await recall.readCall(id, { line: 2, nth: 1 });
    expect(call.images.map(({ type, bytes }) => [type, bytes.toString('base64')])).toEqual([
      ['image/png', png],
    ]);
  });

  test('what was left out of the index is read from the transcript', async () => {
    const cut = await recall.readCall(id, { line: 5, nth: 0 });
    expect(cut.isCut).toBe(true);
    expect(cut.output).toContain('characters left out');
    expect(cut.output).not.toContain('line 450 of');
    const whole = await recall.readCall(id, { line: 5, nth: 0, whole: true });
    expect(whole).toMatchObject({ isCut: false, output: long });
  });

  test('one that is not there is an error', async () => {
    await expect(recall.readCall(id, { line: 1, nth: 0 })).rejects.toMatchObject({ code: 'no-such-call' });
    await expect(recall.readCall(id, { line: -1, nth: 0 })).rejects.toMatchObject({ code: 'usage' });
  });
});

test('the images of a message', async () => {
  expect((await recall.readImages(id, 7)).map(({ type }) => type)).toEqual(['image/png']);
  expect(await recall.readImages(id, 1)).toEqual([]);
  expect(await recall.readImages(id, 999)).toEqual([]);
});

test('the outline has the prompts and what matches, by the numbers of messages', async () => {
  const { messageCount, prompts, matches } = await recall.outline(id, { match: 'okapi' });
  expect({ messageCount, prompts, positions: matches?.positions }).toEqual({
    messageCount: 3,
    prompts: [
      { position: 1, timestamp: at(0), text: 'look at the okapi' },
      { position: 2, timestamp: at(6), text: 'and this [Image #1]' },
    ],
    positions: [1, 3],
  });
  expect((await recall.outline(id, { match: 'make' })).matches).toMatchObject({
    positions: [1],
    callLines: [5],
  });
  expect((await recall.outline(id)).matches).toBeNull();
  expect((await recall.outline(id, { match: '-' })).matches).toBeNull();
});

test('a type is what the first bytes say', () => {
  const typeOf = (text: string) => findImageType(Buffer.from(text, 'latin1'));
  expect(
    ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff\xe0', 'GIF89a', 'RIFF\0\0\0\0WEBP', '<svg', 'GIF', ''].map(typeOf),
  ).toEqual(['image/png', 'image/jpeg', 'image/gif', 'image/webp', null, null, null]);
  expect(findImages({ a: [{ b: `data:image/svg+xml;base64,${png}` }], c: png })).toHaveLength(1);
  expect(findImages('x'.repeat(100))).toEqual([]);
});

// Last: the transcript changes.
test('where the transcript is deleted or is not the one that was indexed, the index answers', async () => {
  const full = join(home.claudeDir, path);
  const text = readFileSync(full, 'utf8');
  writeFileSync(full, text.replaceAll('"Edit"', '"Other"'));
  expect(await recall.readCall(id, { line: 2, nth: 0, whole: true })).toMatchObject({
    output: 'edited',
    images: [],
  });
  rmSync(full);
  expect(await recall.readCall(id, { line: 5, nth: 0, whole: true })).toMatchObject({
    isCut: false,
    images: [],
  });
  expect(await recall.readImages(id, 7)).toEqual([]);
});
