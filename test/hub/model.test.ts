// Random operations of three machines, two of one person and one of another, against a plain model: what each machine may see is
// what it has after it has asked, no more and no less, and word for word.

import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keepFile } from '../../src/archive/keep-file.ts';
import {
  type Copy,
  eachCopy,
  Listings,
  readArchiveRoots,
  toArchiveRoot,
  toPlace,
} from '../../src/archive/layout.ts';
import { readStretches } from '../../src/archive/segments.ts';
import { deleteCopy, readSessionCopies } from '../../src/archive/session-copies.ts';
import type { Carrier } from '../../src/hub/carrier.ts';
import { openFolder } from '../../src/hub/folder.ts';
import { type HubKey, makeIdentity, readHubKey } from '../../src/hub/hub-key.ts';
import { toSessionName } from '../../src/hub/parcel.ts';
import { openCarrierOn } from '../../src/hub/postgres/carrier.ts';
import { addMember, setUp } from '../../src/hub/postgres/schema.ts';
import { listMachines, pull } from '../../src/hub/pull.ts';
import { push } from '../../src/hub/push.ts';
import { claudeReader } from '../../src/sources/claude/reader.ts';
import { getSource } from '../../src/sources/index.ts';
import { LiteServer } from '../support/postgres.ts';

const operations = Number(process.env.RECALL_TEST_OPERATIONS ?? 250);
const ids = Array.from({ length: 6 }, (_, i) => `0000000${i}-1e00-4000-8000-00000000b0a7`);
const secret = `ghp_${'a1B2'.repeat(9)}`;
const signal = new AbortController().signal;

/** The same in every run. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface TestMachine {
  readonly name: string;
  readonly person: 'ann' | 'bob';
  readonly key: string;
  readonly hubKey: HubKey;
  readonly home: string;
  readonly archive: string;
  readonly carrier: Carrier;
  since: string;
  /** What it has written itself, by session; what was forgotten stays on disk and is not sent. */
  readonly texts: Map<string, string>;
  readonly forgotten: Set<string>;
  readonly shared: Set<string>;
  unshared: Set<string>;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recall-model-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function makeMachine(
  name: string,
  person: 'ann' | 'bob',
  hubKey: HubKey,
  open: (key: string) => Promise<Carrier>,
): Promise<TestMachine> {
  const [key, home] = [randomUUID(), join(folder, name)];
  const carrier = await open(key);
  expect(await carrier.join({ key, name, owner: carrier.owner }, hubKey.check)).toBe(true);
  const sets = { forgotten: new Set<string>(), shared: new Set<string>(), unshared: new Set<string>() };
  return {
    name,
    person,
    key,
    hubKey,
    home,
    archive: join(home, 'archive'),
    carrier,
    since: '',
    texts: new Map(),
    ...sets,
  };
}

const toPath = (id: string) => `projects/-home-u-shop/${id}.jsonl`;

async function write(machine: TestMachine, id: string, line: string): Promise<void> {
  const path = join(machine.home, '.claude', toPath(id));
  mkdirSync(dirname(path), { recursive: true });
  const text = `${JSON.stringify({ type: 'user', text: line })}\n`;
  if (machine.texts.has(id)) appendFileSync(path, text);
  else writeFileSync(path, text);
  machine.texts.set(id, (machine.texts.get(id) ?? '') + text);
  if (machine.forgotten.has(id)) return;
  const root = toArchiveRoot(machine.archive, 'here', 'claude', join(machine.home, '.claude'));
  const options = { listings: new Listings(), isTranscript: true, hasLines: true, clean: null, signal };
  await keepFile(path, toPlace(root, toPath(id)), options);
}

async function send(machine: TestMachine): Promise<void> {
  const { carrier, hubKey, archive, forgotten, shared } = machine;
  if (machine.unshared.size > 0)
    await carrier.unshare([...machine.unshared].map((name) => ({ agent: 'claude', name })));
  machine.unshared = new Set();
  const copies = readSessionCopies(archive, (root) => root.machine === 'here');
  const { damages } = await push({
    carrier,
    key: hubKey,
    machine: machine.key,
    sessions: [...copies.values()].filter(({ owner }) => !forgotten.has(owner)),
    labels: [],
    forgotten: [...forgotten].map((session) => ({ agent: 'claude', session })),
    isShared: ({ owner }) => shared.has(owner),
    readFacts: () => ({ cwd: '/x', remote: null, branch: null, commit: null, modifiedAtMs: 0 }),
    loadRedactor: async () => ({
      files: getSource('claude').files as never,
      clean: claudeReader.redactLine as never,
      unpack: (file) => file,
    }),
    signal,
    onProgress: () => {},
  });
  expect(damages).toEqual([]);
}

