// Makes a seeded Claude home shaped like real ones: most bytes are tool output and progress that is never needed,
// a few per cent are what was said.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const vocabulary =
  `auth token middleware redis queue worker parser index search rank schema migration deploy docker cache
  invoice billing webhook retry timeout stream buffer unicode snippet session cookie header route handler service query join
  latency memory profile thread lock commit branch rebase conflict test fixture property coverage render terminal width`.split(
    /\s+/,
  );

export interface HomeSize {
  readonly files: number;
  readonly turnsPerFile: number;
  readonly seed: number;
}

/** Returns the number of bytes written. */
export function makeHome(claudeDir: string, { files, turnsPerFile, seed }: HomeSize): number {
  const random = toRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const say = (words: number) => Array.from({ length: words }, () => pick(vocabulary)).join(' ');
  let bytes = 0;
  for (let n = 0; n < files; n++) {
    const claudeId = toUuid(random);
    const cwd = `/home/bench/project-${n % 20}`;
    const folder = join(claudeDir, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
    const start = Date.UTC(2026, 0, 1) + n * 3_600_000;
    const lines: string[] = [];
    const add = (line: Record<string, unknown>) => lines.push(`${JSON.stringify(line)}\n`);
    const common = (minute: number) => ({
      uuid: toUuid(random),
      sessionId: claudeId,
      timestamp: new Date(start + minute * 60_000).toISOString(),
      ...{ cwd, version: '2.1.100', gitBranch: 'main', isSidechain: false, userType: 'external' },
    });
    for (let turn = 0; turn < turnsPerFile; turn++) {
      const id = `toolu_${toUuid(random).slice(0, 12)}`;
      add({
        type: 'user',
        ...common(turn),
        message: { role: 'user', content: say(12 + Math.floor(random() * 20)) },
      });
      add({
        type: 'assistant',
        ...common(turn),
        message: { model: 'opus', content: [{ type: 'text', text: say(60) }] },
      });
      const input = {
        file_path: `${cwd}/src/${pick(vocabulary)}.ts`,
        old_string: say(30),
        new_string: say(30),
      };
      const toolUse = { type: 'tool_use', id, name: 'Edit', input };
      add({ type: 'assistant', ...common(turn), message: { model: 'opus', content: [toolUse] } });
      const output = say(200 + Math.floor(random() ** 6 * 20_000));
      const result = { type: 'tool_result', tool_use_id: id, content: output, is_error: random() < 0.05 };
      add({
        type: 'user',
        ...common(turn),
        message: { content: [result] },
        toolUseResult: { stdout: output },
      });
      for (let i = 0; i < 3; i++)
        add({ type: 'progress', ...common(turn), data: { type: 'hook_progress', output: say(40) } });
    }
    add({ type: 'ai-title', aiTitle: say(6), sessionId: claudeId });
    const content = lines.join('');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${claudeId}.jsonl`), content);
    bytes += content.length;
  }
  return bytes;
}

function toRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function toUuid(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
