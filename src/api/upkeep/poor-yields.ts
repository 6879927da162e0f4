// Agents whose transcripts may no longer be understood, by the names that people know them by.

import { getSource } from '../../sources/index.ts';
import type { Store } from '../../store/open/open-store.ts';
import { type PoorYield, readPoorYields } from '../../store/read/index-facts.ts';

export interface NamedYield extends PoorYield {
  /** What people call the program. */
  readonly program: string;
}

export function findPoorYields(db: Store['db']): NamedYield[] {
  return readPoorYields(db).map((found) => ({ ...found, program: getSource(found.agent).name }));
}
