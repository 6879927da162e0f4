// Runs commands in rounds: each once, then each once more. What is compared is thus measured in the same minute.

import { type Command, type Place, runTrial } from './trial.ts';

export interface Timed {
  /** One for each round. */
  readonly ms: readonly number[];
  readonly peakMb: number | null;
}

export type Results = ReadonlyMap<string, Timed>;

export function runRounds(place: Place, commands: readonly Command[], rounds: number): Results {
  const ms = new Map<string, number[]>(commands.map(({ id }) => [id, []]));
  const peaks = new Map<string, number | null>();
  // Short ones once unwatched by the clock: it warms what later rounds find warm, and shows the memory.
  for (const command of commands)
    if (!command.isLong) peaks.set(command.id, runTrial(place, command, true).peakMb);
  for (let round = 0; round < rounds; round++) {
    for (const command of commands) {
      const trial = runTrial(place, command, command.isLong === true);
      ms.get(command.id)?.push(trial.ms);
      if (command.isLong) peaks.set(command.id, toHigher(peaks.get(command.id) ?? null, trial.peakMb));
    }
  }
  return new Map(commands.map(({ id }) => [id, { ms: ms.get(id) ?? [], peakMb: peaks.get(id) ?? null }]));
}

export function getTimed(results: Results, id: string): Timed {
  const timed = results.get(id);
  if (timed === undefined) throw new Error(`${id} was not measured`);
  return timed;
}

function toHigher(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
