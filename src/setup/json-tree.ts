// Where each value of a JSON text stands, so that a change can touch its own characters and no others. Whether the text is
// JSON at all has been found out before: what is not is read as something, and wrongly.

export interface JsonNode {
  readonly kind: 'object' | 'array' | 'other';
  readonly start: number;
  /** After its last character. */
  readonly end: number;
  /** Of an object or an array, in their order. */
  readonly items: readonly JsonItem[];
}

export interface JsonItem {
  /** Of a member of an object, as it reads. */
  readonly key: string | null;
  /** Of the key, or of the value in an array. */
  readonly start: number;
  readonly value: JsonNode;
}

const space = /[ \t\r\n]*/y;
const string = /"(?:[^"\\]|\\.)*"/sy;
const other = /[^\s,\]}]+/y;

export function parseJsonTree(text: string, from = 0): JsonNode {
  const start = after(space, text, from);
  const opening = text[start];
  if (opening !== '{' && opening !== '[') {
    const end = after(opening === '"' ? string : other, text, start);
    return { kind: 'other', start, end, items: [] };
  }
  const kind = opening === '{' ? 'object' : 'array';
  const items: JsonItem[] = [];
  let at = after(space, text, start + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    const item = parseItem(text, at, kind);
    items.push(item);
    at = after(space, text, item.value.end);
    if (text[at] === ',') at = after(space, text, at + 1);
  }
  return { kind, start, end: at + 1, items };
}

function parseItem(text: string, start: number, kind: 'object' | 'array'): JsonItem {
  if (kind === 'array') return { key: null, start, value: parseJsonTree(text, start) };
  const keyEnd = after(string, text, start);
  const key = JSON.parse(text.slice(start, keyEnd)) as string;
  return { key, start, value: parseJsonTree(text, after(space, text, keyEnd) + 1) };
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** What stands at the end of the path. Of a key that is there twice, the last counts, as it does for JSON.parse. */
export function findNode(root: JsonNode, path: readonly (string | number)[]): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of path) {
    const items: readonly JsonItem[] = node?.items ?? [];
    node = (typeof step === 'number' ? items[step] : items.findLast(({ key }) => key === step))?.value;
  }
  return node;
}
