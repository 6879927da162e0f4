// What every engine of the word index has to answer, question by question, about a small home. An engine is held to it by
// calling `describeEngine` in its own test file; nothing here knows how an index is stored. Sessions are written by their names.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Root } from '../../src/records.ts';
import { type FormMode, toForms } from '../../src/search/query/forms.ts';
import {
  type Expression,
  type ListLimits,
  noFilters,
  type Passages,
  type Place,
  type SessionFilters,
  type SessionInfo,
  type TermPlaces,
  type WordIndex,
} from '../../src/store/word-index.ts';
import { TempHome } from '../support/home.ts';
import { deletedTranscript, writeContractHome } from './contract-home.ts';

export interface Engine {
  readonly index: WordIndex;
  /** The ids of projects by path: filters are given them. */
  readonly projects: ReadonlyMap<string, number>;
  /** Reads the home again. */
  update(): Promise<void>;
  close(): Promise<void> | void;
}

const everyone = 'zoo deleted shop silent tools parent warm child original fork pi'.split(' ');
/** Those that a search without filters sees, the newest first. */
const seen = 'pi fork original child parent tools shop deleted zoo';
const without = (...some: string[]) =>
  seen
    .split(' ')
    .filter((name) => !some.includes(name))
    .join(' ');
const limits: ListLimits = { messages: 100, toolTexts: 100, toolTextsCounted: 0, toolCalls: 100, named: 100 };
const word = (text: string, mode: FormMode = 'word'): Expression => ({ forms: toForms(text, mode) });
const all = (...texts: string[]): Expression => ({ all: texts.map((text) => word(text)) });
const any = (...texts: string[]): Expression => ({ any: texts.map((text) => word(text)) });

type Open = (home: TempHome, roots: readonly Root[]) => Promise<Engine>;

