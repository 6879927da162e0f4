// What every part of the update gives back.

import type { Effect, State } from '../state.ts';

export interface Updated {
  readonly state: State;
  readonly effects: readonly Effect[];
}
