// What every part of the update gives back, and the one key that means the same in most of them.

import type { Effect, State } from '../state.ts';
import type { Key } from '../terminal/decode-keys.ts';

export interface Updated {
  readonly state: State;
  readonly effects: readonly Effect[];
}

export function isInterrupt(key: Key): boolean {
  return key.type === 'key' && key.name === 'ctrl-c';
}

export function interrupt(state: State): Updated {
  return { state, effects: [{ type: 'leave', outcome: { type: 'interrupted' } }] };
}
