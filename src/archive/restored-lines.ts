// What is written when a file is brought back: its bytes, and of a transcript only whole lines, also around a part that is lost.

import type { Damage, Stretch } from './read-kept.ts';

const newline = 10;

/** `onDamage` is called with what is missing. */
export function* toRestored(
  stretches: Iterable<Stretch>,
  hasLines: boolean,
  onDamage: (damage: Damage) => void,
): Generator<Buffer> {
  let rest: Buffer[] = [];
  let isAfterLoss = false;
  for (const stretch of stretches) {
    if ('damage' in stretch) {
      onDamage(stretch.damage);
      rest = [];
      isAfterLoss = true;
      continue;
    }
    const bytes = isAfterLoss && hasLines ? withoutHalfLine(stretch.bytes) : stretch.bytes;
    isAfterLoss = false;
    if (!hasLines) {
      yield bytes;
      continue;
    }
    const end = bytes.lastIndexOf(newline) + 1;
    if (end > 0) {
      yield* rest;
      yield bytes.subarray(0, end);
      rest = [];
    }
    rest.push(bytes.subarray(end));
  }
}

/** Segments mostly start where a line does. */
function withoutHalfLine(bytes: Buffer): Buffer {
  const end = bytes.indexOf(newline);
  try {
    JSON.parse(bytes.subarray(0, end < 0 ? bytes.length : end).toString());
    return bytes;
  } catch {
    return end < 0 ? bytes.subarray(0, 0) : bytes.subarray(end + 1);
  }
}
