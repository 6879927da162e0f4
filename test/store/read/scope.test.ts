// Conditions by kind choose the right rows.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { type MessageKind, messageKinds, roles } from '../../../src/records.ts';
import { isOfKind, isSaidBy } from '../../../src/store/read/scope.ts';
import { TranscriptWriter } from '../../../src/store/write/transcript-writer.ts';
import { TempHome } from '../../support/home.ts';
import { withStore } from '../../support/index-home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const kinds = Object.keys(messageKinds) as MessageKind[];

test('the person and the assistant say what no machine wrote in their name', async () => {
  await withStore(home, ({ db }) => {
    const writer = new TranscriptWriter(db);
    const each = kinds.flatMap((kind) => roles.map((role) => ({ role, kind })));
    const rest = { isSidechain: false, uuid: null, timestamp: null, text: '', part: '' };
    writer.addMessages(
      1,
      each.map((said, seq) => ({ ...said, ...rest, seq })),
    );
    const lines = (condition: string) =>
      db.prepare(`select seq from message where ${condition} order by id`).pluck().all();
    for (const role of roles) {
      const isSaid = (said: (typeof each)[number]) =>
        said.role === role && said.kind !== 'task' && said.kind !== 'recap';
      expect(lines(isSaidBy(role))).toEqual(each.flatMap((said, seq) => (isSaid(said) ? [seq] : [])));
    }
  });
});

test('session kinds are chosen by their traits', () => {
  expect(isOfKind('isListed')).toBe("kind in ('main', 'transcript', 'history')");
  expect(isOfKind('isChild', 'session.kind')).toBe("session.kind in ('subagent', 'precompact')");
  expect(isOfKind('isParent')).toBe("kind in ('main', 'history')");
  expect(isOfKind('isResumable')).toBe("kind in ('main')");
});
