// Hashes pieces of a file, for its fingerprint.

import { samplesAt } from './layout';

/**
 * A number for so many bytes of the samples, which other bytes almost surely do not have. Every step can be undone, so a
 * single word that differs always gives another number.
 */
export function hashSamples(length: u32, seed: u64): u64 {
  const end = samplesAt + length;
  let hash = mix(mix(seed + 1) ^ length);
  let at = samplesAt;
  for (; at + 8 <= end; at += 8) hash = mix(hash ^ load<u64>(at));
  for (; at < end; at++) hash = mix(hash ^ load<u8>(at));
  return hash;
}

/** Odd, so that multiplying with them can be undone. */
const spreading: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;
const scattering: u64 = ((<u64>0xbf58476d) << 32) | 0x1ce4e5b9;

/** Twice, for what differs in the highest bits alone would stay there. */
function mix(value: u64): u64 {
  let mixed = value * spreading;
  mixed = (mixed ^ (mixed >> 32)) * scattering;
  return mixed ^ (mixed >> 29);
}
