// What every carrier must do. `person` counts where the hub has people; a folder has one.

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Carrier, HubSegment, HubSession } from '../../src/hub/carrier.ts';

export interface TestHub {
  open(person: 'ann' | 'bob', machine: string): Promise<Carrier>;
  remove(): Promise<void>;
}

const hex = (text: string) => Buffer.from(text).toString('hex').padEnd(32, '0').slice(0, 32);
const check = hex('check');

export const session = (name: string, team = false): HubSession => ({
  name: team ? name : hex(name),
  agent: 'claude',
  isTeam: team,
  modifiedAt: '2026-03-05T10:00:00.000Z',
  gitRemote: team ? 'example.org/shop' : null,
  cwd: team ? '/home/u/shop' : null,
});

export const segment = (of: HubSession, path: string, n: number, text = `${of.name} ${n}`): HubSegment => ({
  session: of,
  path: of.isTeam ? path : hex(path),
  name: of.isTeam ? `${n}~mark` : `${hex(`${path}${n}`)}.1.${n}-${n + 1}`,
  isRedacted: of.isTeam,
  bytes: Buffer.from(text),
});

export function runContract(make: () => Promise<TestHub>, { knowsTeams }: { knowsTeams: boolean }): void {
  let hub: TestHub;
  let opened: Carrier[];
  beforeEach(async () => {
    hub = await make();
    opened = [];
  });
  afterEach(async () => {
    for (const carrier of opened) await carrier.close();
    await hub.remove();
  });

  const keys = { laptop: randomUUID(), desktop: randomUUID(), other: randomUUID() };
  const enter = async (machine: keyof typeof keys, person: 'ann' | 'bob' = 'ann') => {
    const carrier = await hub.open(person, keys[machine]);
    opened.push(carrier);
    const joined = { key: keys[machine], name: machine, owner: carrier.owner };
    expect(await carrier.join(joined, person === 'ann' ? check : hex('bob'))).toBe(true);
    return carrier;
  };
  const read = async (carrier: Carrier, since = '') => {
    const changes = await carrier.changes(since);
    const found = await carrier.get(changes.segments.map(({ id }) => id));
    const texts = changes.segments.map(({ id }) => String(found.get(id))).sort();
    return { ...changes, texts, next: changes.next(new Set()) };
  };
  const walrus = session('walrus');

  test('the first key stays, and another one is refused', async () => {
    const carrier = await hub.open('ann', keys.laptop);
    opened.push(carrier);
    expect(carrier.keyCheck).toBeNull();
    expect(await carrier.join({ key: keys.laptop, name: 'laptop', owner: carrier.owner }, check)).toBe(true);
    const again = await hub.open('ann', keys.desktop);
    opened.push(again);
    expect(again.keyCheck).toBe(check);
    expect(again.hubId).toBe(carrier.hubId);
    expect(await again.join({ key: keys.desktop, name: 'desktop', owner: again.owner }, hex('wrong'))).toBe(
      false,
    );
    expect((await again.machines()).map(({ name }) => name)).toEqual(['laptop']);
  });

  test('what one machine puts, another gets once, and only what is new the next time', async () => {
    const [laptop, desktop] = [await enter('laptop'), await enter('desktop')];
    await laptop.put([segment(walrus, 'a', 0), segment(walrus, 'a', 1)], []);
    await laptop.put([segment(walrus, 'a', 1), segment(walrus, 'b', 0)], []);
    expect(
      [...(await laptop.has([hex('a'), hex('b'), hex('c')]))].map(([, names]) => names.length).sort(),
    ).toEqual([1, 2]);
    expect((await desktop.has([hex('a')])).size).toBe(0);
    const first = await read(desktop);
    expect(first.texts).toHaveLength(3);
    expect(first.machines.some(({ name }) => name === 'laptop')).toBe(true);
    const second = await read(desktop, first.next);
    expect(second.texts).toEqual([]);
    await laptop.put([segment(walrus, 'a', 2)], []);
    expect((await read(desktop, second.next)).texts).toEqual([`${walrus.name} 2`]);
  });

  test('what is replaced is gone, together with the coming of what replaces it', async () => {
    const [laptop, desktop] = [await enter('laptop'), await enter('desktop')];
    const [small, large] = [segment(walrus, 'a', 0), segment(walrus, 'a', 1)];
    await laptop.put([small], []);
    await laptop.put([large], [small]);
    expect((await laptop.has([hex('a')])).get(hex('a'))).toEqual([large.name]);
    expect((await read(desktop)).texts).toEqual([`${walrus.name} 1`]);
  });

  test('what is forgotten is withdrawn, and does not come back from anywhere', async () => {
    const [laptop, desktop] = [await enter('laptop'), await enter('desktop')];
    const narwhal = session('narwhal');
    await laptop.put([segment(walrus, 'a', 0), segment(narwhal, 'b', 0)], []);
    const { next } = await read(desktop);
    const never = session('never');
    await desktop.forget([walrus, never]);
    expect((await read(laptop)).withdrawn.map((each) => each.session)).toContain(walrus.name);
    expect((await read(desktop, next)).withdrawn.map((each) => each.session)).toContain(walrus.name);
    await laptop.put([segment(walrus, 'a', 1), segment(never, 'c', 0), segment(narwhal, 'b', 1)], []);
    expect((await read(desktop)).texts).toEqual([`${narwhal.name} 0`, `${narwhal.name} 1`]);
    expect((await laptop.has([hex('a')])).size).toBe(0);
  });

  test('who leaves takes back what it has sent', async () => {
    const [laptop, desktop] = [await enter('laptop'), await enter('desktop')];
    await laptop.put([segment(walrus, 'a', 0)], []);
    await desktop.put([segment(walrus, 'a', 0)], []);
    const { next } = await read(desktop);
    await laptop.leave();
    const after = await read(desktop, next);
    expect(after.left).toEqual([keys.laptop]);
    expect((await read(desktop)).segments.map(({ machine }) => machine)).not.toContain(keys.laptop);
    expect((await desktop.has([hex('a')])).size).toBe(1);
  });

  test('who remembers more than the hub knows, since it was brought back from a backup, sees all of it again', async () => {
    const [laptop, desktop] = [await enter('laptop'), await enter('desktop')];
    await laptop.put([segment(walrus, 'a', 0)], []);
    const again = await hub.open('ann', keys.desktop);
    opened.push(again);
    if (knowsTeams) expect((await read(again, '900000')).texts).toHaveLength(1);
    expect((await read(desktop, '')).texts).toHaveLength(1);
  });

  test('names are only names', async () => {
    const laptop = await enter('laptop');
    const odd = { ...segment(session("o'); drop table recall.segment; --"), '..', 0) };
    await laptop.put([odd], []);
    expect((await laptop.has([odd.path])).get(odd.path)).toEqual([odd.name]);
  });

  describe.skipIf(!knowsTeams)('a team', () => {
    const shared = session('5c0de5ca', true);

    test('sees what is shared and nothing else', async () => {
      const [ann, bob] = [await enter('laptop'), await enter('other', 'bob')];
      await ann.put([segment(walrus, 'a', 0), segment(shared, 'b', 0)], []);
      const seen = await read(bob);
      expect(seen.texts).toEqual(['5c0de5ca 0']);
      expect(seen.segments[0]).toMatchObject({ owner: 'ann', isTeam: true, session: '5c0de5ca' });
      const all = (await read(ann)).segments.map(({ id }) => id);
      expect((await bob.get(all)).size).toBe(1);
    });

    test('drops what is no longer shared, and sees it when it is shared again', async () => {
      const [ann, bob] = [await enter('laptop'), await enter('other', 'bob')];
      await ann.put([segment(shared, 'b', 0)], []);
      const { next } = await read(bob);
      await ann.unshare([shared]);
      const after = await read(bob, next);
      expect(after.withdrawn).toEqual([{ owner: 'ann', agent: 'claude', session: '5c0de5ca', isTeam: true }]);
      expect((await read(bob)).texts).toEqual([]);
      await ann.put([segment(shared, 'b', 1)], []);
      expect((await read(bob, after.next)).texts).toEqual(['5c0de5ca 1']);
    });

    test('drops what its owner has forgotten', async () => {
      const [ann, bob] = [await enter('laptop'), await enter('other', 'bob')];
      await ann.put([segment(shared, 'b', 0)], []);
      const { next } = await read(bob);
      await ann.forget([{ ...shared, isTeam: true }]);
      expect((await read(bob, next)).withdrawn.map((each) => each.session)).toEqual(['5c0de5ca']);
      await bob.forget([{ ...shared, isTeam: true }]);
      await ann.put([segment(shared, 'b', 1)], []);
      expect((await read(bob)).texts).toEqual([]);
    });

    test('is never given what is not redacted', async () => {
      const ann = await enter('laptop');
      await expect(ann.put([{ ...segment(shared, 'b', 0), isRedacted: false }], [])).rejects.toThrow(
        /redacted/,
      );
      expect((await ann.has(['b'])).size).toBe(0);
    });
  });
}
