// Reads fields out of JSON of unknown shape. Transcripts hold anything, so every look is checked and a wrong
// type is the same as a missing field.

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Null when the text is not JSON or not an object. */
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

/** The own property: an object inherits functions and an object, though no text, number or truth. */
export function field(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function objectField(object: JsonObject, key: string): JsonObject | null {
  const value = field(object, key);
  return isObject(value) ? value : null;
}

/** The text of a field, fit to be stored; null when it is missing, empty or no text. */
export function stringField(object: JsonObject, key: string): string | null {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? toCleanText(value) : null;
}

export function numberField(object: JsonObject, key: string): number | null {
  const value = object[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function integerField(object: JsonObject, key: string): number | null {
  const value = numberField(object, key);
  return value !== null && Number.isSafeInteger(value) ? value : null;
}

export function isTrue(object: JsonObject, key: string): boolean {
  return object[key] === true;
}

/** Text that SQLite and a terminal can hold: no NUL, no lone surrogates. */
export function toCleanText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '') : wellFormed;
}

/** At most `limit` characters, for titles and prompts kept beside a session. */
export function toExcerpt(text: string, limit: number): string {
  return text.length <= limit ? text : toCleanText(text.slice(0, limit)).trimEnd();
}

/** As times are kept, and mostly written; the last days of a month are left to the calendar. */
const canonical =
  /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** ISO 8601 UTC from an ISO string, or a number of seconds or milliseconds; null when it is not a time. */
export function toTimestamp(value: unknown): string | null {
  if (typeof value === 'string') {
    if (canonical.test(value)) return value;
    return /^\d{4}-/.test(value) ? fromMs(Date.parse(value)) : null;
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return null;
  return fromMs(value < 1e11 ? value * 1000 : value);
}

function fromMs(ms: number): string | null {
  const year9999 = 253_402_300_800_000;
  if (!(ms >= 0 && ms < year9999)) return null;
  return new Date(ms).toISOString();
}
