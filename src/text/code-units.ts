// The code units of a text as an array. Reading one there takes a fifth of the time of `charCodeAt`, which looks each time for
// where the text is kept; whoever looks at every character of all that is indexed reads them here.

/** One text is looked at at a time; a longer one than most gets an array of its own, which is not kept. */
const keptUnits = 64 * 1024;
const kept = toBuffer(keptUnits);

/** Valid until the next call. Behind the text there is a 0. */
export function readCodeUnits(text: string): Uint16Array {
  const { units, bytes } = text.length < keptUnits ? kept : toBuffer(text.length + 1);
  bytes.write(text, 'utf16le');
  units[text.length] = 0;
  return units;
}

function toBuffer(length: number): { readonly units: Uint16Array; readonly bytes: Buffer } {
  const units = new Uint16Array(length);
  return { units, bytes: Buffer.from(units.buffer) };
}
