// A home of many transcripts of very different length, made by chance: enough to be in the middle of when something
// happens, small enough to be indexed in a second.

import type { Random } from '../../bench/home/random.ts';
import { assistantLine, at, type Line, type TempHome, toolResult, toolUse, userLine } from './home.ts';

const vocabulary =
  'jwt middleware getUserById redis queue 数据库连接 naïve café deploy pipeline timeout token'.split(' ');

/** Lines of one session: questions, answers, tool calls, titles and a type that nobody knows. */
export function someLines(random: Random, count: number, id: string): Line[] {
  const text = (words: number) => Array.from({ length: words }, () => random.pick(vocabulary)).join(' ');
  return Array.from({ length: count }, (_, i): Line => {
    const extra = { timestamp: at(random.below(500)), sessionId: id };
    const call = `toolu_${id}_${i - (i % 6)}`;
    if (i % 6 === 1) return assistantLine([toolUse('Read', { file_path: `src/${text(1)}.ts` }, call)], extra);
    if (i % 6 === 2) return userLine([toolResult(call, random.chance(0.3))], extra);
    if (i % 37 === 5) return { type: 'ai-title', aiTitle: text(4) };
    if (i % 41 === 5) return { type: 'hologram', version: '9.9.9' };
    return i % 2 === 0 ? userLine(text(20), extra) : assistantLine(text(60), extra);
  });
}

export const madeSessions = 50;

export const madePath = (n: number) => `projects/-home-u-${n % 5}/session-${n}.jsonl`;

/** Sixty transcripts, forks and agents among them, a history, hints. */
export function writeMadeHome(home: TempHome, random: Random): void {
  const shared = someLines(random, 12, 'session-0');
  for (let n = 0; n < madeSessions; n++) {
    const own = someLines(random, n % 17 === 0 ? 600 : 20 + random.below(120), `session-${n}`);
    home.write(madePath(n), n % 10 === 3 ? [...shared, ...own] : own);
  }
  // Longer than one batch, so that a kill may fall into the middle of a file, and so much that a thread reads it.
  const long = Array.from({ length: 100 }, (_, i) =>
    assistantLine(`part ${i} ${'deploy pipeline '.repeat(6500)}`),
  );
  home.append(madePath(7), long);
  for (let n = 0; n < 10; n++) {
    const agent = `projects/-home-u-${n % 5}/session-${n}/subagents/agent-a${n}`;
    home.write(`${agent}.jsonl`, someLines(random, 60, `session-${n}`));
    home.write(`${agent}.meta.json`, { agentType: 'Explore', description: `look into part ${n}` });
  }
  home.write(
    'history.jsonl',
    Array.from({ length: 200 }, (_, i) => ({
      display: `typed long ago ${i}`,
      sessionId: `lost-${i % 20}`,
      project: '/home/u/shop',
      timestamp: Date.parse(at(i)),
    })),
  );
  home.write('projects/-home-u-0/sessions-index.json', {
    entries: [0, 5, 10, 99].map((n) => ({ sessionId: `session-${n}`, summary: `what happened in ${n}` })),
  });
}

/** Appends to some of the transcripts, writes others anew, adds a prompt and a title. */
export function changeMadeHome(home: TempHome, random: Random, round: number): void {
  for (let n = 0; n < 12; n++) {
    const file = random.below(madeSessions);
    const lines = someLines(random, 20 + random.below(200), `session-${file}`);
    if (random.chance(0.3)) home.write(madePath(file), lines);
    else home.append(madePath(file), lines);
  }
  home.append('history.jsonl', [{ display: `typed in ${round}`, sessionId: 'lost-3', timestamp: round }]);
  const title = `projects/-home-u-${round % 5}/session-${round % madeSessions}/custom-title.json`;
  home.write(title, { customTitle: `named ${round}` });
}
