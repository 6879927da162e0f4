// A conversation as one self-contained HTML page: no scripts, images or fonts, nothing to load. The page's own content
// security policy forbids all of these, in case anything slips through.

import { createHash } from 'node:crypto';
import type { ShownCall } from '../../api/conversation/call-texts.ts';
import type { Head, MessagePart, Part, Speaker } from '../../api/conversation/read-conversation.ts';
import type { ListedSession } from '../../api/sessions.ts';
import type { Term } from '../../search/query/parse-query.ts';
import type { StoredMessage } from '../../store/read/read-conversation.ts';
import type { SessionInfo } from '../../store/read/read-sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { clip } from '../columns.ts';
import { formatCount, formatNumbered } from '../quantities.ts';
import { formatMoment } from '../times.ts';
import { codeLabels, type HeadOptions, toHeadFacts } from './head-facts.ts';
import { escapeHtml, HtmlText } from './html-text.ts';
import { pageStyle } from './page-style.ts';
import { isSafeLink } from './parse-markdown.ts';
import type { Printer } from './printer.ts';
import { kindNotes, toSpeakerName, toSubagentName } from './speaker-names.ts';
import { toCallName, toCallsSummary, toCallTexts, toErrorCount } from './tool-calls.ts';

export interface HtmlOptions extends HeadOptions {
  readonly terms: readonly Term[];
}

/** A session that is being written: the page's own, or a subagent inside it. */
interface Frame {
  readonly session: SessionInfo;
  /** The prefix of its anchor names. */
  readonly anchor: string;
  isTurnOpen: boolean;
}

const maxPromptColumns = 120;

export class HtmlPrinter implements Printer {
  private readonly options: HtmlOptions;
  private readonly text: HtmlText;
  private readonly frames: Frame[] = [];
  private subagents = 0;

  constructor(options: HtmlOptions) {
    this.options = options;
    this.text = new HtmlText(options.terms);
  }

