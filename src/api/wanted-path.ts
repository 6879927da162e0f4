// The path a person means by what they typed: whole where it says where it begins, else the end of one.

import { normalize, resolve } from 'node:path';
import type { Surroundings } from '../config.ts';

export function toWantedPath(path: string, at: Surroundings): string {
  const slashed = path.replaceAll('\\', '/');
  if (slashed === '~' || slashed.startsWith('~/')) return normalize(at.homeDir + slashed.slice(1));
  const plain = normalize(slashed).replace(/(.)\/+$/, '$1');
  const isFromHere = [slashed, plain].some((each) => /^\.{1,2}(\/|$)/.test(each));
  return (isFromHere ? resolve(at.cwd, slashed) : plain).replaceAll('\\', '/');
}
