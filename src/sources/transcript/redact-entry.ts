// An entry without secrets: of all that is stored of it, what may hold text that somebody typed or wrote.

import { redact, redactCut } from '../../text/redact.ts';
import type { Entry } from './entry.ts';

export function redactEntry(entry: Entry): Entry {
  const { message, toolCalls, title, lastPrompt } = entry;
  return {
    ...entry,
    message: message === null ? null : { ...message, text: redact(message.text) },
    toolCalls: toolCalls.map((call) => ({
      ...call,
      target: call.target === null ? null : redactCut(call.target),
    })),
    title: title === null ? null : { ...title, text: redactCut(title.text) },
    lastPrompt: lastPrompt === null ? null : redact(lastPrompt),
  };
}
