// Golden screens of a conversation, at several widths.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConversationPage, PageStart } from '../../../src/api/answers.ts';
import { openConversation, readPage } from '../../../src/api/conversation/read-conversation.ts';
import { type ShowFlags, toConversationRequest } from '../../../src/commands/show-command.ts';
import { widthOf } from '../../../src/render/columns.ts';
import { printConversation } from '../../../src/render/conversation/printer.ts';
import { type TerminalOptions, TerminalPrinter } from '../../../src/render/conversation/terminal-printer.ts';
import { findSessions } from '../../../src/store/read/sessions.ts';
import type { TempHome } from '../../support/home.ts';
import { toHost, withDirectory } from '../../support/host.ts';
import { indexHome, withStore } from '../../support/index-home.ts';
import { makeZebraHome, zebraId } from '../../support/zebra-home.ts';
import { toPlain } from '../made-hits.ts';

let home: TempHome;
beforeAll(async () => {
  home = await makeZebraHome(indexHome);
});
afterAll(() => home.remove());

function screen(columns: number, some: Partial<ShowFlags> = {}, options: Partial<TerminalOptions> = {}) {
  return withStore(home, async (store) => {
    const flags = { pager: true, ...some };
    const [session] = findSessions(store.db, zebraId);
    if (session === undefined) throw new Error('not indexed');
    const request = toConversationRequest(flags, 'terminal');
    const host = toHost(home);
    const conversation = await openConversation(host, store, session.id, request);
    const readAll = async function* (start: PageStart) {
      for (let next: PageStart | null = start; next !== null; ) {
        const page: ConversationPage = await readPage(host, store, next, 2);
        yield page;
        next = page.next;
      }
    };
    const printer = new TerminalPrinter({
      columns,
      useColor: false,
      isDrawn: true,
      showsTools: flags.tools ?? false,
      showsRecaps: flags.recaps ?? false,
      now: new Date('2026-04-01T12:00:00Z'),
      homeDir: '/home/u',
      terms: conversation.matches?.terms ?? [],
      ...options,
    });
    const shown = { ...conversation, head: withDirectory(conversation.head) };
    const pieces: string[] = [];
    for await (const piece of printConversation(printer, shown, readAll)) pieces.push(piece);
    return pieces.filter((piece) => piece !== '').join('\n');
  });
}

describe('a screen', () => {
  test('of 80 columns', async () => {
    expect(await screen(80)).toMatchSnapshot();
  });

  test('of 40 columns, with everything unfolded', async () => {
    expect(await screen(40, { subagents: true, tools: true, recaps: true })).toMatchSnapshot();
  });

  test('of 200 columns, around a match', async () => {
    expect(await screen(200, { match: 'okapi', context: '0' })).toMatchSnapshot();
  });

  test('in a pipe, as it was written', async () => {
    expect(await screen(80, {}, { isDrawn: false })).toMatchSnapshot();
  });

  test('in colour, with matches marked', async () => {
    const shown = await screen(80, { match: 'stripe', last: '3' }, { useColor: true });
    expect(shown).toContain('Fixed: 26 \x1b[7m\x1b[33mstripes\x1b[39m\x1b[27m, all tests pass.');
    expect(toPlain(shown)).not.toContain('\x1b');
  });

  test.each([24, 32, 40, 80, 200])('no line is wider than %i columns', async (columns) => {
    const shown = await screen(columns, { subagents: true, tools: true, recaps: true }, { useColor: true });
    for (const line of shown.split('\n')) expect(widthOf(toPlain(line))).toBeLessThanOrEqual(columns);
  });
});
