// What a caller without TypeScript may give: every mistake is an error that names the parameter.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Recall } from '../../src/api/recall.ts';
import { UserError } from '../../src/errors.ts';
import { openRecall } from '../../src/library.ts';
import { TempHome, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';

const home = new TempHome();
const id = 'aaaaaaaa-0000-4000-8000-000000000001';
let recall: Recall;
beforeAll(async () => {
  home.writeSession(id, [userLine('why does the okapi fail')]);
  recall = new Recall(toHost(home));
  await recall.index();
});
afterAll(() => {
  recall.close();
  home.remove();
});

type Call = (value: never) => Promise<unknown>;

const texts: Readonly<Record<string, Call>> = {
  query: (query) => recall.search({ query }),
  project: (project) => recall.search({ query: 'okapi', project }),
  since: (since) => recall.list({ since }),
  branch: (branch) => recall.list({ branch }),
  role: (role) => recall.search({ query: 'okapi', role }),
  kind: (kind) => recall.list({ kind }),
  path: (path) => recall.fileHistory({ path }),
  text: (text) => recall.projects({ text }),
  agent: (agent) => recall.projects({ agent }),
  ref: (ref) => recall.read(ref),
  match: (match) => recall.read(id, { match }),
  around: (around) => recall.read(id, { around }),
  into: (into) => recall.archive.restore(id, { into }),
};
const flags: Readonly<Record<string, Call>> = {
  all: (all) => recall.list({ all }),
  subagents: (subagents) => recall.search({ query: 'okapi', subagents }),
  refresh: (refresh) => recall.list({}, { refresh }),
  changedOnly: (changedOnly) => recall.fileHistory({ path: 'a.ts', changedOnly }),
  fork: (fork) => recall.resume(id, { fork }),
  rebuild: (rebuild) => recall.index({ rebuild }),
  repair: (repair) => recall.diagnose({ repair }),
  isOn: (isOn) => recall.archive.turn(isOn),
  older: (older) => recall.archive.readTranscript(id, { older }),
};
const numbers: Readonly<Record<string, Call>> = {
  limit: (limit) => recall.search({ query: 'okapi', limit }),
  last: (last) => recall.read(id, { last }),
  context: (context) => recall.read(id, { match: 'okapi', context }),
  olderThanDays: (olderThanDays) => recall.archive.prunable({ olderThanDays }),
};
const others: Readonly<Record<string, Call>> = {
  within: (within) => recall.list({ within }),
  range: (range) => recall.read(id, { range }),
  callTexts: (callTexts) => recall.read(id, { callTexts }),
  start: (start) => recall.readPage(start),
  forgettable: (it) => recall.forget(it),
  prunable: (it) => recall.archive.prune(it),
  onChanged: (onChanged) => recall.watch(onChanged),
  signal: (signal) => recall.list({}, { signal }),
};

async function refuses(name: string, call: Call, value: unknown): Promise<void> {
  const error = await call(value as never).then(
    () => null,
    (reason) => reason,
  );
  expect(error, `${name}: ${typeof value}`).toBeInstanceOf(UserError);
  expect(error).toMatchObject({
    code: 'usage',
    message: expect.stringMatching(`^${name} (must be|is missing)`),
  });
}

describe('a value of another type is refused by its name', () => {
  test.each(Object.entries(texts))('%s', async (name, call) => {
    for (const value of [7, true, {}, ['a'], Symbol('a'), () => 'a', new Date(0)])
      await refuses(name, call, value);
  });
  test.each(Object.entries(flags))('%s', async (name, call) => {
    for (const value of ['yes', 1, {}, [true]]) await refuses(name, call, value);
  });
  test.each(Object.entries(numbers))('%s', async (name, call) => {
    for (const value of ['3', -1, 1.5, Number.NaN, Infinity, 2n ** 70n, [1], {}])
      await refuses(name, call, value);
  });
  test.each(Object.entries(others))('%s', async (name, call) => {
    for (const value of ['x', 7, [1], null]) await refuses(name, call, value);
  });
});

test('what is required and not given is named, and a request is an object', async () => {
  await refuses('query', (value) => recall.search(value), {});
  await refuses('path', (value) => recall.fileHistory(value), {});
  await refuses('ref', (value) => recall.read(value), undefined);
  for (const request of ['okapi', 7, null, ['okapi']])
    await expect(recall.search(request as never)).rejects.toThrow(
      /^parameters must be in an object, not in /,
    );
});

test('no order but those there are', async () => {
  await expect(recall.search({ query: 'okapi', sort: 'name' as never })).rejects.toThrow(
    /^sort must be one of/,
  );
  await expect(recall.projects({ sort: 'constructor' as never })).rejects.toThrow(/^sort must be one of/);
});

test('options of openRecall', () => {
  for (const options of [
    { db: 7 },
    { claudeDirs: '/home' },
    { agentDirs: { codex: '/home' } },
    { now: 'today' },
    { env: 7 },
    { signal: {} },
    7,
  ])
    expect(() => openRecall(options as never)).toThrow(UserError);
});

test('whatever is given, the error is one that a person can do something about', async () => {
  const value = fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.entries({ ...texts, ...numbers })),
      value,
      async ([, call], odd) => {
        await call(odd as never).catch((error) => expect(error).toBeInstanceOf(UserError));
      },
    ),
    { numRuns: 300 },
  );
});
