// The compiled scanner of ./wasm, and the memory that it shares with the program: its tables, the tape it writes on, and the
// window that lines are read into.

import { scanJson } from './wasm/scan-json.wasm.ts';

type Place = { readonly value: number };
interface Scanner {
  readonly memory: WebAssembly.Memory;
  /** From a place to another, behind which there must be a newline; how it ended. */
  scan(from: number, to: number, root: number): number;
  getTapeEnd(): number;
  /** Of so many bytes of the samples. */
  hashSamples(length: number, seed: bigint): bigint;
  readonly [constant: string]: unknown;
}

const scanner = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(scanJson, 'base64')))
  .exports as unknown as Scanner;

export const { scan, getTapeEnd, hashSamples } = scanner;

/** A constant of scan-json.ts. */
export function constant(name: string): number {
  const place = scanner[name] as Place | undefined;
  if (place === undefined) throw new Error(`the scanner has no ${name}`);
  return place.value;
}

export const windowAt = constant('windowAt');

/** Views of all of the memory; they are made anew when it grows. */
export const memory = toViews();

function toViews(): { bytes: Buffer; words: Uint32Array } {
  const { buffer } = scanner.memory;
  return { bytes: Buffer.from(buffer), words: new Uint32Array(buffer) };
}

/** The scanner looks at up to 16 bytes at once, also at the last one. */
const slackBytes = 16;
const pageBytes = 65_536;

/** Makes sure that there is memory up to a place in the window and a bit further; all that is there stays where it is. */
export function makeRoom(end: number): void {
  const missing = end + slackBytes - memory.bytes.length;
  if (missing <= 0) return;
  scanner.memory.grow(Math.ceil(missing / pageBytes));
  Object.assign(memory, toViews());
}
