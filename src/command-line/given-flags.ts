// The flags that choose the index and the folders, which are repeated after every command in a hint: without
// them, following the hint would repair or fill another index.

import type { GivenRoots } from '../api/roots.ts';
import { UserError } from '../errors.ts';
import { type AgentName, agents } from '../records.ts';
import { quoteForShell, toPrintableLine } from '../text/printable.ts';
import type { GlobalFlags } from './commander.ts';

const carried = ['--db', '--archive', '--claude-dir', '--agent-dir'];

/** As they are typed, each with a space before it; empty if there are none. */
export function toGivenFlags(argv: readonly string[]): string {
  let flags = '';
  for (let i = 0; i < argv.length && argv[i] !== '--'; i++) {
    const [name = '', ...rest] = (argv[i] ?? '').split('=');
    if (!carried.includes(name)) continue;
    const value = rest.length > 0 ? rest.join('=') : argv[++i];
    if (value !== undefined) flags += ` ${name} ${toTyped(value)}`;
  }
  return flags;
}

function toTyped(value: string): string {
  return /^[\w./:@%+,][\w./:@%+=,-]*$/.test(value) ? value : quoteForShell(value);
}

/** The folders that --claude-dir and --agent-dir name. */
export function toGivenRoots({ claudeDir = [], agentDir = [] }: GlobalFlags): GivenRoots {
  const given: { [Agent in AgentName]?: string[] } = claudeDir.length === 0 ? {} : { claude: claudeDir };
  for (const text of agentDir) {
    const [, name, dir] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
    const agent = agents.find((each) => each === name);
    if (agent === undefined || dir === undefined) {
      throw new UserError(`--agent-dir takes an agent and its folder, not ${toPrintableLine(text)}`, {
        code: 'usage',
        hint: `--agent-dir <agent>=<dir>, where the agent is one of ${agents.join(', ')}`,
      });
    }
    given[agent] = [...(given[agent] ?? []), dir];
  }
  return given;
}
