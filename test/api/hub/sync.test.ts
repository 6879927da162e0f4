// Sending and receiving as the other parts of recall see it: what is in the way is said, and nothing else fails for it.

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Recall } from '../../../src/api/recall.ts';
import { readIdentity } from '../../../src/hub/settings.ts';
import { assistantLine, TempHome, userLine } from '../../support/home.ts';
import { toHost } from '../../support/host.ts';

const id = '5c0de5ca-1e00-4000-8000-00000000b0a7';
let homes: TempHome[];
let hub: string;

beforeEach(() => {
  homes = [new TempHome(), new TempHome(), new TempHome()];
  hub = join((homes[2] as TempHome).path, 'hub');
});
afterEach(() => {
  for (const home of homes) home.remove();
});

const homeOf = (n: number) => homes[n] as TempHome;
const open = (n: number, some: Parameters<typeof toHost>[1] = {}) => {
  const host = toHost(homeOf(n), { machine: 'same-name', ...some });
  return { host, recall: new Recall(host) };
};
const write = (n: number, text: string) =>
  homeOf(n).writeSession(id, [userLine(text, { sessionId: id }), assistantLine('yes', { sessionId: id })]);

async function joinBoth(): Promise<void> {
  const first = open(0);
  await first.recall.hub.join({ where: hub, name: 'laptop' });
  first.recall.close();
  const key = readIdentity(first.host.at) ?? '';
  const second = open(1);
  await second.recall.hub.join({ where: hub, name: 'desktop', key });
  second.recall.close();
}

test('two machines with one host name are two', async () => {
  write(0, 'the walrus sleeps');
  await joinBoth();
  const { recall } = open(1);
  const { machines } = await recall.hub.status();
  expect(machines.map(({ name }) => name).sort()).toEqual(['desktop', 'laptop']);
  write(1, 'the walrus sleeps');
  const { sessions, total } = await recall.list();
  expect(total).toBe(2);
  expect(sessions.map(({ session }) => session.machine).sort()).toEqual(['laptop', null].sort());
  recall.close();
});

test('a disk that is nearly full stops receiving and nothing else', async () => {
  await joinBoth();
  write(0, 'the walrus sleeps');
  const sender = open(0);
  await sender.recall.index();
  sender.recall.close();
  const full = open(1, { readSpace: () => ({ freeBytes: 1e8, totalBytes: 1e12 }) });
  const { hub: synced } = await full.recall.index();
  expect(synced?.obstacle).toContain('only 100 MB free');
  expect((await full.recall.hub.status()).obstacle).toContain('only 100 MB free');
  full.recall.close();
  const { recall } = open(1);
  expect((await recall.index()).hub).toMatchObject({ obstacle: null, pulled: { sessions: 1 } });
  expect((await recall.search({ query: 'walrus' })).total).toBe(1);
  recall.close();
});

test('a hub that cannot be written is said to be so, and is sent to the next time', async () => {
  await joinBoth();
  write(0, 'the walrus sleeps');
  const { host, recall } = open(0);
  // Something is in the place of the folder.
  const { machine } = JSON.parse(
    JSON.stringify(
      await import('../../../src/hub/settings.ts').then(({ readHubSettings }) => readHubSettings(host.at)),
    ),
  );
  const own = join(hub, machine, 'sessions');
  rmSync(own, { recursive: true, force: true });
  writeFileSync(own, '');
  expect((await recall.index()).hub?.obstacle).toContain('cannot be written');
  rmSync(own);
  expect((await recall.index()).hub).toMatchObject({ obstacle: null, pushed: { sessions: 1 } });
  recall.close();
});

test('a search does not ask the hub', async () => {
  write(0, 'the walrus sleeps');
  await joinBoth();
  rmSync(hub, { recursive: true });
  const { recall } = open(1);
  expect((await recall.search({ query: 'walrus' })).total).toBe(1);
  expect((await recall.list({ machine: 'laptop' })).total).toBe(1);
  expect(existsSync(hub)).toBe(false);
  recall.close();
});

test('secrets are kept out of what is received, where they are kept out of the index', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  await joinBoth();
  write(0, `the walrus has ${secret}`);
  const sender = open(0);
  await sender.recall.index();
  sender.recall.close();
  const { recall, host } = open(1);
  await recall.index({ redact: true });
  const { hits } = await recall.search({ query: 'walrus' });
  expect(JSON.stringify(hits)).not.toContain(secret);
  const { readStretches } = await import('../../../src/archive/segments.ts');
  const { eachCopy, readArchiveRoots } = await import('../../../src/archive/layout.ts');
  const texts = readArchiveRoots(host.archivePath).flatMap((root) =>
    [...eachCopy(root)].flatMap((copy) =>
      copy.versions.flatMap((version) =>
        [...readStretches(copy, version)].map((part) => ('bytes' in part ? part.bytes.toString() : '')),
      ),
    ),
  );
  expect(texts.join('')).toContain('walrus');
  expect(texts.join('')).not.toContain(secret);
  // It is not asked for again.
  expect((await recall.index()).hub?.pulled).toMatchObject({ segments: 0 });
  recall.close();
});

test('`archive off --delete` deletes what was received, and joining goes on from the start', async () => {
  write(0, 'the walrus sleeps');
  await joinBoth();
  const { recall, host } = open(1);
  await recall.archive.deleteAll();
  expect(existsSync(host.archivePath) ? readdirSync(host.archivePath) : []).toEqual([]);
  expect((await recall.hub.sync()).pulled).toMatchObject({ sessions: 1 });
  recall.close();
});
