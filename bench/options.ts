// What was asked for on the command line.

import { parseArgs } from 'node:util';
import type { Strictness } from './budgets.ts';
import { type HomeShape, isSizeName, type SizeName, sizes, toSearchShape } from './home/sizes.ts';

export const usage = `npm run bench -- [--size small|medium|large|giant] [flags]

  --size <name>        which home to make (default small)
  --seed, --transcripts, --turns, --noise, --messages <n>   change that home
  --dir <folder>       keep homes there and use them again
  --make               make the home and stop
  --home <dir>         measure a real Claude folder instead; nothing is written to it
  --only <groups>      of index, unchanged, archive, search, refresh, grep, append, answer; separated by commas; or engines, which
                       compares better-sqlite3 with node:sqlite and is measured only when named
  --growth <n,n,…>     search homes of so many messages as well: 30000,300000,1000000
  --trials <n>         rounds of long measures (default 5 for small, else 3); short ones have three times as many
  --check              exit 1 when a budget is broken
  --json               for machines`;

/** All that is measured unless some are named. */
const usualGroups = [
  'index',
  'unchanged',
  'archive',
  'search',
  'refresh',
  'grep',
  'append',
  'answer',
] as const;
export const groups = [...usualGroups, 'engines'] as const;
export type Group = (typeof groups)[number];

export interface Options {
  /** Names the home's folder. */
  readonly name: string;
  readonly strictness: Strictness;
  readonly shape: HomeShape;
  readonly dir: string | null;
  readonly home: string | null;
  readonly only: ReadonlySet<Group>;
  readonly growth: readonly number[];
  readonly trials: number;
  readonly makeOnly: boolean;
  readonly check: boolean;
  readonly json: boolean;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const overrides = ['seed', 'transcripts', 'turns', 'noise', 'messages'] as const;

/** Throws what to say when it makes no sense. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ size: text, seed: text, transcripts: text, turns: text, noise: text, messages: text },
      ...{ dir: text, home: text, only: text, growth: text, trials: text },
      ...{ make: flag, check: flag, json: flag },
    },
  });
  const size = values.size ?? 'small';
  if (!isSizeName(size)) throw new Error(`unknown size ${size}: one of ${Object.keys(sizes).join(', ')}`);
  const given = overrides.filter((name) => values[name] !== undefined);
  const changes = Object.fromEntries(given.map((name) => [name, toNumber(name, values[name])]));
  return {
    name: [size, ...given.map((name) => `${name}-${values[name]}`)].join('-'),
    strictness: values.home === undefined ? toStrictness(size) : 'full',
    shape: { ...sizes[size], ...changes },
    dir: values.dir ?? null,
    home: values.home ?? null,
    only: toGroups(values.only),
    growth: (values.growth ?? '')
      .split(',')
      .filter(Boolean)
      .map((count) => toNumber('growth', count)),
    trials: values.trials === undefined ? (size === 'small' ? 5 : 3) : toNumber('trials', values.trials),
    makeOnly: values.make,
    check: values.check,
    json: values.json,
  };
}

function toStrictness(size: SizeName): Strictness {
  if (size === 'giant') return 'memory';
  return size === 'small' ? 'small' : 'full';
}

function toNumber(name: string, value: string | undefined): number {
  const number = Number(value);
  if (!(number > 0)) throw new Error(`--${name} wants a number above 0, not ${value}`);
  return number;
}

function toGroups(only: string | undefined): ReadonlySet<Group> {
  if (only === undefined) return new Set(usualGroups);
  const isGroup = (name: string): name is Group => (groups as readonly string[]).includes(name);
  const chosen = only.split(',');
  const unknown = chosen.find((name) => !isGroup(name));
  if (unknown !== undefined) throw new Error(`unknown group ${unknown}: of ${groups.join(', ')}`);
  return new Set(chosen.filter(isGroup));
}

/** The home of one row of the growth table. */
export function toGrowthHome(messages: number): { readonly name: string; readonly shape: HomeShape } {
  return { name: `messages-${messages}`, shape: toSearchShape(messages) };
}
