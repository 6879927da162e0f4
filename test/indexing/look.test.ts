// Nothing that changed is missed, and nothing is done when nothing changed.

import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasChanges, type LookedAt, lookAtRoots } from '../../src/indexing/look.ts';
import { updateIndex } from '../../src/indexing/update-index.ts';
import type { Store } from '../../src/store/open/open-store.ts';
import { assistantLine, TempHome, userLine } from '../support/home.ts';
import { contentOf, indexHome, noThreads, rowsOf, toRoots, withStore } from '../support/index-home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

/** As if some time had passed since the files were written: folders that were just touched are always read again. */
const laterMs = () => Date.now() + 60_000;

const isChanged = (of = home) =>
  withStore(of, ({ db }) => {
    const options = { trustFolders: true, nowMs: laterMs(), rebuild: false };
    return hasChanges(lookAtRoots(db, toRoots([of.claudeDir]), options));
  });

/** A folder's time has a grain of some milliseconds. */
const pause = () => new Promise((done) => setTimeout(done, 12));

const update = (of = home) => indexHome(of, { trustFolders: true, nowMs: laterMs() });

type Change = (home: TempHome, n: number) => void;
const session = (n: number) => `projects/-p-${n % 2}/s${n}.jsonl`;
const changes: Record<string, Change> = {
  append: (home, n) => {
    mkdirSync(join(home.claudeDir, dirname(session(n))), { recursive: true });
    home.append(session(n), [userLine(`appended ${n}`)]);
  },
  create: (home, n) => home.write(session(n + 10), [userLine(`made ${n}`)]),
  rewrite: (home, n) => home.write(session(n), [userLine(`written anew ${n}`)]),
  delete: (home, n) => rmSync(join(home.claudeDir, session(n)), { force: true }),
  agent: (home, n) => home.write(`projects/-p-0/s${n}/subagents/agent-a${n}.jsonl`, [userLine('do it')]),
  meta: (home, n) => home.write(`projects/-p-0/s0/subagents/agent-a${n}.meta.json`, { description: `d${n}` }),
  workflow: (home, n) =>
    home.write(`projects/-p-0/s0/subagents/workflows/wf_1/agent-w${n}.jsonl`, [userLine('work')]),
  title: (home, n) => home.write(`projects/-p-0/s${n}/custom-title.json`, { customTitle: `title ${n}` }),
  hints: (home, n) =>
    home.write('projects/-p-1/sessions-index.json', { entries: [{ sessionId: `h${n}`, summary: 's' }] }),
  project: (home, n) => home.write(`projects/-new-${n}/x.jsonl`, [userLine('elsewhere')]),
  dropProject: (home) => rmSync(join(home.claudeDir, 'projects/-p-1'), { recursive: true, force: true }),
  history: (home, n) => home.append('history.jsonl', [{ display: `typed ${n}`, sessionId: `lost${n}` }]),
  export: (home, n) => home.write(`transcripts/ses_${n}.jsonl`, [{ type: 'user', content: 'exported' }]),
  move: (home, n) => {
    mkdirSync(join(home.claudeDir, 'projects/-p-0'), { recursive: true });
    home.write(session(n), [userLine('to be moved')]);
    renameSync(join(home.claudeDir, session(n)), join(home.claudeDir, `projects/-p-0/moved${n}.jsonl`));
  },
  nothing: () => {},
};

function writeHome(): void {
  for (let n = 0; n < 4; n++) home.write(session(n), [userLine(`prompt ${n}`), assistantLine('answer')]);
  home.write('projects/-p-0/s0/subagents/agent-a0.jsonl', [userLine('task')]);
  home.write('projects/-p-0/s0/subagents/agent-acompact-1.jsonl', [userLine('machinery')]);
  home.write('history.jsonl', [{ display: 'typed first', sessionId: 'lost' }]);
}

describe('a home', () => {
  test('that did not change is not looked into, and nothing is written', async () => {
    writeHome();
    await update();
    expect(await isChanged()).toBe(false);
    const before = await rowsOf(home, 'select * from snapshot');
    const report = await update();
    expect(report.hasChanges).toBe(false);
    expect(report.files).toMatchObject({ seen: 7, unchanged: 7 });
    expect(await rowsOf(home, 'select * from snapshot')).toEqual(before);
  });

  test.each(Object.keys(changes).filter((name) => name !== 'nothing'))('%s is seen', async (name) => {
    writeHome();
    await update();
    await pause();
    changes[name]?.(home, 1);
    expect(await isChanged()).toBe(true);
    await update();
    expect(await isChanged()).toBe(false);
  });

  test('changed in any way, one after the other, is indexed as it would be at once', async () => {
    const step = fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.nat({ max: 3 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        home.remove();
        home = new TempHome();
        writeHome();
        await update();
        for (const [name, n] of steps) {
          await pause();
          changes[name]?.(home, n);
          await update();
        }
        const careful = await contentOf(home);
        await indexHome(home);
        expect(await contentOf(home)).toEqual(careful);
      }),
      { numRuns: 25 },
    );
  });
});