  begin(head: Head): string {
    this.frames.push({ session: head.session, anchor: 'm', isTurnOpen: false });
    const { title, facts } = toHeadFacts(head, this.options);
    const rows = facts.map(
      ([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${toFactHtml(label, value)}</dd>`,
    );
    const hash = createHash('sha256').update(pageStyle).digest('base64');
    const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<dl>
${rows.join('\n')}
</dl>
</header>`;
  }

  /** A single prompt needs no list. */
  async *listPrompts(prompts: AsyncIterable<MessagePart>): AsyncGenerator<string> {
    let first = '';
    let count = 0;
    for await (const { message, position } of prompts) {
      const text = escapeHtml(clip(toPrintableLine(message.text), maxPromptColumns));
      const item = `<li><a href="#${this.anchor(position)}"><span class="number">#${position}</span> ${text}</a></li>`;
      count++;
      if (count === 1) first = item;
      else if (count > 2) yield item;
      else yield `<nav><details class="prompts"><summary>Prompts</summary>\n<ul>\n${first}\n${item}`;
    }
    yield count > 1 ? '</ul></details></nav>\n<main>' : '<main>';
  }

  part(part: Part): string {
    switch (part.type) {
      case 'turn':
        return `${this.closeTurn()}${this.openTurn(part.speaker, part.timestamp, part.position)}`;
      case 'message':
        return this.message(part.message, part.position);
      case 'recap':
        return `${this.closeTurn()}<details class="recap" id="${this.anchor(part.position)}"><summary>compacted here <small>a recap of ${formatCount(part.message.text.split(/\s+/).length)} words</small></summary>
${this.text.fromMarkdown(part.message.text)}
</details>`;
      case 'calls':
        return this.calls(part.calls);
      case 'subagent':
        return `<p class="agent-name">${this.agentName(part.subagent)}</p>`;
      case 'inlined':
        return `<p class="agent-name">a subagent’s ${formatNumbered(part.messageCount, 'message')}</p>`;
      case 'gap':
        return `${this.closeTurn()}<p class="gap">${formatNumbered(part.messageCount, 'message')} left out</p>`;
    }
  }

  openSubagent({ session: subagent }: ListedSession): string {
    this.subagents++;
    this.frames.push({ session: subagent, anchor: `a${this.subagents}-`, isTurnOpen: false });
    // Matches should not be hidden in a folded section.
    const state = this.options.terms.length > 0 ? ' open' : '';
    return `<details class="subagent"${state}><summary>${this.agentName(subagent)}</summary>`;
  }

  closeSubagent(): string {
    const text = `${this.closeTurn()}</details>`;
    this.frames.pop();
    return text;
  }

  end(): string {
    return `${this.closeTurn()}</main>
<footer>Exported by recall. Times are in the time zone of the computer that made this page.</footer>
</body>
</html>`;
  }

  private openTurn(speaker: Speaker, timestamp: string | null, position: number | null): string {
    const frame = this.frames.at(-1);
    if (frame !== undefined) frame.isTurnOpen = true;
    const name = escapeHtml(toSpeakerName(speaker, frame?.session));
    const when = formatMoment(timestamp);
    const time = when === '' ? '' : `<time datetime="${escapeHtml(timestamp ?? '')}">${when}</time>`;
    const link =
      position === null
        ? time
        : `<a href="#${this.anchor(position)}">${time}<span class="number">#${position}</span></a>`;
    return `<section class="turn ${speaker}"><h2><span class="who">${name}</span>${link}</h2>`;
  }

  private closeTurn(): string {
    const frame = this.frames.at(-1);
    if (frame === undefined || !frame.isTurnOpen) return '';
    frame.isTurnOpen = false;
    return '</section>\n';
  }

  private anchor(position: number): string {
    return `${this.frames.at(-1)?.anchor ?? 'm'}${position}`;
  }

  private message({ text, role, kind }: StoredMessage, position: number): string {
    const isTyped = role === 'user' && kind !== 'task';
    const note = kindNotes[kind] === undefined ? '' : `<p class="note">${kindNotes[kind]}</p>`;
    const html = isTyped ? this.text.fromTyped(text) : this.text.fromMarkdown(text);
    return `<div class="said" id="${this.anchor(position)}">${note}${html}</div>`;
  }

  private calls(calls: readonly ShownCall[]): string {
    const project = this.frames[0]?.session.project ?? null;
    const errors = toErrorCount(calls);
    const mark = errors === '' ? '' : ` <b class="error">${errors}</b>`;
    const items = calls.map(
      (call) =>
        `<li${call.isError === 1 ? ' class="error"' : ''}>${escapeHtml(toCallName(call, project, 2000))}${call.isError === 1 ? ' <b>error</b>' : ''}${this.callTexts(call)}</li>`,
    );
    return `<details class="calls"><summary><span>${escapeHtml(toCallsSummary(calls, project))}</span>${mark}</summary>
<ul>${items.join('')}</ul></details>`;
  }

  private callTexts(call: ShownCall): string {
    const { input, output } = toCallTexts(call);
    const given = input === '' ? '' : `<pre>${this.text.marked(input)}</pre>`;
    return output === ''
      ? given
      : `${given}<p class="note">answered</p><pre>${this.text.marked(output)}</pre>`;
  }

  private agentName(subagent: SessionInfo): string {
    const count = formatNumbered(subagent.messageCount, 'message');
    const title = toPrintableLine(subagent.title ?? '');
    return `<span><b>${escapeHtml(toSubagentName(subagent))}</b> ${escapeHtml(title)} <small>${count}</small></span>`;
  }
}

function toFactHtml(label: string, value: string): string {
  const text = escapeHtml(value);
  if (isSafeLink(value)) return `<a href="${text}" rel="noopener noreferrer nofollow">${text}</a>`;
  return codeLabels.has(label) ? `<code>${text}</code>` : text;
}
