// A home with one conversation that has something of everything that is shown of one.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { assistantLine, at, type Line, TempHome, toolResult, toolUse, userLine } from './home.ts';

export const zebraId = 'aaaaaaaa-0000-4000-8000-000000000001';
export const forkId = 'bbbbbbbb-0000-4000-8000-000000000002';
export const goneId = 'cccccccc-0000-4000-8000-000000000003';
export const agentId = 'a1b2c3d4';

const uuidOf = (n: number) => `${String(n).padStart(8, '0')}-1111-4000-8000-000000000000`;

function firstLines(): Line[] {
  return [
    userLine('why does `test/zebra.ts` fail?\n\n```ts\nexpect(stripes).toBe(26);\n```\n__init__ stays', {
      timestamp: at(0),
      uuid: uuidOf(1),
    }),
    assistantLine([toolUse('Read', { file_path: '/home/u/shop/test/zebra.ts' }, 't1')], { timestamp: at(1) }),
    assistantLine([toolUse('Read', { file_path: '/home/u/shop/src/zebra.ts' }, 't2')], { timestamp: at(1) }),
    assistantLine([toolUse('Bash', { command: 'npm test -- zebra\necho done' }, 't3')], { timestamp: at(1) }),
    userLine([toolResult('t3', true)], { timestamp: at(2) }),
    assistantLine(
      '# Stripes\n\nThe **stripes** are counted twice, in `countStripes`:\n\n- once for each *side*\n- once in all',
      {
        timestamp: at(3),
        uuid: uuidOf(2),
      },
    ),
    assistantLine([toolUse('Task', { description: 'count the stripes', prompt: 'x' }, 't4')], {
      timestamp: at(4),
    }),
    assistantLine('The agent counted 26.', { timestamp: at(8), uuid: uuidOf(3) }),
  ];
}

function lastLines(): Line[] {
  return [
    userLine('This session is being continued from a previous conversation. The zebra had stripes.', {
      timestamp: at(9),
      uuid: uuidOf(4),
      isCompactSummary: true,
    }),
    userLine('fix it', { timestamp: at(60 * 24), uuid: uuidOf(5) }),
    assistantLine([toolUse('Edit', { file_path: '/home/u/shop/src/zebra.ts' }, 't5')], {
      timestamp: at(1441),
    }),
    assistantLine('Fixed: 26 stripes, all tests pass.', { timestamp: at(1442), uuid: uuidOf(6) }),
  ];
}

/** `index` is called after writing and once more after one of the transcripts was deleted. */
export async function makeZebraHome(index: (home: TempHome) => unknown): Promise<TempHome> {
  const home = new TempHome();
  const first = firstLines();
  home.writeSession(zebraId, [{ type: 'ai-title', aiTitle: 'Counting stripes' }, ...first, ...lastLines()]);
  home.writeSession(forkId, [
    { type: 'ai-title', aiTitle: 'Counting stripes, again' },
    ...first.slice(0, 1),
    assistantLine('A fork.', { timestamp: at(20) }),
  ]);
  const gone = home.writeSession(goneId, [userLine('a lost okapi', { timestamp: at(5) })]);
  const own = { isSidechain: true, agentId, sessionId: zebraId };
  const folder = `projects/-home-u-shop/${zebraId}/subagents`;
  home.write(`${folder}/agent-${agentId}.jsonl`, [
    userLine('count all stripes', { ...own, timestamp: at(5) }),
    assistantLine([toolUse('Grep', { pattern: 'stripe' }, 't9')], { ...own, timestamp: at(6) }),
    assistantLine('There are 26 stripes and one okapi.', { ...own, timestamp: at(7) }),
  ]);
  home.write(`${folder}/agent-${agentId}.meta.json`, {
    agentType: 'Explore',
    description: 'count the stripes',
    toolUseId: 't4',
  });
  await index(home);
  rmSync(join(home.claudeDir, gone));
  await index(home);
  return home;
}
