// JSON that recall printed, as a sample to read: lists cut to their first item, long texts cut at an ellipsis, broken into
// lines of at most 100 characters. A sample is still JSON.

const maxTextChars = 48;
const maxColumns = 100;
/** These depend on the machine or on the order in which files are found; their old values are kept. */
const varying = new Set(['tookMs', 'score', 'messageId', 'sizeBytes', 'id']);

/** What every session has besides its id and title; one sample has them all. */
const ofSessions = new Set(
  'agent kind parentId titleSource labels summary firstPrompt project branch createdAt modifiedAt messageCount machine owner resumable restorable resume running copies'.split(
    ' ',
  ),
);

/** `old` is the sample as it was, or anything else where there was none. `isBrief`: without what every session has. */
export function toSample(printed, old, isBrief = false) {
  return layOut(keepVarying(shorten(JSON.parse(printed), isBrief), parse(old)), '');
}

function shorten(value, isBrief) {
  if (typeof value === 'string')
    return value.length > maxTextChars ? `${value.slice(0, maxTextChars)}…` : value;
  if (Array.isArray(value))
    return value.slice(0, value.every(isText) ? undefined : 1).map((each) => shorten(each, isBrief));
  if (value === null || typeof value !== 'object') return value;
  const isShown = ([key]) => !(isBrief && 'titleSource' in value && ofSessions.has(key));
  const fields = Object.entries(value).filter(isShown);
  return Object.fromEntries(fields.map(([key, each]) => [key, shorten(each, isBrief)]));
}

const isText = (value) => typeof value === 'string';

function keepVarying(value, old) {
  if (value === null || typeof value !== 'object' || old === null || typeof old !== 'object') return value;
  if (Array.isArray(value)) return value.map((each, i) => keepVarying(each, old[i]));
  const kept = ([key, each]) =>
    (varying.has(key) && typeof each === 'number' && typeof old[key] === 'number') || isEngine(key, old[key])
      ? [key, old[key]]
      : [key, keepVarying(each, old[key])];
  return Object.fromEntries(Object.entries(value).map(kept));
}

/** Which SQLite is there depends on the machine too. */
const isEngine = (key, old) => key === 'engine' && old !== undefined;

function layOut(value, indent) {
  const line = toLine(value);
  if (indent.length + line.length <= maxColumns || value === null || typeof value !== 'object') return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((each) => layOut(each, inner))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${layOut(each, inner)}`);
  return `${isList ? '[' : '{'}\n${fill(items, inner)}\n${indent}${isList ? ']' : '}'}`;
}

/** Short items share a line. */
function fill(items, indent) {
  const lines = [];
  for (const [i, item] of items.entries()) {
    const text = i < items.length - 1 ? `${item},` : item;
    const joined = `${lines.at(-1)} ${text}`;
    if (i > 0 && !joined.includes('\n') && joined.length <= maxColumns) lines[lines.length - 1] = joined;
    else lines.push(indent + text);
  }
  return lines.join('\n');
}

function toLine(value) {
  if (Array.isArray(value)) return `[${value.map(toLine).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${toLine(each)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
