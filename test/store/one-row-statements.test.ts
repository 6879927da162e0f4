// The write loop must not make FTS5 write out the words it has gathered: it did so at every transcript, which took
// a third of the inserting.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { noFacts, type TranscriptFile } from '../../src/records.ts';
import type { TranscriptProgress } from '../../src/store/read/known-files.ts';
import { type SettledSession, Settlement } from '../../src/store/write/settlement.ts';
import { TranscriptWriter } from '../../src/store/write/transcript-writer.ts';
import { WordForms } from '../../src/text/words.ts';
import { TempHome } from '../support/home.ts';
import { withStore } from '../support/index-home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const stamp = { sizeBytes: 1, mtimeMs: 1, ctimeMs: 1, inode: 1 };
const progress: TranscriptProgress = {
  ...stamp,
  ...{ bytesRead: 1, linesRead: 1, lastVersion: null },
  ...{ isUnterminated: false, fingerprint: '', parserVersion: 1, error: null },
  state: 'current',
};

test('words are gathered until the transaction ends', async () => {
  await withStore(home, ({ db }) => {
    const writer = new TranscriptWriter(db);
    const root = writer.getRoot('claude', '/r');
    const written = () => Number(db.prepare('select count(*) from message_fts_data').pluck().get());
    const before = written();
    db.exec('begin immediate');
    for (let n = 1; n <= 3; n++) {
      const nativeId = `s${n}`;
      const file: TranscriptFile = {
        ...stamp,
        path: `p/${n}`,
        kind: 'main',
        nativeId,
        parentNativeId: null,
        slug: '-p',
        isMachinery: false,
      };
      writer.saveTranscript(root.id, file, progress);
      const transcriptId = writer.saveTranscript(root.id, file, progress);
      const sessionId = n;
      const added = { messages: 2, chars: 20, toolCalls: 1 };
      writer.insertSession({ id: n, root, transcriptId, file }, noFacts, added);
      const message = {
        uuid: null,
        role: 'user',
        timestamp: null,
        isSidechain: false,
        part: '',
      } as const;
      writer.addMessages(sessionId, [
        { ...message, seq: 1, kind: 'queued', text: 'the same' },
        { ...message, seq: 2, kind: 'prompt', text: `something else ${n}` },
      ]);
      const call = { seq: 3, nth: 0, name: 'Read', target: 'x.ts', part: '', isError: false };
      writer.toolCalls.add(sessionId, [{ ...call, toolUseId: 't' }]);
      writer.toolCalls.close(sessionId, {
        toolResults: [{ id: 't', isError: true, seq: 2, nth: 0 }],
        subagentTools: [],
      });
      writer.entries.addSummaries(sessionId, [{ seq: 4, leafUuid: 'leaf', text: 'a title' }], () => 7);
      const hashes = [n, 99];
      writer.entries.add(sessionId, 4, { uuidHashes: hashes, messageHashes: hashes, wholeHashes: hashes });
      writer.forms.add(['running', 'queues']);
      writer.dropQueuedCopies(sessionId, []);
      writer.saveFacts(sessionId, { ...noFacts, firstPrompt: 'something' }, added);
      writer.addSkipped(transcriptId, 1, [{ line: 5, reason: 'broken' }]);
      writer.addUnknownTypes(transcriptId, [['hologram', '9', 1]]);
      writer.markFailed(root.id, 'p/1', 'reason');
      writer.markGone(transcriptId);
    }
    expect(written()).toBe(before);
    db.exec('commit');
    expect(written()).toBeGreaterThan(before);
  });
});

test('so are the words of sessions that are settled', async () => {
  await withStore(home, ({ db }) => {
    const writer = new TranscriptWriter(db);
    const root = writer.getRoot('claude', '/r');
    for (const id of ['a', 'b', 'c']) writer.insertRecovered(root, id, '-p');
    const settlement = new Settlement(db);
    const written = () => Number(db.prepare('select count(*) from session_fts_data').pluck().get());
    const before = written();
    db.exec('begin immediate');
    const settled: Omit<SettledSession, 'id'> = {
      titleSource: 'none',
      ...{ title: 'a title', summary: null, firstPrompt: null, branch: null, tag: null, subagentType: null },
      ...{
        subagentDescription: null,
        subagentToolUseId: null,
        projectPath: '/p',
        createdAt: null,
        modifiedAt: null,
      },
      ...{
        isWarmup: false,
        prNumber: null,
        prUrl: null,
        prRepository: null,
        labelText: null,
        otherTitle: null,
      },
    };
    for (const { id } of settlement.takeUnsettled(10)) {
      const belonging = { conversationId: 1, branchedFrom: null };
      settlement.saveConversation(id, belonging);
      settlement.save({ id, ...settled }, belonging, new WordForms());
    }
    expect(written()).toBe(before);
    db.exec('commit');
    expect(written()).toBeGreaterThan(before);
  });
});
