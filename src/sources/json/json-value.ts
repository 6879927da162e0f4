// Reads fields out of JSON of unknown shape. Transcripts hold anything, so every look is checked: a field of the wrong type, or
// of an object that is itself missing, is a missing field.

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseJsonObject(
  text: string,
  revive?: (key: string, value: unknown) => unknown,
): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text, revive);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The objects in a list; null for a text that is not one. */
export function parseJsonObjects(text: string): readonly JsonObject[] | null {
  const list = parseJsonObject(`{"list":${text || '[]'}}`);
  return list === null ? null : objectsField(list, 'list');
}

/** Own properties only: every object inherits functions and an object, though no text, number or boolean. */
export function field(object: JsonObject | null, key: string): unknown {
  return object !== null && Object.hasOwn(object, key) ? object[key] : undefined;
}

export function objectField(object: JsonObject | null, key: string): JsonObject | null {
  const value = field(object, key);
  return isObject(value) ? value : null;
}

export function objectsField(object: JsonObject | null, key: string): readonly JsonObject[] {
  const value = field(object, key);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text of a field, fit to be stored; null when it is empty. */
export function stringField(object: JsonObject | null, key: string): string | null {
  const value = object?.[key];
  return typeof value === 'string' && value !== '' ? toCleanText(value) : null;
}

export function trimmedField(object: JsonObject | null, key: string): string {
  return stringField(object, key)?.trim() ?? '';
}

export function numberField(object: JsonObject | null, key: string): number | null {
  const value = object?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function integerField(object: JsonObject | null, key: string): number | null {
  const value = numberField(object, key);
  return value !== null && Number.isSafeInteger(value) ? value : null;
}

export function timeField(object: JsonObject | null, key: string): string | null {
  return toTimestamp(field(object, key));
}

export function isTrue(object: JsonObject | null, key: string): boolean {
  return object?.[key] === true;
}

/** Text that SQLite and a terminal can hold: no NUL, no lone surrogates. */
export function toCleanText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '') : wellFormed;
}

export function toExcerpt(text: string, limit: number): string {
  return text.length <= limit ? text : toCleanText(text.slice(0, limit)).trimEnd();
}

/** As times are stored, and mostly written; the last days of a month are left to Date. */
const canonical =
  /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const year9999Ms = 253_402_300_800_000;

/** ISO 8601 UTC from an ISO string, or a number of seconds or milliseconds; null when it is not a time. */
export function toTimestamp(value: unknown): string | null {
  if (typeof value === 'string' && canonical.test(value)) return value;
  const ms = toMs(value);
  return ms >= 0 && ms < year9999Ms ? new Date(ms).toISOString() : null;
}

function toMs(value: unknown): number {
  if (typeof value === 'string') return /^\d{4}-/.test(value) ? Date.parse(value) : Number.NaN;
  if (typeof value !== 'number' || value <= 0) return Number.NaN;
  return value < 1e11 ? value * 1000 : value;
}
