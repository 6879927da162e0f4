// Takes secrets out of a line, and a thinking block that holds one with them, because it is signed.

import { redactLine as redact, withoutSignedBlocks } from '../json/redact-line.ts';

export function redactLine(bytes: Buffer): Buffer {
  return redact(bytes, (line) =>
    withoutSignedBlocks(line, 'content', ({ type }) => type === 'thinking' || type === 'redacted_thinking', {
      type: 'text',
      text: '[redacted]',
    }),
  );
}
