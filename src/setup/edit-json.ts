// Adds to a JSON text and takes out of it, in the way the text is written: its indentation, its line ends, one line or many.
// All other characters stay as they are. What was added and taken out again leaves no trace, but that an object or array
// which was empty before goes with it.

import { findNode, type JsonNode, parseJsonTree } from './json-tree.ts';

export type JsonPath = readonly (string | number)[];

/** Puts the value behind all others of the object (under the key) or the array that the path leads to. */
export function addItem(text: string, path: JsonPath, key: string | null, value: unknown): string {
  const root = parseJsonTree(text);
  const container = findNode(root, path);
  if (container === undefined) throw new Error(`nothing at ${path.join('.')}`);
  const style = toStyle(text, root);
  const last = container.items.at(-1);
  const before = last?.value.end ?? container.start + 1;
  const isInLine =
    last === undefined ? style.unit === null : !text.slice(container.start, last.start).includes('\n');
  if (isInLine) {
    const written = writeItem(key, value, style.isTight ? undefined : 1, style.isTight ? '' : ' ');
    const glue = last === undefined ? '' : style.isTight ? ',' : ', ';
    return splice(text, before, before, glue + (style.isTight ? written : toOneLine(written)));
  }
  const unit = style.unit ?? '  ';
  const outer = indentAt(text, container.start);
  const inner = last === undefined ? outer + unit : indentAt(text, last.start);
  const lines = writeItem(key, value, unit, ' ').replaceAll('\n', style.lineEnd + inner);
  const added = `${last === undefined ? '' : ','}${style.lineEnd}${inner}${lines}`;
  if (last !== undefined) return splice(text, before, before, added);
  return splice(text, before, container.end - 1, `${added}${style.lineEnd}${outer}`);
}

/** Takes out what the path leads to, and with it every object and array around it that is empty then, up to the root. */
export function removeItem(text: string, path: JsonPath): string {
  const root = parseJsonTree(text);
  let parent = findNode(root, path.slice(0, -1));
  let step = path.at(-1);
  for (let depth = path.length - 1; depth > 0 && parent?.items.length === 1; depth--) {
    step = path[depth - 1];
    parent = findNode(root, path.slice(0, depth - 1));
  }
  if (parent === undefined || step === undefined) return text;
  const { items } = parent;
  const index = typeof step === 'number' ? step : items.findLastIndex(({ key }) => key === step);
  const item = items[index];
  if (item === undefined) return text;
  const [previous, next] = [items[index - 1], items[index + 1]];
  if (previous !== undefined) return splice(text, previous.value.end, item.value.end, '');
  if (next !== undefined) return splice(text, item.start, next.start, '');
  return splice(text, parent.start + 1, parent.end - 1, '');
}

interface Style {
  /** One step of indentation; null where all stands on one line. */
  readonly unit: string | null;
  readonly lineEnd: string;
  /** Without spaces after colons and commas. */
  readonly isTight: boolean;
}

function toStyle(text: string, root: JsonNode): Style {
  const whole = text.slice(root.start, root.end);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const [first] = root.items;
  if (first === undefined) return { unit: '  ', lineEnd, isTight: false };
  if (!whole.includes('\n')) return { unit: null, lineEnd, isTight: !/[:,] /.test(outsideStrings(whole)) };
  return {
    unit: indentAt(text, first.start).slice(indentAt(text, root.start).length),
    lineEnd,
    isTight: false,
  };
}

function outsideStrings(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/gs, '""');
}

function writeItem(
  key: string | null,
  value: unknown,
  indent: string | number | undefined,
  gap: string,
): string {
  const written = JSON.stringify(value, null, indent);
  return key === null ? written : `${JSON.stringify(key)}:${gap}${written}`;
}

/** Of JSON over several lines. No string holds a line end, so these are all between values. */
function toOneLine(json: string): string {
  return json
    .replace(/\n\s*\]/g, ']')
    .replace(/\n\s*\}/g, ' }')
    .replace(/\[\n\s*/g, '[')
    .replace(/\n\s*/g, ' ');
}

function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}
