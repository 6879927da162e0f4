// Another process deletes a session while a question is answered: the answer is as before or as after that.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { Recall } from '../../src/api/recall.ts';
import type { Database, Statement } from '../../src/store/open/database.ts';
import { openStore, type Store } from '../../src/store/open/open-store.ts';
import { TranscriptWriter } from '../../src/store/write/transcript-writer.ts';
import { assistantLine, TempHome, toolUse, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
let home: TempHome;

beforeEach(() => {
  home = new TempHome();
  home.writeSession(id, [
    userLine('why does the okapi fail'),
    assistantLine([toolUse('Edit', { file_path: '/home/u/shop/okapi.ts' })]),
  ]);
});
afterEach(() => home.remove());

const questions: Record<string, (recall: Recall) => Promise<unknown>> = {
  search: (recall) => recall.search({ query: 'okapi', positions: true }, { refresh: false }),
  list: (recall) => recall.list({}, { refresh: false }),
  files: (recall) => recall.fileHistory({ path: 'okapi.ts' }, { refresh: false }),
  stats: (recall) => recall.activity({}, { refresh: false }),
  projects: (recall) => recall.projects({}, { refresh: false }),
  resume: (recall) => recall.resume(id.slice(0, 8)),
};

/** An internal error took the place of the answer, or a hit had no `resumption`. */
test.each(Object.entries(questions))('%s', async (_, ask) => {
  const outcomeOf = (recall: Recall) => ask(recall).catch(({ name, message }) => ({ name, message }));
  for (let nth = 1; ; nth++) {
    const recall = new Recall(toHost(home, { elapsedMs: () => 0 }));
    await recall.index({ rebuild: true });
    const other = await openStore(home.indexPath);
    try {
      const before = await outcomeOf(recall);
      const counted = await beforeNth(recall, nth, () => deleteSessions(other));
      const outcome = await outcomeOf(recall);
      if (!counted.isReached) {
        expect(nth).toBeGreaterThan(2);
        return;
      }
      expect([before, await outcomeOf(recall)]).toContainEqual(outcome);
    } finally {
      recall.close();
      other.close();
    }
  }
});

/** Acts before the nth statement that reads from now on. */
async function beforeNth(recall: Recall, nth: number, act: () => void) {
  const store = await (recall as unknown as { open(): Promise<Store> }).open();
  const counted = { isReached: false };
  let count = 0;
  const watch = (statement: Statement): Statement =>
    new Proxy(statement, {
      get: (target, key) => {
        const value = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          const isRun = key === 'all' || key === 'get' || key === 'iterate';
          if (isRun && ++count === nth) {
            counted.isReached = true;
            act();
          }
          const result = value.apply(target, given);
          return result === target ? watch(target) : result;
        };
      },
    });
  const db = store.db as Database & { prepare(sql: string): Statement };
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => watch(prepare(sql));
  return counted;
}

function deleteSessions({ db }: Store): void {
  const writer = new TranscriptWriter(db);
  db.exec('begin immediate');
  for (const { id: each } of db.prepare('select id from session').all() as { id: number }[])
    writer.deleteSession(each);
  db.exec('commit');
}
