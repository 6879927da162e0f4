// Every hit says why it was found, also where nobody spoke of it: the file, command, project, branch or title that holds the word.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchSessions } from '../../src/api/search.ts';
import { formatHitsPage } from '../../src/render/hits.ts';
import { toSearchJson } from '../../src/render/json.ts';
import { assistantLine, toolUse, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';
import { type Indexed, indexed, now } from './ask.ts';

let index: Indexed;

beforeAll(async () => {
  index = await indexed((home) => {
    // Without the work text, the targets of tools are all there is.
    home.writeSession('tools', [
      userLine('please go on'),
      assistantLine([
        toolUse('Agent', { description: 'mix phx.new tapir', prompt: '', subagent_type: 'x' }),
        toolUse('NotebookRead', { notebook_path: '/home/u/shop/extract_sam_results.ipynb' }),
      ]),
    ]);
    home.writeSession('place', [userLine('hello there', { cwd: '/srv/quokka', gitBranch: 'feat/wombat' })]);
    home.writeSession('named', [
      userLine('hello again'),
      { type: 'custom-title', customTitle: 'The bandicoot plan', sessionId: 'named' },
    ]);
  });
  index.store.db.exec("delete from work; insert into work_fts(work_fts) values ('delete-all')");
});

afterAll(() => index.close());

async function found(query: string) {
  const answer = await searchSessions(toHost(index.home), index.store, { query, limit: 5 });
  const freshness = { refreshed: true, pendingFiles: 0, obstacle: null, failures: [] };
  const json = toSearchJson({ ...answer, freshness } as never, false);
  const options = { columns: 100, useColor: false, now, homeDir: '/home/u', explain: false, passages: 3 };
  return { hits: json.hits, page: formatHitsPage(answer, options) };
}

describe('a match', () => {
  test.each([
    ['extract_sam_results.ipynb', 'file', 'NotebookRead ~/shop/extract_sam_results.ipynb'],
    ['quokka', 'project', 'project /srv/quokka'],
    ['wombat', 'branch', 'branch feat/wombat'],
    ['bandicoot', 'title', ' 1 The bandicoot plan'],
  ])('for %s is of the kind %s, and has its line', async (query, kind, line) => {
    const { hits, page } = await found(query);
    expect(hits[0]?.matches).toEqual([expect.objectContaining({ kind })]);
    expect(hits[0]?.matches[0]?.snippet.replace(/[«»]/g, '')).toContain(query);
    expect(page).toContain(line);
  });

  test('of a tool names the tool and what it was pointed at', async () => {
    const { hits } = await found('extract_sam_results.ipynb');
    expect(hits[0]?.matches[0]).toMatchObject({
      tool: 'NotebookRead',
      target: '/home/u/shop/extract_sam_results.ipynb',
      isError: false,
      messageId: expect.any(Number),
    });
  });

  test('comes after the passages of the other words', async () => {
    const { hits } = await found('hello quokka');
    expect(hits[0]?.matches.map((match) => match.kind)).toEqual(['prompt', 'project']);
  });

  test('is there, and counted, even if only a filter was given', async () => {
    for (const query of ['project:quokka', 'quokka', 'hello', 'wombat bandicoot']) {
      const { hits } = await found(query);
      expect(hits.length).toBeGreaterThan(0);
      for (const hit of hits) {
        expect(hit.matchCount).toBeGreaterThan(0);
        expect(hit.matches.length).toBeGreaterThan(0);
      }
    }
  });
});
