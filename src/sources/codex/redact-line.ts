// Takes secrets out of a line of a rollout. What the model has reasoned is encrypted and would be refused if it were edited: where
// it holds a secret, or looks as if, an item that Codex passes over takes its place.

import { objectField } from '../json/json-value.ts';
import { holdsSecret, redactLine as redact } from '../json/redact-line.ts';

export function redactLine(bytes: Buffer): Buffer {
  return redact(bytes, (line) => {
    const payload = objectField(line, 'payload');
    const isReasoning = line.type === 'response_item' && payload?.type === 'reasoning';
    return isReasoning && holdsSecret(payload) ? { ...line, payload: { type: 'other' } } : line;
  });
}
