// A conversation as parts: turns, runs of calls, subagents in their place, folded messages, compactions,
// gaps.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageStart, Piece } from '../../../src/api/answers.ts';
import { findMatches } from '../../../src/api/conversation/find-matches.ts';
import { openConversation, readPage } from '../../../src/api/conversation/read-conversation.ts';
import type { ConversationRequest } from '../../../src/api/requests.ts';
import { parseQuery } from '../../../src/search/query/parse-query.ts';
import type { Store } from '../../../src/store/open/open-store.ts';
import { readConversation, wholeTranscript } from '../../../src/store/read/read-conversation.ts';
import { readSubagents } from '../../../src/store/read/relatives.ts';
import { readSessions } from '../../../src/store/read/sessions.ts';
import type { SessionInfo } from '../../../src/store/word-index.ts';
import { assistantLine, at, TempHome, toolResult, toolUse, userLine } from '../../support/home.ts';
import { toHost } from '../../support/host.ts';
import { indexHome, withStore } from '../../support/index-home.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const home = new TempHome();

beforeAll(async () => {
  home.writeSession(id, [
    userLine('why is the build red', { timestamp: at(0) }),
    assistantLine([toolUse('Bash', { command: 'npm test' }, 'toolu_a')], { timestamp: at(1) }),
    userLine([toolResult('toolu_a', true)], { timestamp: at(2) }),
    assistantLine('The zebra test fails.', { timestamp: at(3) }),
    assistantLine([toolUse('Task', { description: 'find zebras', prompt: 'x' }, 'toolu_task')], {
      timestamp: at(4),
    }),
    assistantLine('A subagent found it.', { timestamp: at(9) }),
    userLine('inlined task', { timestamp: at(10), isSidechain: true }),
    assistantLine('inlined answer', { timestamp: at(11), isSidechain: true }),
    userLine('This session is being continued from a previous conversation. It had stripes.', {
      timestamp: at(12),
      isCompactSummary: true,
    }),
    userLine('thanks', { timestamp: at(13) }),
    assistantLine('You are welcome.', { timestamp: at(14) }),
  ]);
  const own = { isSidechain: true, sessionId: id };
  home.write(`projects/-home-u-shop/${id}/subagents/agent-a1111111.jsonl`, [
    userLine('find the zebras', { ...own, agentId: 'a1111111', timestamp: at(5) }),
    assistantLine('Two zebras in src.', { ...own, agentId: 'a1111111', timestamp: at(6) }),
  ]);
  home.write(`projects/-home-u-shop/${id}/subagents/agent-a1111111.meta.json`, {
    agentType: 'Explore',
    description: 'find zebras',
    toolUseId: 'toolu_task',
  });
  home.write('projects/-home-u-shop/agent-b2222222.jsonl', [
    userLine('count the stripes', { ...own, agentId: 'b2222222', timestamp: at(13.5) }),
    assistantLine('Twenty-six.', { ...own, agentId: 'b2222222', timestamp: at(13.6) }),
  ]);
  await indexHome(home);
});
afterAll(() => home.remove());

function withSession<T>(use: (store: Store, session: SessionInfo) => T | Promise<T>): Promise<T> {
  return withStore(home, (store) => {
    const row = store.db.prepare('select id from session where native_id = ?').pluck().get(id) as number;
    return use(store, readSessions(store.db, [row]).get(row) as SessionInfo);
  });
}

/** All pages with at most this many messages. */
function parts(request: ConversationRequest = {}, limit?: number): Promise<string[]> {
  return withSession(async (store, session) => {
    const host = toHost(home);
    const pieces: Piece[] = [];
    let next: PageStart | null = (await openConversation(host, store, session.id, request)).start;
    while (next !== null) {
      const page = await readPage(host, store, next, limit);
      pieces.push(...page.pieces);
      next = structuredClone(page.next);
    }
    return pieces.map(describePiece);
  });
}

function describePiece(piece: Piece): string {
  if (piece.type === 'subagent-start') return `start of ${piece.listed.session.nativeId}`;
  if (piece.type === 'subagent-end') return 'end';
  const { part } = piece;
  switch (part.type) {
    case 'turn':
      return `${part.speaker} #${part.position}`;
    case 'message':
      return `"${part.message.text}"${part.isMatch ? ' matches' : ''}`;
    case 'recap':
      return `recap #${part.position}`;
    case 'calls':
      return part.calls.map(({ name, isError }) => `${name}${isError ? '!' : ''}`).join(' ');
    case 'subagent':
      return `subagent ${part.subagent.nativeId}`;
    default:
      return `${part.type} ${part.messageCount}`;
  }
}