test('a subagent is read that goes on long after its session was last written to', async () => {
  const agent = 'projects/-p-0/s0/subagents/agent-a0.jsonl';
  home.write('projects/-p-0/s0.jsonl', [userLine('prompt')]);
  home.write(agent, [userLine('task')]);
  const quick = () => indexHome(home, { trustFolders: true, nowMs: Date.now() + 48 * 3_600_000 });
  await quick();
  await pause();
  home.append(agent, [userLine('more')]);
  expect((await quick()).files).toMatchObject({ seen: 2, grown: 1, unchanged: 1 });
});

describe('what cannot be trusted', () => {
  test('a folder that was touched a moment ago is read again', async () => {
    writeHome();
    await indexHome(home, { trustFolders: true, nowMs: Date.now() });
    const folder = join(home.claudeDir, 'projects/-p-0');
    home.write('projects/-p-0/sudden.jsonl', [userLine('in the same tick')]);
    // As a file system with a coarse clock would have it.
    const [row] = await rowsOf<{ n: number }>(home, 'select count(*) as n from snapshot');
    expect(row?.n).toBe(1);
    utimesSync(folder, new Date(), new Date());
    expect(await isChanged()).toBe(true);
  });

  test('a link that turns up is reported each time, and costs nothing else', async () => {
    writeHome();
    mkdirSync(join(home.path, 'elsewhere'));
    symlinkSync(join(home.path, 'elsewhere'), join(home.claudeDir, 'projects/-link'));
    await update();
    const again = await update();
    expect(again.links.length).toBe(1);
    expect(again.hasChanges).toBe(false);
  });

  test('a run that was cut short leaves no snapshot, and the next one finds what went', async () => {
    writeHome();
    await update();
    await pause();
    home.write('projects/-p-0/late.jsonl', [userLine('late')]);
    await rowsOf(home, 'select 1');
    await withStore(home, ({ db }) => db.exec('delete from snapshot'));
    rmSync(join(home.claudeDir, session(0)));
    const report = await update();
    expect(report.files).toMatchObject({ new: 1, gone: 1 });
  });

  test('a file that could not be read is tried again, whatever its stamp', async () => {
    writeHome();
    const folder = join(home.claudeDir, 'projects/-p-0/dir.jsonl');
    home.write('projects/-p-0/dir.jsonl', [userLine('x')]);
    await indexHome(home, { isTimeUp: () => true });
    expect(await isChanged()).toBe(true);
    await update();
    expect(await isChanged()).toBe(false);
    rmSync(folder);
    expect(await isChanged()).toBe(true);
  });
});

describe('a look that was taken before the lock', () => {
  const options = () => ({ trustFolders: true, nowMs: laterMs(), rebuild: false });
  const lookAt = (store: Store) => lookAtRoots(store.db, toRoots([home.claudeDir]), options());
  const goOn = (store: Store, lookedAt: LookedAt) =>
    updateIndex(store, toRoots([home.claudeDir]), {
      ...options(),
      ...{ signal: new AbortController().signal, onProgress: () => {}, isTimeUp: () => false },
      ...{ isBounded: true, threads: noThreads, lookedAt },
    });

  beforeEach(async () => {
    writeHome();
    await update();
    await pause();
  });

  test('is what the update goes on from: the disk is not walked over again', async () => {
    changes.append?.(home, 0);
    await withStore(home, async (store) => {
      const lookedAt = lookAt(store);
      expect(hasChanges(lookedAt)).toBe(true);
      changes.append?.(home, 1);
      expect((await goOn(store, lookedAt)).files).toMatchObject({ grown: 1 });
    });
    expect((await update()).files).toMatchObject({ grown: 1 });
  });

  test.each(Object.keys(changes).filter((name) => name !== 'nothing'))(
    'and before another process indexed the same change (%s): it is taken in once, as it is now',
    async (name) => {
      changes[name]?.(home, 1);
      await withStore(home, async (store) => {
        const lookedAt = lookAt(store);
        expect(hasChanges(lookedAt)).toBe(true);
        await pause();
        // The other one sees more than the look did.
        changes.append?.(home, 0);
        await update();
        const report = await goOn(store, lookedAt);
        expect(report).toMatchObject({ bytesRead: 0, hasChanges: false });
      });
      expect(await isChanged()).toBe(false);
      const content = await contentOf(home);
      await indexHome(home, { rebuild: true });
      expect(await contentOf(home)).toEqual(content);
    },
  );

  test('is taken again after this connection wrote to the index', async () => {
    await withStore(home, async (store) => {
      const lookedAt = lookAt(store);
      expect(hasChanges(lookedAt)).toBe(false);
      store.db.exec('delete from snapshot');
      changes.append?.(home, 0);
      expect((await goOn(store, lookedAt)).files).toMatchObject({ grown: 1 });
    });
  });
});
