// Numbers of 48 bits side by side in a blob: what a session's entries are known by, at six bytes each.

const hashBytes = 6;

export function packHashes(hashes: readonly number[]): Buffer {
  const packed = Buffer.allocUnsafe(hashes.length * hashBytes);
  for (let i = 0; i < hashes.length; i++) packed.writeUIntLE(hashes[i] ?? 0, i * hashBytes, hashBytes);
  return packed;
}

export function unpackHashes(packed: Buffer): number[] {
  const hashes: number[] = [];
  for (let at = 0; at + hashBytes <= packed.length; at += hashBytes) {
    hashes.push(packed.readUIntLE(at, hashBytes));
  }
  return hashes;
}
