// The home that every engine of the word index is asked about.

import { utimesSync } from 'node:fs';
import {
  assistantLine,
  at,
  type Line,
  type TempHome,
  toolResult,
  toolUse,
  userLine,
} from '../support/home.ts';

export const deletedTranscript = 'projects/-home-u-shop/deleted.jsonl';

/** Every session speaks of an okapi, so that what a filter lets through is seen by that word. The later, the newer. */
export function writeContractHome(home: TempHome): void {
  let day = 0;
  const write = (path: string, lines: readonly Line[]) => {
    const when = new Date(at(0, `2026-03-${String(++day).padStart(2, '0')}`));
    const timeOf = (i: number) => new Date(+when + i * 60_000).toISOString();
    const timed = lines.map((line, i) => ({ ...line, timestamp: timeOf(i) }));
    utimesSync(home.write(path, timed), when, when);
  };
  const ofShop = (id: string) => `projects/-home-u-shop/${id}.jsonl`;
  const isSubagent = (agentId: string) => ({ isSidechain: true, agentId, sessionId: 'parent' });
  const place = { cwd: '/home/u/zoo', gitBranch: 'feat/Savanna' };
  const opus = { role: 'assistant', model: 'claude-opus-4-1', id: 'msg_zoo' };
  const text = 'The okapi team did; getUserById calls it, in C++.';
  write('projects/-home-u-zoo/zoo.jsonl', [
    userLine('okapi: who migrated the database?', place),
    assistantLine('', { ...place, message: { ...opus, content: [{ type: 'text', text }] } }),
  ]);
  write(deletedTranscript, [userLine('the okapi that left')]);
  write(ofShop('shop'), [
    { type: 'ai-title', aiTitle: 'The okapi gallery' },
    userLine('okapi okapi okapi'),
    assistantLine('Two migrations later: 用Redis做缓存, 数据库连接池, a café.'),
  ]);
  write(ofShop('silent'), [
    assistantLine([toolUse('Bash', { command: 'ls tapir' }, 't3')]),
    userLine([{ ...toolResult('t3'), content: 'tapir.txt' }]),
  ]);
  write(ofShop('tools'), [
    userLine('please fix the okapi of user_by_id'),
    assistantLine([toolUse('Edit', { file_path: '/home/u/shop/src/burrow.ts', new_string: 'tapir' }, 't1')]),
    userLine([{ ...toolResult('t1', true), content: 'tapir: not found' }]),
    assistantLine([toolUse('Bash', { command: 'grep tapir notes' }, 't2')]),
    userLine([{ ...toolResult('t2'), content: 'tapir line one' }]),
    assistantLine('A database for the okapi, and a plan.'),
  ]);
  write(ofShop('parent'), [userLine('count every okapi'), assistantLine('A subagent will, in one line.')]);
  write('projects/-home-u-shop/parent/subagents/agent-warm.jsonl', [
    userLine('Warmup', isSubagent('warm')),
    assistantLine('Ready for the okapi.', isSubagent('warm')),
  ]);
  write('projects/-home-u-shop/parent/subagents/agent-child.jsonl', [
    userLine('find the quokka and the okapi', { ...isSubagent('child'), cwd: '/home/u/worktree' }),
    assistantLine([toolUse('Read', { file_path: '/home/u/shop/src/hide.ts' })], isSubagent('child')),
    assistantLine('The quokka hides.', isSubagent('child')),
  ]);
  const shared = [
    userLine('plan the okapi exhibit', { uuid: '11111111-0000-4000-8000-000000000001' }),
    assistantLine('With a walrus.', { uuid: '11111111-0000-4000-8000-000000000002' }),
  ];
  write(ofShop('original'), [...shared, userLine('only here: the narwhal')]);
  write(ofShop('fork'), [...shared, userLine('only here: the otter')]);
  const message = { role: 'user', content: [{ type: 'text', text: 'an okapi elsewhere' }] };
  home.write('../pi/sessions/--home-u-shop--/2026-03-11T20-00-00-000Z_pi.jsonl', [
    { type: 'session', version: 3, id: 'pi', timestamp: at(600, '2026-03-11'), cwd: '/home/u/shop' },
    { type: 'message', id: 'c0de0001', parentId: null, timestamp: at(601, '2026-03-11'), message },
  ]);
}
