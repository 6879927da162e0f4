// Adds to a JSON text and removes from it in the style of the text: its indentation, its line ends, one line or many. All
// other characters stay as they are. Adding something and removing it again leaves no trace, except that a container which was
// empty before goes with it. jsonc-parser finds the positions and formats what is new.
//
// Two of its habits are avoided. `modify` with formatting options reformats the whole line it touches, so it is called
// without them and only the inserted range is formatted. And `modify` cannot be trusted to remove: of [1, 2] without its last item
// it makes [12].

import {
  applyEdits,
  type FormattingOptions,
  findNodeAtLocation,
  format,
  modify,
  type Node,
  parseTree,
} from 'jsonc-parser';

export type JsonPath = readonly (string | number)[];

/** As the last step of a path to add to: behind all others of an array. */
export const atEnd = -1;

/** Adds the value at the path, after all others there, and the objects and arrays on the way to it that are missing. */
export function addItem(text: string, path: JsonPath, value: unknown): string {
  const [insertion] = modify(text, [...path], value, {});
  const container = findContainer(text, path);
  if (insertion === undefined || container === undefined) throw new Error(`cannot add ${path.join('.')}`);
  if (isMinified(text)) return applyEdits(text, [{ ...insertion, content: tightened(insertion.content) }]);
  const last = container.children?.at(-1);
  const isInLine = last !== undefined && !text.slice(container.offset, last.offset).includes('\n');
  // One character more on each side when the container was empty: its brackets go on lines of their own.
  const extra = last === undefined ? 1 : 0;
  const range = { offset: insertion.offset - extra, length: insertion.content.length + 2 * extra };
  const added = applyEdits(text, [insertion]);
  return applyEdits(added, format(added, range, { ...toIndentation(text), keepLines: isInLine }));
}

/** Removes what is at the path, and with it every object and array around it that is then empty, up to the root. */
export function removeItem(text: string, path: JsonPath): string {
  let node = findNode(text, path);
  for (let depth = path.length - 1; depth > 0 && node !== undefined; depth--) {
    const parent = findNode(text, path.slice(0, depth));
    if (parent?.children?.length !== 1) break;
    node = parent;
  }
  // The value of a property is not its item in the object: the property is.
  const item = node?.parent?.type === 'property' ? node.parent : node;
  const siblings = item?.parent?.children;
  if (item?.parent === undefined || siblings === undefined) return text;
  const index = siblings.indexOf(item);
  const [previous, next] = [siblings[index - 1], siblings[index + 1]];
  if (previous !== undefined) return without(text, endOf(previous), endOf(item));
  if (next !== undefined) return without(text, item.offset, next.offset);
  return without(text, item.parent.offset + 1, endOf(item.parent) - 1);
}

/** The first key on the path that occurs twice in its object. Readers take the last one, jsonc-parser edits the first. */
export function findRepeatedKey(text: string, path: JsonPath): string | undefined {
  return path.find((key, depth): key is string => {
    const items = findNode(text, path.slice(0, depth))?.children ?? [];
    return (
      items.filter(({ type, children }) => type === 'property' && children?.[0]?.value === key).length > 1
    );
  });
}

/** The innermost object or array around the path that there is already. */
function findContainer(text: string, path: JsonPath): Node | undefined {
  const around = path.map((_, depth) => findNode(text, path.slice(0, depth)));
  return around.findLast((node) => node !== undefined);
}

function findNode(text: string, path: JsonPath): Node | undefined {
  const root = parseTree(text);
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

function isMinified(text: string): boolean {
  return text.includes(':') && JSON.stringify(JSON.parse(text)) === text.trim();
}

/** `modify` writes a space after the new key, and nowhere else. */
function tightened(insertion: string): string {
  return insertion.replace(/^(,?"(?:[^"\\]|\\.)*":) /, '$1');
}

function toIndentation(text: string): FormattingOptions {
  const first = parseTree(text)?.children?.[0]?.offset ?? 0;
  const indent = /(?<=\n)[ \t]+$/.exec(text.slice(0, first))?.[0] ?? '  ';
  const insertSpaces = !indent.includes('\t');
  return { insertSpaces, tabSize: insertSpaces ? indent.length : 1, eol: '\n' };
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function without(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(end);
}