describe('parts', () => {
  test('of a whole session', async () => {
    expect(await parts()).toEqual([
      'person #1',
      '"why is the build red"',
      'assistant #2',
      'Bash!',
      '"The zebra test fails."',
      'Task',
      'subagent a1111111',
      '"A subagent found it."',
      'inlined 2',
      'recap #6',
      'person #7',
      '"thanks"',
      'subagent b2222222',
      'assistant #8',
      '"You are welcome."',
    ]);
  });

  test('of what one role said', async () => {
    expect(await parts({ role: 'user' })).toEqual([
      'person #1',
      '"why is the build red"',
      'person #7',
      '"thanks"',
    ]);
  });

  test('with the inlined messages shown', async () => {
    const shown = await parts({ inlined: true });
    expect(shown.slice(shown.indexOf('task #4'), shown.indexOf('recap #6'))).toEqual([
      'task #4',
      '"inlined task"',
      'subagent #5',
      '"inlined answer"',
    ]);
  });

  test('around a match, with the gaps', async () => {
    expect(await parts({ match: 'ZEBRAS', context: 0 })).toEqual([
      'person #1',
      '"why is the build red"',
      'assistant #2',
      'Bash!',
      '"The zebra test fails." matches',
      'Task',
      'subagent a1111111',
      'gap 6',
    ]);
  });

  test('with what subagents said, in its place or at the end', async () => {
    const inPlace = await parts({ subagents: true });
    const said = [
      'start of a1111111',
      'task #1',
      '"find the zebras"',
      'assistant #2',
      '"Two zebras in src."',
      'end',
    ];
    const at = inPlace.indexOf('start of a1111111');
    expect(inPlace.slice(at - 1, at + 7)).toEqual(['Task', ...said, '"A subagent found it."']);
    const atEnd = await parts({ subagents: true, putsSubagentsLast: true });
    expect(atEnd).toEqual([
      ...inPlace.filter((_, i) => !isInside(inPlace, i)),
      ...inPlace.filter((_, i) => isInside(inPlace, i)),
    ]);
    // Only those that were started in what is shown.
    const ofLast = await parts({ subagents: true, putsSubagentsLast: true, last: 2 });
    expect(ofLast.filter((each) => each.startsWith('start of'))).toEqual(['start of b2222222']);
  });

  test.each<ConversationRequest>([
    {},
    { inlined: true },
    { role: 'assistant' },
    { subagents: true },
    { subagents: true, putsSubagentsLast: true },
    { match: 'zebra', context: 0, callTexts: 'matching' },
    { match: 'stripes', context: 1, subagents: true },
    { callTexts: true },
    { last: 3 },
    { range: { from: 2, to: 5 } },
  ])('of %o are the same however many there are on a page', async (request) => {
    const whole = await parts(request);
    expect(whole.length).toBeGreaterThan(1);
    for (const limit of [1, 2, 3, 5]) expect(await parts(request, limit)).toEqual(whole);
  });
});

function isInside(pieces: readonly string[], i: number): boolean {
  const before = pieces.slice(0, i);
  const starts = before.filter((each) => each.startsWith('start of')).length;
  const ends = before.filter((each) => each === 'end').length;
  return starts > ends || (pieces[i]?.startsWith('start of') ?? false);
}

test('a run of calls is cut in the same places, and a page need not end with a message', async () => {
  const many = new TempHome();
  try {
    const calls = Array.from({ length: 1203 }, (_, i) =>
      assistantLine([toolUse('Read', { file_path: `/f${i}` }, `t${i}`)]),
    );
    many.writeSession('bbbbbbbb', [userLine('read them'), ...calls, assistantLine('Done.')]);
    await indexHome(many);
    await withStore(many, async (store) => {
      const session = store.db.prepare('select id from session').pluck().get() as number;
      const host = toHost(many);
      const counts: number[][] = [];
      let next: PageStart | null = (await openConversation(host, store, session, {})).start;
      while (next !== null) {
        const page = await readPage(host, store, next, 1);
        counts.push(
          page.pieces.flatMap((piece) =>
            piece.type === 'part' && piece.part.type === 'calls' ? piece.part.calls.length : [],
          ),
        );
        next = page.next;
      }
      expect(counts).toEqual([[], [500, 500, 203]]);
    });
  } finally {
    many.remove();
  }
});

