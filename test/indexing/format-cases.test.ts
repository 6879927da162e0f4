// What recall makes of everything docs/format.md says Claude Code writes: one small home per fact in fixtures/cases.
// The word "flamingo" occurs wherever text must never be indexed, "heron" wherever a tool was given or answered something,
// of which only the words are indexed.

import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TempHome } from '../support/home.ts';
import { contentOf, indexHome } from '../support/index-home.ts';
import { A, B, type FormatCase, seeHome } from './format-cases/case.ts';
import { copyCases } from './format-cases/copies.ts';
import { entryCases } from './format-cases/entries.ts';
import { lineCases } from './format-cases/lines.ts';
import { placeCases } from './format-cases/places.ts';
import { titleCases } from './format-cases/titles.ts';

const casesDir = resolve('fixtures/cases');

const sections: Record<string, readonly FormatCase[]> = {
  'where things are': placeCases,
  lines: lineCases,
  'user and assistant entries': entryCases,
  'titles and metadata': titleCases,
  'same text, several files': copyCases,
};

let home: TempHome;

beforeEach(() => {
  home = new TempHome();
});

afterEach(() => home.remove());

function copyCase(name: string, into = home.claudeDir): void {
  cpSync(join(casesDir, name), into, { recursive: true });
}

function hasHeron(name: string): boolean {
  const files = readdirSync(join(casesDir, name), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.jsonl'))
    .some((file) => readFileSync(join(casesDir, name, file), 'latin1').includes('heron'));
}

for (const [section, cases] of Object.entries(sections)) {
  describe(section, () => {
    for (const { name, fact, sessions, unknownTypes = {}, skipped = [] } of cases) {
      test(`${fact} (${name})`, async () => {
        copyCase(name);
        const report = await indexHome(home);
        expect(await seeHome(home)).toMatchObject(sessions);
        expect(report.unknownTypes).toEqual(unknownTypes);
        expect(
          report.skipped.map(({ path, line, reason }) => `${path.split('/').at(-1)}:${line}: ${reason}`),
        ).toEqual(skipped);
        expect(report.failures).toEqual([]);

        const content = await contentOf(home);
        expect(JSON.stringify(content)).not.toMatch(/flamingo/i);
        const { words, work, ...rows } = content;
        const { work: workWords, ...otherWords } = words;
        expect(JSON.stringify([rows, otherWords])).not.toMatch(/heron/i);
        for (const found of [workWords, work])
          expect(/heron/i.test(JSON.stringify(found))).toBe(hasHeron(name));
        await indexHome(home, { rebuild: true });
        expect(await contentOf(home)).toEqual(content);
      });
    }
  });
}

describe('homes that change', () => {
  test('a half-written last line is taken once it is whole', async () => {
    copyCase('half-written-last-line');
    const path = `projects/-home-u-shop/${A}.jsonl`;
    await indexHome(home);
    home.append(path, ' one leg."}]}}\n');
    await indexHome(home);
    home.append(path, '{"type":"user","message":{"content":"and one more"}}\n');
    await indexHome(home);
    expect(await seeHome(home)).toMatchObject([
      {
        messages: [
          '1 user prompt: whole line',
          '2 assistant reply: A flamingo stands on one leg.',
          '3 user prompt: and one more',
        ],
      },
    ]);
  });

  test('a session that loses its transcript keeps its messages and takes nothing from history.jsonl', async () => {
    copyCase('history-recovers-deleted');
    await indexHome(home);
    rmSync(join(home.claudeDir, `projects/-home-u-shop/${B}.jsonl`));
    await indexHome(home, { rebuild: true });
    expect(await seeHome(home)).toMatchObject([
      { native_id: A, kind: 'history' },
      { native_id: B, kind: 'main', is_gone: 1, messages: ['1 user prompt: still there'] },
    ]);
  });

  test('a recovered session gives way to its transcript', async () => {
    copyCase('index-and-history-agree');
    await indexHome(home);
    home.writeSession(A, [{ type: 'user', message: { content: 'words of a lost session' } }]);
    await indexHome(home);
    expect(await seeHome(home)).toMatchObject([
      { native_id: A, kind: 'main', is_gone: 0, title: 'Lost and found', title_source: 'index-summary' },
    ]);
  });

  test('a title in a sidecar that is written later is taken', async () => {
    copyCase('ai-title-latest-wins');
    await indexHome(home);
    home.write(`projects/-home-u-shop/${A}/custom-title.json`, { customTitle: 'Renamed by hand' });
    await indexHome(home);
    expect(await seeHome(home)).toMatchObject([{ title: 'Renamed by hand', title_source: 'sidecar' }]);
  });

  test('several roots share one index', async () => {
    const other = join(home.path, 'other-account');
    copyCase('main-session');
    copyCase('non-uuid-ids', other);
    await indexHome(home, { roots: [home.claudeDir, other] });
    const sessions = await seeHome(home);
    expect(sessions.map((session) => session.native_id)).toEqual(['2024-11-23-session', A, 'session-abc123']);
  });
});

test('every folder of fixtures/cases is named by a test, once', () => {
  const named = Object.values(sections).flatMap((cases) => cases.map((formatCase) => formatCase.name));
  expect(named.toSorted()).toEqual(readdirSync(casesDir).toSorted());
});
