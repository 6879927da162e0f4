// JSON for stdout, which may be a terminal: characters that could control it are escaped.

const active = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export function toJsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    active,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
