// Which fields of an object are wanted, as the tables by which the scanner finds them.

import { constant, memory } from './scanner.ts';

/** `true`: the whole value. An object: these keys of an object, or of each object in an array; all else as it is. */
export type Shape = true | { readonly [key: string]: Shape };

const fieldsAt = constant('fieldsAt');
const fieldWords = constant('fieldBytes') / 4;
const nodesAt = constant('nodesAt');
const slotsPerNode = constant('slotsPerNode');
const keysAt = constant('keysAt');
const tapeAt = constant('tapeAt');
const limits = {
  fields: constant('maxFields'),
  nodes: constant('maxNodes'),
  keyBytes: constant('maxKeyBytes'),
};

interface Field {
  readonly key: string;
  readonly keyBytes: Buffer;
  readonly node: number;
  /** The node to which it belongs. */
  readonly of: number;
}

export class WantedFields {
  /** The node of the whole line; 0 when all of it is wanted. */
  readonly root: number;
  /** Keys by the number of their field. */
  readonly keys: readonly string[];
  private readonly fields: Field[] = [];
  private nodeCount = 0;

  constructor(shape: Shape) {
    this.root = this.addNode(shape);
    this.keys = ['', ...this.fields.map(({ key }) => key)];
    const keyBytes = this.fields.reduce((sum, field) => sum + field.keyBytes.length, 0);
    if (this.fields.length >= limits.fields || this.nodeCount >= limits.nodes || keyBytes > limits.keyBytes)
      throw new RangeError('the shape is too large for the scanner');
  }

  /** Puts the tables where the scanner looks for them, and makes it forget the strings it has seen. */
  load(): void {
    const { bytes, words } = memory;
    words.fill(0, fieldsAt / 4, tapeAt / 4);
    let keyAt = keysAt;
    for (const [i, { keyBytes, node, of }] of this.fields.entries()) {
      const number = i + 1;
      const slot = nodesAt / 4 + of * slotsPerNode + slotOf(keyBytes);
      keyBytes.copy(bytes, keyAt);
      words.set([keyAt, keyBytes.length, node, words[slot] ?? 0], fieldsAt / 4 + number * fieldWords);
      words[slot] = number;
      keyAt += keyBytes.length;
    }
  }

  private addNode(shape: Shape): number {
    if (shape === true) return 0;
    const of = ++this.nodeCount;
    for (const [key, inner] of Object.entries(shape))
      this.fields.push({ key, keyBytes: Buffer.from(key), node: this.addNode(inner), of });
    return of;
  }
}

function slotOf(key: Buffer): number {
  // An empty key is followed by its closing quote.
  const first = key[0] ?? 0x22;
  return (key.length * 5 + first) & (slotsPerNode - 1);
}