export function describeEngine(name: string, open: Open): void {
  const home = new TempHome();
  const ids = new Map<string, number>();
  let engine: Engine;
  let index: WordIndex;

  const within = (
    filters: Partial<SessionFilters> = {},
    excluded: Expression[] = [],
    listsSubagents = false,
  ) => index.scope({ filters: { ...noFilters, ...filters }, excluded, listsSubagents });
  const idsOf = (names: string) => names.split(' ').map((each) => ids.get(each) as number);
  const namesOf = (sessions: Iterable<number>) =>
    Array.from(sessions, (id) => everyone.find((each) => ids.get(each) === id) ?? id).join(' ');
  const sessionsOf = (places: readonly Place[]) => places.map(({ sessionId }) => sessionId);
  const idsIn = (places: readonly Place[]) => places.map(({ id }) => id);
  /** In the order in which they come, each once. */
  const distinct = (sessions: Iterable<number>) => namesOf(new Set(sessions));
  const list = async (term: Expression, some: Partial<ListLimits> = {}, scope = within()) => {
    const [places] = await scope.list([term], { ...limits, ...some });
    return places as TermPlaces;
  };
  const saying = async (term: Expression, scope = within()) =>
    distinct(sessionsOf((await list(term, {}, scope)).messages));

  describe(`${name} as a word index`, () => {
    beforeAll(async () => {
      writeContractHome(home);
      const roots: Root[] = [
        { agent: 'claude', path: home.claudeDir },
        { agent: 'pi', path: join(home.path, 'pi') },
      ];
      engine = await open(home, roots);
      index = engine.index;
      rmSync(join(home.claudeDir, deletedTranscript));
      await engine.update();
      for (const each of everyone) {
        const [id] = await within({ includeAll: true }).startingWith(each, 1);
        if (id !== undefined) ids.set(each, id);
      }
    });
    afterAll(async () => {
      await engine.close();
      home.remove();
    });

    describe('a term is found', () => {
      test.each<[string, Expression, string]>([
        ['as a word', word('quokka'), 'child'],
        ['in any case', word('QUOKKA'), 'child'],
        ['by other words of its stem', word('migration'), 'shop zoo'],
        ['exactly, if it is quoted', word('migrations', 'exact'), 'shop'],
        ['as a phrase', word('the okapi exhibit', 'exact'), 'fork original'],
        ['not as words apart', word('plan okapi', 'exact'), ''],
        ['as the start of a word', word('quo', 'prefix'), 'child'],
        ['as the start of the last word of a phrase', word('the quo', 'prefix'), 'child'],
        ['as a name in another style', word('get_user_by_id'), 'zoo'],
        ['as a part of a name', word('user'), 'tools zoo'],
        ['as some parts of a name', word('userById'), 'tools zoo'],
        ['as a symbol', word('C++'), 'zoo'],
        ['without its accent', word('cafe'), 'shop'],
        ['as one character', word('库'), 'shop'],
        ['as two', word('缓存'), 'shop'],
        ['as a run of them', word('数据库连接'), 'shop'],
        ['not as characters apart', word('数连'), ''],
        ['as characters beside letters', word('用Redis'), 'shop'],
        ['as one of several', any('quokka', 'narwhal'), 'original child'],
        ['with all others in one message', all('okapi', 'database'), 'tools zoo'],
        ['not with others in another message', all('walrus', 'otter'), ''],
        ['as a tree', { all: [word('okapi'), any('quokka', 'database')] }, 'child tools zoo'],
      ])('%s', async (_, term, expected) => {
        expect(await saying(term)).toBe(expected);
      });
    });

    describe('a list', () => {
      test('answers each term in its place', async () => {
        const found = await within().list([word('quokka'), word('unicorn'), word('otter')], limits);
        expect(found.map(({ messages }) => distinct(sessionsOf(messages)))).toEqual(['child', '', 'fork']);
      });
      test('of nothing is empty, and not cut', async () => {
        const none: Place[] = [];
        const uncut = { areMessagesCut: false, areToolTextsCut: false, areToolCallsCut: false };
        expect(await list(word('unicorn'))).toMatchObject({ messages: none, toolTexts: none, ...uncut });
      });
      test('has the newest messages first', async () => {
        const { messages } = await list(word('okapi'));
        expect(namesOf(sessionsOf(messages))).toBe(
          'pi fork original child parent tools tools shop deleted zoo zoo',
        );
      });
      test('has the newest message of a session first', async () => {
        const ids = idsIn((await list(word('quokka'))).messages);
        const texts = new Map((await index.messages(ids)).map(({ id, text }) => [id, text]));
        expect(texts.get(ids[0] as number)).toBe('The quokka hides.');
      });
      test('that is not cut covers all of the index', async () => {
        expect(await list(word('okapi'))).toMatchObject({ areMessagesCut: false, coveredShare: 1 });
      });
      test('that is cut has the newest, and says how far it went', async () => {
        const { messages, areMessagesCut, coveredShare } = await list(word('okapi'), { messages: 2 });
        expect([namesOf(sessionsOf(messages)), areMessagesCut]).toEqual(['pi fork', true]);
        expect(coveredShare).toBeGreaterThan(0);
        expect(coveredShare).toBeLessThan(1);
      });
      test('has what tools were given and printed, the newest first', async () => {
        const { toolTexts } = await list(word('tapir'), {}, within({ includeAll: true }));
        expect(namesOf(sessionsOf(toolTexts))).toBe('tools tools tools tools silent silent');
        const texts = new Map((await index.toolTexts(idsIn(toolTexts))).map((each) => [each.id, each]));
        const found = idsIn(toolTexts)
          .slice(0, 4)
          .map((id) => `${texts.get(id)?.tool} ${texts.get(id)?.kind}`);
        expect(found.join(', ')).toBe('Bash tool-output, Bash tool-input, Edit tool-output, Edit tool-input');
      });
      test.each([
        ['all of them', {}, 4, false],
        ['as far as they are listed', { toolTexts: 2 }, 2, true],
        ['further, if it is asked for', { toolTexts: 2, toolTextsCounted: 50 }, 4, false],
        ['and no further than that', { toolTexts: 2, toolTextsCounted: 3 }, 3, true],
      ])('counts tool texts by session: %s', async (_, some, count, areToolTextCountsCut) => {
        const found = await list(word('tapir'), some);
        expect([...found.toolTextCounts]).toEqual([[ids.get('tools'), count]]);
        expect(found).toMatchObject({ areToolTextsCut: 'toolTexts' in some, areToolTextCountsCut });
      });
      test('has the session of each tool call that was pointed at it', async () => {
        const { toolCalls, areToolCallsCut } = await list(word('tapir'), {}, within({ includeAll: true }));
        expect([namesOf(toolCalls), areToolCallsCut]).toEqual(['tools silent', false]);
        expect(await list(word('tapir'), { toolCalls: 1 })).toMatchObject({ areToolCallsCut: true });
      });
      test.each([
        ['title', 'gallery', 'shop'],
        ['project', 'zoo', 'zoo'],
        ['branch', 'savanna', 'zoo'],
        ['first prompt', 'exhibit', 'fork original'],
      ])('has the sessions with it in their %s', async (where, text, expected) => {
        const { named, isNamedCut, called } = await list(word(text));
        expect([namesOf(named), isNamedCut]).toEqual([expected, false]);
        expect(namesOf(called)).toBe(where === 'first prompt' ? '' : expected);
      });
      test('has the newest of them, if there are more', async () => {
        const { named, isNamedCut } = await list(word('okapi'), { named: 1 });
        expect([namesOf(named), isNamedCut]).toEqual(['pi', true]);
      });
    });

    test.each<[string, Expression, string]>([
      ['say it more often, in fewer words', word('okapi'), 'shop'],
      ['have the rarer of several words', any('okapi', 'quokka'), 'child'],
    ])('the best messages %s', async (_, term, expected) => {
      expect(namesOf(sessionsOf(await within().best(term, 1)))).toBe(expected);
    });
    test('the best messages are all of them, if there is room', async () => {
      expect(new Set(sessionsOf(await within().best(word('okapi'), 100)))).toEqual(new Set(idsOf(seen)));
    });

    test.each([
      ['messages', ['pi fork', '', '']],
      ['toolTexts', ['', 'tools tools', '']],
      ['named', ['', '', 'pi fork']],
    ])('the newest %s alone are asked for', async (kind, expected) => {
      const some = { messages: 0, toolTexts: 0, named: 0, [kind]: 2 };
      const { messages, toolTexts, named } = await within().newest(any('okapi', 'tapir'), some);
      expect([sessionsOf(messages), sessionsOf(toolTexts), named].map(namesOf)).toEqual(expected);
    });

    describe('a filter', () => {
      const project = (path: string) => [engine.projects.get(path) as number];

      test.each<[string, () => Partial<SessionFilters>, string]>([
        ['project', () => ({ only: { project: project('/home/u/zoo') } }), 'zoo'],
        ['project, with subagents', () => ({ only: { project: project('/home/u/shop') } }), without('zoo')],
        ['no project', () => ({ only: { project: [] } }), ''],
        ['since', () => ({ only: { since: '2026-03-10T00:00:00.000Z' } }), 'pi fork'],
        ['until', () => ({ only: { until: '2026-03-01T23:00:00.000Z' } }), 'zoo'],
        ['branch, by a part in any case', () => ({ only: { branch: 'SAVANNA' } }), 'zoo'],
        ['model, by a part', () => ({ only: { model: 'Opus' } }), 'zoo'],
        ['model, and nothing around it', () => ({ only: { model: '"' } }), ''],
        ['file, by its name', () => ({ only: { file: 'burrow.ts' } }), 'tools'],
        ['file, by its path', () => ({ only: { file: '/home/u/shop/src/burrow.ts' } }), 'tools'],
        ['file, not by a part of its name', () => ({ only: { file: 'urrow.ts' } }), ''],
        ['folder', () => ({ only: { file: 'shop/src/' } }), 'child parent tools'],
        ['file of a subagent', () => ({ only: { file: 'hide.ts' } }), 'child parent'],
        ['agent', () => ({ only: { agent: 'pi' } }), 'pi'],
        ['kind', () => ({ only: { kind: 'subagent' } }), 'child'],
        ['user', () => ({ only: { role: 'user' } }), without('child')],
        ['assistant', () => ({ only: { role: 'assistant' } }), 'tools zoo'],
        ['two at once', () => ({ only: { kind: 'main', file: 'src' } }), 'parent tools'],
        ['not a project', () => ({ without: { project: [project('/home/u/shop')] } }), 'zoo'],
        ['not a branch', () => ({ without: { branch: ['savanna', 'none'] } }), without('zoo')],
        ['not a model', () => ({ without: { model: ['opus'] } }), without('zoo')],
        ['not a file, with families', () => ({ without: { file: ['hide.ts'] } }), without('parent', 'child')],
        ['not an agent', () => ({ without: { agent: ['claude'] } }), 'pi'],
        ['not a kind', () => ({ without: { kind: ['main'] } }), 'child'],
        ['hidden ones too', () => ({ includeAll: true }), seen.replace('parent', 'warm parent')],
        ['not this one and its own', () => ({ excludedNativeIds: ['parent'] }), without('parent', 'child')],
      ])('%s', async (_, filters, expected) => {
        expect(await saying(word('okapi'), within(filters()))).toBe(expected);
      });

      test.each([
        ['role', { role: 'user' }, { messages: 1, toolTexts: 0, toolCalls: 0, named: 0 }],
        ['in:said', { in: 'said' }, { messages: 2, toolTexts: 0, toolCalls: 0, named: 1 }],
        ['in:done', { in: 'done' }, { messages: 0, toolTexts: 4, toolCalls: 1, named: 0 }],
      ] as const)('%s narrows what is searched', async (_, only, expected) => {
        const scope = within({ only: { ...only, file: 'burrow.ts' } });
        const { messages, toolTexts, toolCalls, named } = await list(any('okapi', 'tapir'), {}, scope);
        const lists = { messages: idsIn(messages), toolTexts: idsIn(toolTexts), toolCalls, named };
        const counts = Object.entries(lists).map(([kind, some]) => [kind, some.length]);
        expect(Object.fromEntries(counts)).toEqual(expected);
      });
    });

    describe('an excluded term', () => {
      test.each([
        ['leaves out who says it', 'database', false, without('tools', 'zoo')],
        ['leaves out whom it names', 'savanna', false, without('zoo')],
        ['leaves out the family of who says it', 'quokka', false, without('parent', 'child')],
        ['but not where subagents are listed', 'quokka', true, without('child')],
        ['is not looked for in what was done', 'tapir', false, seen],
      ])('%s', async (_, text, listsSubagents, expected) => {
        expect(await saying(word('okapi'), within({}, [word(text)], listsSubagents))).toBe(expected);
      });
      test('is, where only that is searched', async () => {
        const scope = within({ only: { in: 'done' }, includeAll: true }, [word('grep')]);
        expect(distinct(sessionsOf((await list(word('tapir'), {}, scope)).toolTexts))).toBe('silent');
      });
    });

    describe('sessions', () => {
      const shownUnder = async (names: string, listsSubagents = false, scope = within()) => {
        const relations = await scope.relations(idsOf(names), listsSubagents);
        expect(new Set(relations.map(({ id }) => id))).toEqual(new Set(idsOf(names)));
        return { owners: distinct(relations.map(({ ownerId }) => ownerId)), relations };
      };
      test('are shown under their own, unless subagents are listed or it is left out', async () => {
        expect((await shownUnder('child')).owners).toBe('parent');
        expect((await shownUnder('child', true)).owners).toBe('child');
        expect((await shownUnder('child', false, within({ only: { kind: 'subagent' } }))).owners).toBe(
          'child',
        );
      });
      test('say when what they are shown under was used last', async () => {
        const { relations } = await shownUnder('child zoo');
        const infos = await index.sessions(idsOf('parent zoo'));
        for (const { ownerId, modifiedAt } of relations)
          expect(infos.get(ownerId)?.modifiedAt).toBe(modifiedAt);
      });
      test('have a conversation in common with their copies', async () => {
        const { relations } = await shownUnder('original fork parent child zoo');
        expect(new Set(relations.map(({ conversationId }) => conversationId)).size).toBe(3);
      });
      test.each<[string, Partial<SessionInfo>]>([
        ['zoo', { nativeId: 'zoo', agent: 'claude', isOfSeveral: true, kind: 'main', parentNativeId: null }],
        ['zoo', { project: '/home/u/zoo', branch: 'feat/Savanna', isDeleted: false }],
        ['zoo', { firstPrompt: 'okapi: who migrated the database?', messageCount: 2, toolCallCount: 0 }],
        ['zoo', { createdAt: '2026-03-01T10:00:00.000Z', modifiedAt: '2026-03-01T10:01:00.000Z' }],
        ['shop', { title: 'The okapi gallery', titleSource: 'ai-title' }],
        ['child', { kind: 'subagent', parentNativeId: 'parent', toolCallCount: 1 }],
        ['deleted', { isDeleted: true }],
        ['pi', { agent: 'pi' }],
      ])('of which %s is %j', async (native, expected) => {
        const infos = await index.sessions(idsOf(native));
        expect(infos.get(ids.get(native) as number)).toMatchObject(expected);
      });
    });

    test.each([
      ['not enough', 10, [true, false, true, true, false]],
      ['enough, and the rest is taken to hold them', 2, [true, false, true, true, true]],
    ])('which sessions hold all terms, until there are %s', async (_, enough, expected) => {
      const questions = [
        { sessions: idsOf('zoo'), terms: [word('okapi'), word('migration')] },
        { sessions: idsOf('zoo'), terms: [word('okapi'), word('quokka')] },
        { sessions: idsOf('parent child'), terms: [word('count'), word('quokka')] },
        { sessions: idsOf('tools'), terms: [word('database'), word('found'), word('burrow.ts')] },
        { sessions: idsOf('shop'), terms: [word('quokka')] },
      ];
      expect(await within().hold(questions, enough)).toEqual(expected);
    });

    describe('passages', () => {
      const read = async (sessions: string, terms: Expression[], limit = 10, scope = within()) => {
        const [found] = await scope.passages([{ sessions: idsOf(sessions), terms }], limit);
        return found as Passages;
      };

      test('are the first that hold any of the terms', async () => {
        const { messages, toolTexts } = await read('tools', [word('okapi'), word('tapir')], 1);
        expect(messages.map(({ text }) => text)).toEqual(['please fix the okapi of user_by_id']);
        expect(toolTexts.map(({ tool, kind }) => [tool, kind])).toEqual([['Edit', 'tool-input']]);
      });
      test('are of all of the sessions', async () => {
        const { messages } = await read('parent child', [word('okapi'), word('hides')]);
        expect(namesOf(messages.map(({ sessionId }) => sessionId))).toBe('parent child child');
      });
      test('are of what the filters let through', async () => {
        const scope = within({ only: { role: 'assistant' } });
        const { messages, toolTexts } = await read('tools', [word('okapi'), word('tapir')], 10, scope);
        expect([messages.length, toolTexts.length]).toEqual([1, 0]);
      });
    });

    test.each([
      ['burrow', { kind: 'file', tool: 'Edit', target: '/home/u/shop/src/burrow.ts', isError: true }],
      ['grep', { kind: 'command', tool: 'Bash', target: 'grep tapir notes', isError: false }],
    ])('the first call that was pointed at %s', async (text, expected) => {
      const ask = (names: string) => ({ sessions: idsOf(names), terms: [word('unicorn'), word(text)] });
      const [none, call] = await within().calls([ask('zoo'), ask('zoo tools')]);
      expect([none, call?.sessionId]).toEqual([undefined, ids.get('tools')]);
      expect(call).toMatchObject(expected);
    });

    const listed = without('original', 'child');
    test.each<[string, number, boolean, SessionFilters['only'], string, number]>([
      ['the newest, copies once', 10, false, {}, listed, 7],
      ['counted beyond the limit', 2, false, {}, 'pi fork', 7],
      ['subagents too, on request', 10, true, {}, without('original'), 8],
      [
        'of copies, one that passes the filters',
        10,
        false,
        { until: '2026-03-09T20' },
        without('pi', 'fork', 'child'),
        6,
      ],
      ['those in which a role spoke', 10, false, { role: 'assistant' }, 'fork parent tools shop zoo', 5],
    ])('recent sessions: %s', async (_, limit, withSubagents, only, expected, total) => {
      const recent = await within({ only }).recent(limit, withSubagents);
      expect([namesOf(recent.ids), recent.total]).toEqual([expected, total]);
    });

    test.each([
      ['zo', false, 'zoo'],
      ['', false, ''],
      ['unicorn', false, ''],
      ['s', false, 'shop'],
      ['s', true, 'silent shop'],
    ])('sessions whose id starts with %j, hidden ones too: %j', async (prefix, includeAll, expected) => {
      const scope = within({ includeAll });
      expect(namesOf(await scope.startingWith(prefix, 10))).toBe(expected);
      expect(namesOf(await scope.startingWith(prefix, 1))).toBe(expected.split(' ')[0]);
    });

    test('totals', async () => {
      const { textChars, ...counts } = await index.totals();
      expect(counts).toEqual({ sessions: 11, spokenSessions: 10, messages: 20, toolCalls: 4 });
      expect(textChars).toBeGreaterThan(20 * 10);
    });
    test.each([
      ['hides', { role: 'assistant', kind: 'reply', text: 'The quokka hides.', isSidechain: true }],
      ['quokka okapi', { role: 'user', kind: 'task', timestamp: '2026-03-08T10:00:00.000Z' }],
      ['database migrated', { role: 'user', kind: 'prompt', isSidechain: false }],
    ])('messages by id: of %s', async (text, expected) => {
      const { messages } = await list(all(...text.split(' ')));
      const found = await index.messages(idsIn(messages));
      expect(found).toMatchObject([{ ...expected, id: messages[0]?.id, sessionId: messages[0]?.sessionId }]);
    });
    test('tool texts by id, with their text where it is known', async () => {
      const { toolTexts } = await list(word('found'));
      const of = { tool: 'Edit', target: '/home/u/shop/src/burrow.ts', isError: true };
      const [found, ...others] = await index.toolTexts(idsIn(toolTexts));
      expect(found).toMatchObject({ ...of, sessionId: ids.get('tools'), kind: 'tool-output' });
      expect([found?.text ?? 'tapir: not found', others]).toEqual(['tapir: not found', []]);
    });
    test('sessions in the order of their ids, with their copies', async () => {
      const found = await index.listedSessions(idsOf('fork zoo pi'));
      const lines = found.map(({ session, copies }) => `${session.nativeId} ${copies}`);
      expect(lines).toEqual(['fork 1', 'zoo 0', 'pi 0']);
    });
    test('copies by conversation', async () => {
      const found = await index.listedSessions(idsOf('original zoo'));
      const conversations = found.map(({ session }) => session.conversationId);
      const copies = await index.countCopies(conversations);
      expect(conversations.map((id) => copies.get(id) ?? 0)).toEqual([1, 0]);
    });
    test.each(['otetr', 'toter'])('words of about the same length that start like %s', async (typed) => {
      const near = await index.nearWords(typed, 1);
      expect(near).toContainEqual({ word: 'otter', texts: 1 });
      expect(near.filter((each) => Math.abs(each.word.length - typed.length) > 1)).toEqual([]);
    });
  });
}
