// A server that lies: names that lead elsewhere, sizes and checksums that are wrong, parts that unpack to gigabytes, parts of one
// session under the name of another. Nothing of it reaches the archive, and what is sound still does.

import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatSegmentName, type Segment } from '../../src/archive/layout.ts';
import { toChecksum } from '../../src/archive/segments.ts';
import { UserError } from '../../src/errors.ts';
import type { Carrier, FoundSegment, Machine } from '../../src/hub/carrier.ts';
import { type HubKey, makeIdentity, readHubKey } from '../../src/hub/hub-key.ts';
import { type Parcel, toSegmentName, toSessionName, writeParcel } from '../../src/hub/parcel.ts';
import { pull } from '../../src/hub/pull.ts';

const machine = { key: randomUUID(), name: 'laptop', owner: null };
const sessionId = '5c0de5ca-1e00-4000-8000-00000000b0a7';
const key: HubKey = await readHubKey(await makeIdentity());
const otherKey: HubKey = await readHubKey(await makeIdentity());

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recall-hostile-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const archive = () => join(folder, 'archive');
const filesBelow = (path: string) =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
    : [];
const received = () => filesBelow(archive()).filter((name) => name.endsWith('.br'));

const text = Buffer.from('{"type":"user","sessionId":"x"}\n');
const sound = (content = text): Omit<Segment, 'name'> => ({
  version: 1,
  from: 0,
  to: content.length,
  checksum: toChecksum(content),
  fingerprint: '0'.repeat(16),
  redactionVersion: 0,
});

function toParcel(some: Partial<Parcel> = {}, facts = sound(), content = text): Parcel {
  return {
    agent: 'claude',
    session: sessionId,
    root: '/home/u/.claude',
    path: `projects/-home-u-shop/${sessionId}.jsonl`,
    name: formatSegmentName(`${sessionId}.jsonl`, facts),
    modifiedAtMs: 1000,
    cwd: null,
    remote: null,
    branch: null,
    commit: null,
    packed: brotliCompressSync(content),
    ...some,
  };
}

interface Sent {
  readonly found: FoundSegment;
  readonly bytes: Buffer | UserError | undefined;
}

/** As an honest machine sends it; what differs is up to the test. */
async function seal(
  parcel: Parcel,
  facts = sound(),
  some: Partial<FoundSegment> = {},
  by = key,
): Promise<Sent> {
  const segment = { ...facts, name: parcel.name };
  const bytes = await by.seal(writeParcel(parcel));
  const name = toSegmentName(key, machine.key, parcel, segment);
  const about = { machine: machine.key, owner: null, agent: 'claude', isTeam: false };
  const found = {
    id: randomUUID(),
    ...about,
    session: toSessionName(key, parcel),
    name,
    sizeBytes: bytes.length,
    ...some,
  };
  return { found, bytes };
}

async function receive(sent: readonly Sent[], machines: readonly Machine[] = [machine]) {
  const carrier = {
    owner: null,
    changes: async () => ({
      segments: sent.map(({ found }) => found),
      withdrawn: [],
      left: [],
      machines,
      next: () => '1',
      hasMore: false,
    }),
    get: async (ids: readonly string[]) =>
      new Map(
        sent
          .filter(({ found, bytes }) => ids.includes(found.id) && bytes !== undefined)
          .map(({ found, bytes }) => [found.id, bytes]),
      ),
  } as unknown as Carrier;
  return pull({
    carrier,
    key,
    archive: archive(),
    machine: randomUUID(),
    since: '',
    nowMs: 5000,
    signal: new AbortController().signal,
    checkSpace: () => {},
    takeLabels: async () => {},
    hold: (run) => run(),
    onProgress: () => {},
    drop: async () => {},
    index: async () => {},
    saveSince: async () => {},
  });
}

test('what is sound is received', async () => {
  const report = await receive([await seal(toParcel())]);
  expect(report).toMatchObject({ segments: 1, damages: [] });
  expect(received()).toHaveLength(1);
});