test('a page of a session that another index has in its place is refused', async () => {
  await withSession(async (store, session) => {
    const { start } = await openConversation(toHost(home), store, session.id, {});
    const other = { ...start, session: { ...start.session, nativeId: 'another' } };
    await expect(readPage(toHost(home), store, other)).rejects.toMatchObject({ code: 'no-such-session' });
  });
});

describe('matches', () => {
  const find = (text: string, role: 'user' | 'assistant' | null = null) =>
    withSession(async (store, session) => {
      const ids = [session.id, ...readSubagents(store.db, session).map(({ subagent }) => subagent.id)];
      const { lines, isPartial, corrections } = await findMatches(store, ids, parseQuery(text), role);
      return { count: [...lines.values()].reduce((sum, set) => sum + set.size, 0), isPartial, corrections };
    });

  test('contain all of the words, by their stem', async () => {
    expect(await find('tests failing')).toMatchObject({ count: 1, isPartial: false });
    // In what was said, and in the call that started the subagent.
    expect(await find('zebra')).toMatchObject({ count: 4 });
    expect(await find('zebra -test')).toMatchObject({ count: 3 });
    expect(await find('zebra', 'assistant')).toMatchObject({ count: 2 });
  });

  test('contain some of them if none contains all', async () => {
    expect(await find('zebra thanks')).toMatchObject({ count: 5, isPartial: true });
  });

  test('count a word once where a line says it and gives it to a tool', async () => {
    const other = new TempHome();
    try {
      other.writeSession(id, [
        userLine('thanks'),
        assistantLine([
          { type: 'text', text: 'Looking for the okapi.' },
          toolUse('Grep', { pattern: 'okapi' }),
        ]),
        assistantLine([{ type: 'text', text: 'A pangolin.' }, toolUse('Bash', { command: 'tapir tapir' })]),
      ]);
      await indexHome(other);
      await withStore(other, async (store) => {
        const sessions = store.db.prepare('select id from session').pluck().all() as number[];
        const linesOf = async (text: string) => {
          const { lines, isPartial } = await findMatches(store, sessions, parseQuery(text), null);
          return { lines: [...lines.values()].flatMap((each) => [...each]).sort(), isPartial };
        };
        expect(await linesOf('okapi')).toEqual({ lines: [2], isPartial: false });
        expect(await linesOf('okapi thanks')).toEqual({ lines: [1, 2], isPartial: true });
        expect(await linesOf('pangolin tapir')).toEqual({ lines: [3], isPartial: false });
      });
    } finally {
      other.remove();
    }
  });

  test('are searched for in another spelling if there are none', async () => {
    expect(await find('zebrra')).toMatchObject({ count: 4, corrections: [['zebrra', 'zebra']] });
    expect(await find('okapi')).toMatchObject({ count: 0 });
  });
});

test('rows come in the order of the transcript, however many there are', async () => {
  const many = new TempHome();
  try {
    const lines = Array.from({ length: 1300 }, (_, i) =>
      i % 2 === 0
        ? userLine(`prompt ${i}`)
        : assistantLine([
            { type: 'text', text: `answer ${i}` },
            toolUse('Read', { file_path: `/f${i}` }),
            toolUse('Bash', { command: `c${i}` }),
          ]),
    );
    many.writeSession('bbbbbbbb', lines);
    await indexHome(many);
    const rows = await withStore(many, ({ db }) => {
      const session = db.prepare('select id from session').pluck().get() as number;
      return [...readConversation(db, session, wholeTranscript)].map((row) =>
        row.type === 'message' ? row.message.text : `${row.call.name} ${row.call.target}`,
      );
    });
    expect(rows).toEqual(
      lines.flatMap((_, i) => (i % 2 === 0 ? [`prompt ${i}`] : [`answer ${i}`, `Read /f${i}`, `Bash c${i}`])),
    );
  } finally {
    many.remove();
  }
});
