// What was asked for on the command line, and how often each kind is tried when nothing was said.

import { parseArgs } from 'node:util';

export const usage = `npm run torture -- [flags]

  --only <kinds>   of kill, together, files, disk, damage, lines, queries, hostile, privacy, forget, archive; separated by commas
  --seed <n>       another seed tries other things (default 1)
  --count <n>      how many trials of each kind (default: minutes for each)
  --short          a few trials of each kind, as for every change: some minutes in all
  --data <dir>     also bend the transcripts below this folder; give it several times for several (lines)`;

/** Trials of a long run: kills of each sort, rounds, flips, inputs, queries. */
export const defaultCounts = {
  kill: 200,
  together: 20,
  files: 40,
  disk: 40,
  damage: 500,
  lines: 3000,
  queries: 1_000_000,
  hostile: 300,
  privacy: 5,
  forget: 200,
  archive: 60,
} as const;

/** Trials that every change must pass. */
export const shortCounts: Readonly<Record<Kind, number>> = {
  kill: 2,
  together: 1,
  files: 1,
  disk: 1,
  damage: 8,
  lines: 60,
  queries: 1500,
  hostile: 12,
  privacy: 1,
  forget: 4,
  archive: 4,
};

export type Kind = keyof typeof defaultCounts;

export interface Options {
  readonly only: readonly Kind[];
  readonly seed: number;
  readonly counts: Readonly<Record<Kind, number>>;
  readonly data: readonly string[];
}

/** Throws what to say when it makes no sense. */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: text,
      seed: text,
      count: text,
      short: { type: 'boolean' },
      data: { ...text, multiple: true },
    },
  });
  const count = toNumber('count', values.count);
  const counts = values.short ? shortCounts : defaultCounts;
  return {
    only: toKinds(values.only),
    seed: toNumber('seed', values.seed) ?? 1,
    counts: count === null ? counts : setAll(count),
    data: values.data ?? [],
  };
}

function setAll(count: number): Record<Kind, number> {
  const kinds = Object.keys(defaultCounts) as Kind[];
  return Object.fromEntries(kinds.map((kind) => [kind, count])) as Record<Kind, number>;
}

function toNumber(name: string, value: string | undefined): number | null {
  if (value === undefined) return null;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`--${name} wants a number above 0, not ${value}`);
  return number;
}

function toKinds(only: string | undefined): Kind[] {
  const kinds = Object.keys(defaultCounts) as Kind[];
  if (only === undefined) return kinds;
  const chosen = only.split(',');
  const unknown = chosen.find((name) => !(name in defaultCounts));
  if (unknown !== undefined) throw new Error(`unknown kind ${unknown}: of ${kinds.join(', ')}`);
  return kinds.filter((kind) => chosen.includes(kind));
}
