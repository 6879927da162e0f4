// Gives back what inserting leaves behind. Node would let hundreds of megabytes of inserted text pile up before it
// looked at it, because the machine has room for them; recall promises not to take it.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/** Takes some 50 ms, so it is for after a large transaction. */
export function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