async function receive(machine: TestMachine): Promise<void> {
  const { carrier, hubKey, archive } = machine;
  const { damages } = await pull({
    carrier,
    key: hubKey,
    archive,
    machine: machine.key,
    since: machine.since,
    nowMs: 1e12,
    signal,
    checkSpace: () => {},
    takeLabels: async () => {},
    hold: (run) => run(),
    onProgress: () => {},
    index: async () => {},
    saveSince: async (since) => {
      machine.since = since;
    },
    drop: async (withdrawn, left) => {
      const machines = new Map(listMachines(archive).map((each) => [each.key, each]));
      for (const { copy, session } of copiesOf(machine)) {
        const from = machines.get(copy.root.machine);
        const sealed = toSessionName(hubKey, { agent: 'claude', session });
        const isWithdrawn = withdrawn.some(
          (each) => each.owner === from?.owner && each.session === (each.isTeam ? session : sealed),
        );
        if (isWithdrawn || left.includes(copy.root.machine)) deleteCopy(copy);
      }
    },
  });
  expect(damages).toEqual([]);
}

function copiesOf(machine: TestMachine): { copy: Copy; session: string }[] {
  return readArchiveRoots(machine.archive)
    .filter((root) => root.machine !== 'here')
    .flatMap((root) => [...eachCopy(root)])
    .filter(({ versions }) => versions.length > 0)
    .map((copy) => ({ copy, session: getSource('claude').files?.findOwner(copy.path) ?? '' }));
}

function readAll(machine: TestMachine): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { copy, session } of copiesOf(machine)) {
    const chunks = [...readStretches(copy, copy.versions[0] as never)].map((stretch) =>
      'bytes' in stretch ? stretch.bytes.toString() : 'DAMAGED',
    );
    found[`${copy.root.machine} ${session}`] = chunks.join('').replaceAll(/ +\n/g, '\n');
  }
  return found;
}

/** What a machine should have when all have sent: of its own person everything, of others what they share. */
function expected(machine: TestMachine, all: readonly TestMachine[]): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const other of all.filter((each) => each !== machine)) {
    const ofPerson = all.filter(({ person }) => person === other.person);
    for (const [id, text] of other.texts) {
      // Forgetting is for all machines of a person.
      if (ofPerson.some(({ forgotten }) => forgotten.has(id))) continue;
      if (other.person === machine.person) seen[`${other.key} ${id}`] = text;
      else if (other.shared.has(id)) seen[`${other.key} ${id}`] = text.replaceAll(secret, toRedacted());
    }
  }
  return seen;
}

const toRedacted = () => {
  const line = Buffer.from(JSON.stringify({ text: `x ${secret}` }));
  return JSON.parse(claudeReader.redactLine?.(line).toString() ?? '').text.slice(2);
};

async function play(machines: readonly TestMachine[], seed: number, hasTeam: boolean): Promise<void> {
  const random = makeRandom(seed);
  for (let n = 0; n < operations; n++) {
    const machine = machines[random(machines.length)] as TestMachine;
    const id = ids[random(ids.length)] as string;
    const what = random(100);
    if (what < 45)
      await write(machine, id, `line ${n} ${random(5) === 0 ? secret : ''} ${'x'.repeat(random(400))}`);
    else if (what < 65) await send(machine);
    else if (what < 85) await receive(machine);
    else if (what < 88) {
      machine.forgotten.add(id);
      for (const root of readArchiveRoots(machine.archive).filter((each) => each.machine === 'here'))
        for (const copy of eachCopy(root)) if (copy.path === toPath(id)) deleteCopy(copy);
    } else if (what < 94 && hasTeam) {
      machine.shared.add(id);
      machine.unshared.delete(id);
    } else if (hasTeam && machine.shared.delete(id)) machine.unshared.add(id);
    if (n % 60 === 59 || n === operations - 1) {
      // What one machine of a person no longer shares, another may still: the last to send decides.
      for (const each of machines) await send(each);
      for (const each of machines) await send(each);
      for (const each of machines) await receive(each);
      for (const each of machines)
        expect(readAll(each), `${each.name}, operation ${n}`).toEqual(expected(each, machines));
    }
  }
}

const [annKey, bobKey] = [await readHubKey(await makeIdentity()), await readHubKey(await makeIdentity())];

describe('after any operations everybody has what they may see', () => {
  test('through a folder', async () => {
    const open = (key: string) => openFolder(join(folder, 'hub'), key, true);
    const machines = [];
    for (const name of ['one', 'two', 'three']) machines.push(await makeMachine(name, 'ann', annKey, open));
    await play(machines, 7, false);
  }, 300_000);

  test('through PostgreSQL, with another person', async () => {
    const server = new LiteServer();
    const admin = server.as('postgres');
    await setUp(admin, randomUUID(), true);
    for (const name of ['ann', 'bob']) await addMember(admin, name, 'secret');
    const open = (person: string) => (key: string) => openCarrierOn(server.as(person), key);
    const machines = [
      await makeMachine('one', 'ann', annKey, open('ann')),
      await makeMachine('two', 'ann', annKey, open('ann')),
      await makeMachine('three', 'bob', bobKey, open('bob')),
    ];
    await play(machines, 11, true);
    await server.close();
  }, 300_000);
});
