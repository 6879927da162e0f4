// The lines that Claude Code 2.1.325 writes about its own requests: what the model is given beside the conversation, once for
// each session and again with every request. In a short session they are nine tenths of the bytes.

import type { Talk } from './make-session.ts';

export const newestVersion = '2.1.325';

/** What is written before the first prompt: the attachment's type and about how long it is. */
const attachments = [
  ['environment', 1300],
  ['model', 500],
  ['deferred_tools_delta', 1000],
  ['agent_listing_delta', 3500],
  ['skill_listing', 13_000],
  ['session_context', 1100],
  ['prompt_snapshot', 29_500],
] as const;
const shapeChars = 35_000;
const blobChars = 5500;
const requestChars = 1100;

export function writeOpening(talk: Talk): void {
  const { writer, filler, noise } = talk;
  if (writer.origin.version !== newestVersion) return;
  const text = (chars: number) => filler.output(writer.random, chars * noise);
  for (const [type, chars] of attachments) {
    writer.attachment(`{"type":"${type}","text":"${text(chars)}"}`);
    if (type === 'prompt_snapshot') writer.attachment(`{"type":"${type}","systemPrompt":["${text(chars)}"]}`);
  }
  writeOwn(talk, 'api-request-shape', `"shape":{"system":[{"type":"text","text":"${text(shapeChars)}"}]}`);
  for (const role of ['user', 'system'])
    writeOwn(talk, 'api-request-blob', `"message":{"role":"${role}","content":"${text(blobChars)}"}`);
}

export function writeRequest(talk: Talk): void {
  const { writer, filler, noise } = talk;
  if (writer.origin.version !== newestVersion) return;
  writeOwn(talk, 'api-request', `"messages":["${filler.output(writer.random, requestChars * noise)}"]`);
}

function writeOwn({ writer }: Talk, type: string, body: string): void {
  const { sessionId, version } = writer.origin;
  writer.line(
    `{"type":"${type}","sessionId":"${sessionId}","timestamp":"${writer.tick()}","version":"${version}",${body}}`,
  );
}