describe('refused, while the rest is received', () => {
  const bomb = Buffer.alloc(8 * 1024 * 1024);
  const cases: Record<string, () => Promise<Sent>> = {
    'a path that leads out of its folder': () =>
      seal(toParcel({ path: `projects/../../../${sessionId}.jsonl` })),
    'an absolute path': () => seal(toParcel({ path: `/etc/${sessionId}.jsonl` })),
    'a name that leads elsewhere': () => seal(toParcel({ name: `../../../../tmp/${toParcel().name}` })),
    'a name of another file': () => seal(toParcel({ name: formatSegmentName('other.jsonl', sound()) })),
    'an agent that nobody knows': () => seal(toParcel({ agent: 'evil' as 'claude' })),
    'a file of another session': () =>
      seal(toParcel({ path: `projects/-home-u-shop/${randomUUID()}.jsonl` })),
    'a part that unpacks to more than it says': () => seal(toParcel({ packed: brotliCompressSync(bomb) })),
    'a part that says that it holds gigabytes': () => {
      const facts = { ...sound(), to: 4e9 };
      return seal(toParcel({ name: formatSegmentName(`${sessionId}.jsonl`, facts) }, facts), facts);
    },
    'a part two hundred times its size': () => {
      const packed = brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
      const facts = sound(bomb);
      return seal(toParcel({ packed, name: formatSegmentName(`${sessionId}.jsonl`, facts) }, facts), facts);
    },
    'another content': () => seal(toParcel({ packed: brotliCompressSync(Buffer.from(text).reverse()) })),
    'what is not packed': () => seal(toParcel({ packed: text })),
    'the name of another part': () =>
      seal(toParcel(), sound(), { name: `${'0'.repeat(32)}.1.0-${text.length}` }),
    'the name of another session': () => seal(toParcel(), sound(), { session: '0'.repeat(32) }),
    'what was sealed with another key': () => seal(toParcel(), sound(), {}, otherKey),
    'what is said to be shared, and is not redacted': async () => ({
      ...(await seal(toParcel(), sound(), { isTeam: true, owner: 'eve', session: sessionId })),
      bytes: writeParcel(toParcel()),
    }),
    'sealed bytes that are said to be shared': () =>
      seal(toParcel(), sound(), { isTeam: true, owner: 'eve' }),
    'bytes that could not be read': async () => ({
      ...(await seal(toParcel())),
      bytes: new UserError('input/output error', { code: 'x' }),
    }),
    'far too many bytes': async () => ({ ...(await seal(toParcel())), bytes: Buffer.alloc(20_000_000) }),
  };
  test.each(Object.keys(cases))('%s', async (what) => {
    const good = toParcel({
      path: 'projects/-home-u-shop/00000001-1e00-4000-8000-00000000b0a7.jsonl',
      session: '00000001-1e00-4000-8000-00000000b0a7',
      name: formatSegmentName('00000001-1e00-4000-8000-00000000b0a7.jsonl', sound()),
    });
    const bad = await (cases[what] as () => Promise<Sent>)();
    const report = await receive([bad, await seal(good)]);
    expect(report.damages).toHaveLength(1);
    expect(report.segments).toBe(1);
    expect(received()).toEqual([good.name]);
    expect(filesBelow(folder).filter((name) => name.endsWith('.br'))).toHaveLength(1);
  });

  test('any change of a byte', async () => {
    const { found, bytes } = await seal(toParcel());
    const whole = bytes as Buffer;
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (place, change) => {
        const changed = Buffer.from(whole);
        changed[place] = (changed[place] ?? 0) ^ change;
        const report = await receive([{ found, bytes: changed }]);
        expect(report.segments).toBe(0);
        expect(received()).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

test('a part that is missing is named by the hole that it leaves, and one that was replaced meanwhile is not', async () => {
  const more = Buffer.from('{"type":"assistant"}\n');
  const facts = { ...sound(more), from: text.length, to: text.length + more.length };
  const second = toParcel(
    { name: formatSegmentName(`${sessionId}.jsonl`, facts), packed: brotliCompressSync(more) },
    facts,
  );
  const missing = { ...(await seal(toParcel())), bytes: undefined };
  expect(await receive([missing])).toMatchObject({ segments: 0, damages: [] });
  const report = await receive([missing, await seal(second, facts)]);
  expect(report.segments).toBe(1);
  expect(report.damages).toMatchObject([{ reason: `bytes 0 to ${text.length} are missing` }]);
});

test.each(['../../elsewhere', '..', '', 'here', `${machine.key}/..`, `${machine.key}\n`])(
  'a machine whose key would be another folder: %j',
  async (bad) => {
    const about = { machine: bad, isTeam: true, owner: 'eve', session: sessionId };
    const facts = { ...sound(), redactionVersion: 1 };
    const parcel = toParcel({ name: formatSegmentName(`${sessionId}.jsonl`, facts) }, facts);
    const { found } = await seal(parcel, facts, about);
    const lie = { found, bytes: writeParcel(parcel) };
    const eve = { key: bad, name: 'laptop', owner: 'eve' };
    expect((await receive([lie, await seal(toParcel())], [eve, machine])).segments).toBe(1);
    expect(readdirSync(folder)).toEqual(['archive']);
    expect(readdirSync(archive())).toEqual([machine.key]);
  },
);

test('a time to come is not believed', async () => {
  const { statSync } = await import('node:fs');
  await receive([await seal(toParcel({ modifiedAtMs: Date.parse('2099-01-01') }))]);
  const [name = ''] = readdirSync(archive(), { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('.br'),
  );
  expect(statSync(join(archive(), name)).mtimeMs).toBe(5000);
});

test('names say nothing of what they name, and differ for every part', () => {
  const names = new Set<string>();
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (parts) => {
      const name = key.toName(...parts);
      expect(name).toMatch(/^[0-9a-f]{32}$/);
      expect(name).not.toBe(otherKey.toName(...parts));
      names.add(name);
    }),
  );
  expect(key.toName('a', 'b')).not.toBe(key.toName('ab'));
  expect(key.toName('a,b')).not.toBe(key.toName('a', 'b'));
  expect(names.size).toBeGreaterThan(50);
});
