// Small files that unpack to very much.

const blockBytes = 128 * 1024;

/** A frame of zstd, of at least so many zeros: four bytes stand for 128 kB of them. */
export function makeBomb(bytes: number): Buffer {
  const count = Math.ceil(bytes / blockBytes);
  // The magic number; a header that names only the window, of 128 kB.
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]);
  const blocks = Array.from({ length: count }, (_, i) => {
    const block = Buffer.alloc(4);
    // Of one repeated byte; the last one says that it is.
    block.writeUIntLE((blockBytes << 3) | (1 << 1) | Number(i === count - 1), 0, 3);
    return block;
  });
  return Buffer.concat([head, ...blocks]);
}
