// The home in which rounds are counted: words that are everywhere, words of few, and a subagent.

import { assistantLine, at, type TempHome, toolResult, toolUse, userLine } from '../support/home.ts';

export const idOf = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
const sessions = 16;

export function writeRoundsHome(home: TempHome): void {
  for (let n = 0; n < sessions; n++) {
    const extra = { timestamp: at(n, '2026-04-01'), cwd: n % 2 === 0 ? '/home/u/shop' : '/home/u/zoo' };
    // More than are listed of each, in messages and in tool texts.
    const common = Array.from({ length: 280 }, (_, i) =>
      userLine(`${n % 4 === 0 ? 'alpha' : 'alpha omega'} ${i}`, { ...extra, uuid: undefined }),
    );
    const tools = Array.from({ length: 40 }, (_, i) => [
      assistantLine([toolUse('Bash', { command: `dockerd ${i}` }, `t${n}-${i}`)], extra),
      userLine([{ ...toolResult(`t${n}-${i}`), content: 'dockerd says kubelet' }], extra),
    ]);
    home.writeSession(idOf(n), [
      ...common,
      userLine(`zebra number ${n} of the walrus`, extra),
      ...tools.flat(),
    ]);
  }
  home.writeSession(idOf(90), [
    { type: 'ai-title', aiTitle: 'Okapi migration' },
    userLine('getUserById in src/jobs/poller.ts, 数据库连接池经常超时', { timestamp: at(0) }),
    assistantLine([toolUse('Edit', { file_path: '/home/u/shop/src/jobs/poller.ts' })]),
  ]);
  home.write(`projects/-home-u-shop/${idOf(90)}/subagents/agent-b1.jsonl`, [
    userLine('look for the quokka', { isSidechain: true, agentId: 'b1', sessionId: idOf(90) }),
  ]);
}
