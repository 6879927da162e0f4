// Chooses the title of a session from everything that names it, in the order people trust it: what they typed
// themselves, what the agent shows, what it once summarised, and last the first prompt that says something.

import type { TitleSource } from '../../records.ts';
import type { Title, TitleSources } from '../source.ts';

const maxTitleChars = 200;

export function resolveTitle(sources: TitleSources): Title {
  const candidates: readonly (readonly [TitleSource, string | null])[] =
    sources.kind === 'subagent'
      ? [
          ['description', sources.subagentDescription],
          ['first-prompt', sources.firstPrompt],
          ['agent-name', sources.agentName],
        ]
      : [
          ['sidecar', sources.sidecarTitle],
          ['custom-title', sources.customTitle],
          ['agent-name', sources.agentName],
          ['ai-title', sources.aiTitle],
          ['index-custom-title', sources.hintCustomTitle],
          ['index-summary', withoutErrors(sources.hintSummary)],
          ['summary', withoutErrors(sources.summary)],
          ['first-prompt', sources.firstPrompt],
        ];
  for (const [source, text] of candidates) {
    const title = toTitleLine(text);
    if (title !== null) return { title, source };
  }
  return { title: null, source: 'none' };
}

/** Claude Code summarised an error that the program itself had printed in the place of an answer. */
const errorSummary =
  /^(?:invalid api key|api error|request (?:timed out|was aborted)|credit balance|claude (?:ai )?usage limit|prompt is too long|oauth|please run \/login|no response requested)/i;

function withoutErrors(summary: string | null): string | null {
  return summary !== null && errorSummary.test(summary.trim()) ? null : summary;
}

/** One line: a title is shown in lists, a prompt may be pages long. */
function toTitleLine(text: string | null): string | null {
  const line = text?.replace(/\s+/g, ' ').trim() ?? '';
  if (line === '') return null;
  // A character may take two code units, so twice the limit holds at least as many as are kept, and one more.
  const characters = [...line.slice(0, maxTitleChars * 2 + 2)];
  return characters.length <= maxTitleChars
    ? line
    : `${characters
        .slice(0, maxTitleChars - 1)
        .join('')
        .trimEnd()}…`;
}
