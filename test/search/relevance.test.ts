// A small set of queries on the demo home, and the session that a person means by each.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, type Indexed, idsOf, indexed } from './ask.ts';

let index: Indexed;

beforeAll(async () => {
  index = await indexed(() => {}, ['fixtures/demo-home']);
});

afterAll(() => index.close());

const found = async (text: string) => idsOf(await ask(index.store, text)).map((id) => id.slice(0, 8));

describe('first', () => {
  test.each([
    // keywords
    ['stripe webhook', '0a0c32c9'],
    ['rate limiting login', '853fdd74'],
    ['checkout zod schema', '062ce12e'],
    ['zsh start-up', '24ce48fb'],
    ['invoice rounding', '1c17221f'],
    ['feature flags', '2f265dcb'],
    ['prometheus histogram', '548f969e'],
    ['restic backup', 'ses_LdJ5'],
    // questions
    ['when did we move the queue to redis?', '98bfb5a7'],
    ['why is the order history page so slow?', '33ca1fe9'],
    ['how do we keep stripe from shipping orders twice', '0a0c32c9'],
    ['why does ssh ask for my passphrase in tmux', '239debe2'],
    ['what should we recommend to new users?', '7b243816'],
    // names in other styles, symbols, settings
    ['loginRateLimitWindowSeconds', '853fdd74'],
    ['softmax_chunk_size', 'b6c7f1d0'],
    ['C++ sampler', 'b6c7f1d0'],
    ['json_array_from', '33ca1fe9'],
    ['retry_after_refresh', '8d93e8d0'],
    // other scripts
    ['连接池', '7c88b795'],
    ['数据库 连接超时', '7c88b795'],
    ['郵便番号', '396f464d'],
    ['오프라인 평가', 'be92fb89'],
    ['гонка данных', '8b56364c'],
    ['курсы валют', '8b56364c'],
    ['naive resume cafe', 'c3fa4a31'],
    ['Grösse', 'c3fa4a31'],
    // paths and pasted errors
    ['internal/invoice/totals.go', '1c17221f'],
    ['src/checkout/address-form.tsx', '062ce12e'],
    ['TypeError: Reduce of empty array with no initial value', 'ee79cf1c'],
    ['No signatures found matching the expected signature for payload', '0a0c32c9'],
    ['RuntimeError: CUDA out of memory. Tried to allocate 2.31 GiB', 'b6c7f1d0'],
    ["ENOENT: no such file or directory, open 'C:\\Users\\maya\\blog\\src\\content", 'f5179d08'],
    // typing mistakes
    ['strpie webhook', '0a0c32c9'],
    ['idempotnet handler', '0a0c32c9'],
  ])('%s → %s', async (query, id) => {
    expect((await found(query))[0]).toBe(id);
  });
});

describe('among the first three', () => {
  test.each([
    ['jwt middleware', ['66c737db', '5b60eaeb']],
    ['clock skew', ['66c737db', '5b60eaeb']],
    ['get_user_by_id', ['66c737db', '5b60eaeb', '7b243816']],
    ['getUserById', ['66c737db', '5b60eaeb', '7b243816']],
    ['src/middleware/jwt-auth.ts', ['66c737db', '5b60eaeb']],
    ['TokenExpiredError: jwt expired', ['66c737db', '5b60eaeb']],
  ])('%s → one of %j', async (query, ids) => {
    const first = (await found(query)).slice(0, 3);
    expect(first.some((id) => ids.includes(id))).toBe(true);
  });
});

test('a fork and its original are one result', async () => {
  const ids = await found('jwt middleware refresh rotation');
  expect(ids.filter((id) => id === '66c737db' || id === '5b60eaeb')).toHaveLength(1);
});

test.each([
  ['wombat', 'Bash'],
  ['quokka', 'Read'],
])('%s occurs only in what %s answered', async (word, tool) => {
  const [hit, ...others] = (await ask(index.store, word)).hits;
  expect(others).toEqual([]);
  expect(hit?.matches).toMatchObject([{ toolText: { kind: 'tool-output', tool } }]);
  const findIn = async (part: 'said' | 'done') => {
    const result = await ask(index.store, word, { filters: { only: { in: part } } });
    return result.tier === 'all' ? idsOf(result) : [];
  };
  expect([await findIn('done'), await findIn('said')]).toEqual([[hit?.session.nativeId], []]);
});

test.each(['Kerberos', 'ocelot', 'narwhal', 'pelican', 'flamingo', 'teal'])(
  '%s occurs only in what is not indexed',
  async (word) => {
    for (const query of [word, `"${word}"`]) {
      const result = await ask(index.store, query);
      expect(result.tier === 'all' ? idsOf(result) : []).toEqual([]);
    }
  },
);
