// One line of history.jsonl → the prompt that was typed. The file outlives the transcripts, so these prompts are
// all that is left of a session that Claude Code has deleted.

import type { HistoryPrompt } from '../../records.ts';
import { field, type JsonObject, objectField, stringField, toTimestamp } from '../json/json-value.ts';
import { toTypedLine } from './person-text.ts';

const placeholder = /\[Pasted text #(\d+)(?: \+\d+ lines?)?\]/g;

/** What was pasted may be named again and again, and each time is as long. */
const maxChars = 4_000_000;

/** Null for lines without words of the person, such as a bare slash command. */
export function parseHistoryLine(line: JsonObject): HistoryPrompt | null {
  const display = stringField(line, 'display');
  if (display === null) return null;
  let chars = display.length;
  const whole = display.replace(placeholder, (mark, number: string) => {
    const text = pastedText(line, number);
    if (text === null || chars + text.length > maxChars) return mark;
    chars += text.length;
    return text;
  });
  const typed = toTypedLine(whole);
  if (typed === null) return null;
  return {
    ...typed,
    nativeId: stringField(line, 'sessionId'),
    project: stringField(line, 'project'),
    timestamp: toTimestamp(field(line, 'timestamp')),
  };
}

function pastedText(line: JsonObject, number: string): string | null {
  const pasted = objectField(line, 'pastedContents');
  const item = pasted === null ? null : objectField(pasted, number);
  return item === null ? null : stringField(item, 'content');
}
