// One rule decides whether a session can be resumed, for lists and for open alike.

import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { installDemoHome } from '../../scripts/install-demo-home.mjs';
import type { Resumption } from '../../src/api/answers.ts';
import { Recall } from '../../src/api/recall.ts';
import { at, TempHome, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';
import { runRecall } from '../support/program.ts';

const homes: TempHome[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) home.remove();
});

function makeHome(): TempHome {
  const home = new TempHome();
  homes.push(home);
  return home;
}

async function withRecall<T>(home: TempHome, use: (recall: Recall) => Promise<T>): Promise<T> {
  const recall = new Recall(toHost(home));
  try {
    return await use(recall);
  } finally {
    recall.close();
  }
}

/** What the list says about each session, and what open would do with it. */
async function readBoth(home: TempHome) {
  return withRecall(home, async (recall) => {
    const { sessions } = await recall.list({ all: true, subagents: true, limit: 1000 });
    const both = [];
    for (const { session, resumption } of sessions) {
      const opened = await recall.resume(session.nativeId);
      both.push({ id: session.nativeId, listed: toSaid(resumption), opened: toSaid(opened.resumption) });
    }
    return both;
  });
}

function toSaid({ isResumable, resume, nativeId }: Resumption) {
  return { isResumable, command: resume?.command ?? null, nativeId };
}

describe('lists and open agree on', () => {
  test.each(readdirSync('fixtures/cases'))('every session of %s', async (name) => {
    const home = makeHome();
    cpSync(join('fixtures/cases', name), home.claudeDir, { recursive: true });
    const both = await readBoth(home);
    // If two folders have the same id, open takes one and a list may show the other.
    const isOnce = (id: string) => both.filter((each) => each.id === id).length === 1;
    for (const { id, listed, opened } of both)
      if (isOnce(id)) expect({ id, ...listed }).toEqual({ id, ...opened });
  });

  test('every session of the demo home, as the program prints it', () => {
    const home = makeHome();
    installDemoHome(home.path);
    const run = (...args: string[]) => JSON.parse(runRecall(home, [...args, '--json']).stdout);
    const { sessions } = run('list', '--all', '--subagents', '--limit', '1000');
    expect(sessions.length).toBeGreaterThan(20);
    const said = new Set<boolean>();
    for (const { id, resumable, resume } of sessions) {
      const opened = run('open', id);
      said.add(resumable);
      expect({ id, resumable: opened.resumable }).toEqual({ id, resumable });
      if (resume !== null)
        expect(resume).toEqual({ cwd: opened.cwd, argv: opened.argv, command: opened.command });
      expect(runRecall(home, ['open', id]).code).toBe(resumable ? 0 : 1);
    }
    expect(said).toEqual(new Set([true, false]));
  });
});

describe('a session', () => {
  const id = 'aaaaaaaa-0000-4000-8000-000000000001';
  const resume = (home: TempHome) =>
    withRecall(home, async (recall) => {
      await recall.index();
      return (await recall.resume(id)).resumption;
    });
  const write = (home: TempHome, cwd: string, slug: string) =>
    home.writeSession(id, [userLine('the zebra', { cwd, timestamp: at(0) })], slug);
  const toSlug = (path: string) => path.replace(/[^A-Za-z0-9]/g, '-');

  test('is resumed in its directory', async () => {
    const home = makeHome();
    const shop = join(home.path, 'shop');
    mkdirSync(shop);
    write(home, shop, toSlug(shop));
    expect(await resume(home)).toMatchObject({
      isResumable: true,
      resume: { cwd: shop, argv: ['claude', '-r', id], command: `cd '${shop}' && claude -r ${id}` },
      goneDirectory: null,
      env: null,
    });
  });

  test('is resumed from anywhere if its directory is gone', async () => {
    const home = makeHome();
    const shop = join(home.path, 'shop');
    write(home, shop, toSlug(shop));
    expect(await resume(home)).toMatchObject({
      isResumable: true,
      resume: { cwd: null, command: `claude -r ${id}` },
      goneDirectory: shop,
    });
  });

  test('without a transcript cannot be resumed, but the command is still known', async () => {
    const home = makeHome();
    const path = write(home, home.path, toSlug(home.path));
    await resume(home);
    rmSync(join(home.claudeDir, path));
    expect(await resume(home)).toMatchObject({
      isResumable: false,
      obstacle: 'transcript-deleted',
      resume: { cwd: home.path },
    });
  });

  test('that has two transcripts is found only from the directory of one of them', async () => {
    const home = makeHome();
    const [here, gone] = [join(home.path, 'here'), join(home.path, 'gone')];
    mkdirSync(here);
    write(home, here, toSlug(here));
    write(home, gone, toSlug(gone));
    const both = await withRecall(home, async (recall) => {
      await recall.index();
      return (await recall.list({ all: true })).sessions;
    });
    const said = both.map(({ resumption }) => [resumption.resume?.cwd, resumption.obstacle]);
    expect(said.filter(([cwd]) => cwd === here)).toEqual(said.length === 1 ? said : [[here, null]]);
    rmSync(here, { recursive: true });
    expect(await resume(home)).toMatchObject({ isResumable: false, obstacle: 'same-id' });
  });
});
