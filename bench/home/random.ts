// The only source of chance in a made home: the same seed gives the same numbers, so the same files, everywhere.

const twoTo32 = 4_294_967_296;

/** Four hexadecimal digits for every 16 bits: a home needs two million uuids. */
const hexOf16Bits = Array.from({ length: 65_536 }, (_, n) => n.toString(16).padStart(4, '0'));
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export class Random {
  private state: number;

  /** Each further key gives a stream of its own, so that one file does not depend on those made before it. */
  constructor(seed: number, ...keys: readonly number[]) {
    this.state = seed >>> 0;
    for (const key of keys) this.state = (this.bits() ^ Math.imul(key + 1, 0x9e3779b1)) >>> 0;
  }

  /** 32 random bits (mulberry32). */
  bits(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** 0 ≤ x < 1. */
  fraction(): number {
    return this.bits() / twoTo32;
  }

  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** Half of the values lie below the median; the mean is median × e^(sigma² / 2). */
  logNormal(median: number, sigma: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fraction()));
    return median * Math.exp(sigma * radius * Math.cos(2 * Math.PI * this.fraction()));
  }

  /** A whole number with this mean: the fraction decides between its two neighbours. */
  around(mean: number): number {
    return Math.floor(mean) + (this.chance(mean % 1) ? 1 : 0);
  }

  /** How often something with this mean happens before it stops, at least 0. */
  geometric(mean: number): number {
    return Math.floor(Math.log(1 - this.fraction()) / Math.log(mean / (mean + 1)));
  }

  uuid(): string {
    const [a, b, c, d] = [this.bits(), this.bits(), this.bits(), this.bits()];
    const version = 0x4000 | (b & 0x0fff);
    const variant = 0x8000 | (c & 0x3fff);
    return `${hex(a >>> 16)}${hex(a)}-${hex(b >>> 16)}-${hex(version)}-${hex(variant)}-${hex(c >>> 16)}${hex(d >>> 16)}${hex(d)}`;
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += hex(this.bits());
    return text.slice(0, digits);
  }

  /** An id as Claude's servers give them: `toolu_01Ab…`. */
  serverId(prefix: string): string {
    let text = `${prefix}_01`;
    for (let i = 0; i < 22; i++) text += base62[this.below(62)];
    return text;
  }
}

function hex(bits: number): string {
  return hexOf16Bits[bits & 0xffff] as string;
}
