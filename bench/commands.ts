// The commands that are measured: the built program, and the yardsticks beside it.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Command, type Place, toIndexPath } from './trial.ts';

/** The program as package.json ships it. */
export function getProgramPath(): string {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  const path = resolve(Object.values(bin)[0] ?? '');
  if (!existsSync(path)) throw new Error(`${path} is not there: npm run build`);
  return path;
}

export function toRecall(id: string, args: readonly string[], more: Partial<Command> = {}): Command {
  return { id, argv: [process.execPath, getProgramPath(), ...args], ...more };
}

/** Exit code 1 says that nothing was found, which is an answer too. */
export function toSearch(id: string, query: string, refresh = false): Command {
  const flags = refresh ? [] : ['--no-refresh'];
  return toRecall(id, ['search', ...flags, '--', query], { statuses: [0, 1] });
}

export function toFirstIndex(place: Place, id: string, wrapper: readonly string[] = []): Command {
  const { argv } = toRecall(id, ['index', '--quiet']);
  return { id, argv: [...wrapper, ...argv], isLong: true, before: () => removeIndex(toIndexPath(place)) };
}

export const bareNode: Command = { id: 'bare-node', argv: [process.execPath, '-e', '0'] };

export function toFind({ claudeDir }: Place): Command {
  const isGnu = spawnSync('find', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU') ?? false;
  const print = isGnu ? ['-printf', '%T@ %s\n'] : ['-ls'];
  return { id: 'find', argv: ['find', claudeDir, '-type', 'f', ...print] };
}

/** What people do without an index; ripgrep where it is installed. */
export function toGrep({ claudeDir }: Place, word: string): Command {
  const found = { id: 'grep', statuses: [0, 1] };
  if (isInstalled('rg'))
    return {
      ...found,
      argv: ['rg', '-c', '--no-ignore', '--hidden', '-g', '*.jsonl', '-e', word, claudeDir],
    };
  return { ...found, argv: ['grep', '-rcF', '--include=*.jsonl', '-e', word, claudeDir] };
}

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

/** With its log and whatever else the program keeps beside it. */
function removeIndex(path: string): void {
  rmSync(dirname(path), { recursive: true, force: true });
}

export function toScript(
  scripts: string,
  id: 'read-and-parse' | 'plain-way' | 'plain-rollouts' | 'brotli-alone',
  args: readonly string[],
  more: Partial<Command> = {},
): Command {
  return { id, argv: [process.execPath, join(scripts, `${id}.mjs`), ...args], isLong: true, ...more };
}
