// A conversation as one self-contained HTML page: no scripts, images or fonts, nothing to load. The page's own content
// security policy forbids all of these, in case anything slips through.

import { createHash } from 'node:crypto';
import highlighter from 'highlight.js/lib/common';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import powershell from 'highlight.js/lib/languages/powershell';
import type { Head, ListedSession, MessagePart, Part, ShownCall } from '../../api/answers.ts';
import type { Term } from '../../search/query/parse-query.ts';
import type { SessionInfo } from '../../store/word-index.ts';
import { toPrintable, toPrintableLine } from '../../text/printable.ts';
import { toMarkedPieces } from '../../text/snippet.ts';
import { clip } from '../columns.ts';
import { formatCount, formatMoment, formatNumbered } from '../quantities.ts';
import { isSafeLink, isTooLong, makeParser } from './markdown.ts';
import styleSheet from './page.css';
import {
  codeLabels,
  formatCallName,
  formatErrorCount,
  type HeadOptions,
  kindNotes,
  listHeadFacts,
  nameSpeaker,
  nameSubagent,
  type Printer,
  splitTypedText,
  summarizeCalls,
  trimCallTexts,
} from './printer.ts';

type HtmlOptions = HeadOptions & { readonly terms: readonly Term[] };

/** A session that is being written: the page's own, or a subagent inside it. */
interface OpenSession {
  readonly session: SessionInfo;
  readonly anchor: string;
  isTurnOpen: boolean;
}

const maxPromptColumns = 120;
/** Starts on a line of its own in the page. */
const pageStyle = `\n${styleSheet}`;

export class HtmlPrinter implements Printer {
  private readonly options: HtmlOptions;
  private readonly text: HtmlText;
  private readonly frames: OpenSession[] = [];
  private subagents = 0;

  constructor(options: HtmlOptions) {
    this.options = options;
    this.text = new HtmlText(options.terms);
  }

  begin(head: Head): string {
    this.frames.push({ session: head.session, anchor: 'm', isTurnOpen: false });
    const { title, facts } = listHeadFacts(head, this.options);
    const rows = facts.map(
      ([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${formatFact(label, value)}</dd>`,
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
        return `${this.closeTurn()}${this.openTurn(part)}`;
      case 'message':
        return this.message(part);
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

  private openTurn({ speaker, timestamp, position }: Extract<Part, { type: 'turn' }>): string {
    const frame = this.frames.at(-1);
    if (frame !== undefined) frame.isTurnOpen = true;
    const name = escapeHtml(nameSpeaker(speaker, frame?.session));
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
    if (!frame?.isTurnOpen) return '';
    frame.isTurnOpen = false;
    return '</section>\n';
  }

  private anchor(position: number): string {
    return `${this.frames.at(-1)?.anchor ?? 'm'}${position}`;
  }

  private message({ message: { text, role, kind }, position }: MessagePart): string {
    const isTyped = role === 'user' && kind !== 'task';
    const note = kindNotes[kind] === undefined ? '' : `<p class="note">${kindNotes[kind]}</p>`;
    const html = isTyped ? this.text.fromTyped(text) : this.text.fromMarkdown(text);
    return `<div class="said" id="${this.anchor(position)}">${note}${html}</div>`;
  }

  private calls(calls: readonly ShownCall[]): string {
    const project = this.frames[0]?.session.project ?? null;
    const errors = formatErrorCount(calls);
    const mark = errors === '' ? '' : ` <b class="error">${errors}</b>`;
    const items = calls.map((call) => {
      const [start, end] = call.isError ? ['<li class="error">', ' <b>error</b>'] : ['<li>', ''];
      const { input, output } = trimCallTexts(call);
      const given = input === '' ? '' : `<pre>${this.text.marked(input)}</pre>`;
      const answer = output === '' ? '' : `<p class="note">output</p><pre>${this.text.marked(output)}</pre>`;
      return `${start}${escapeHtml(formatCallName(call, project, 2000))}${end}${given}${answer}</li>`;
    });
    return `<details class="calls"><summary><span>${escapeHtml(summarizeCalls(calls, project))}</span>${mark}</summary>
<ul>${items.join('')}</ul></details>`;
  }

  private agentName(subagent: SessionInfo): string {
    const count = formatNumbered(subagent.messageCount, 'message');
    const title = toPrintableLine(subagent.title ?? '');
    return `<span><b>${escapeHtml(nameSubagent(subagent))}</b> ${escapeHtml(title)} <small>${count}</small></span>`;
  }
}

function formatFact(label: string, value: string): string {
  const text = escapeHtml(value);
  if (isSafeLink(value)) return `${openLink(value)}${text}</a>`;
  return codeLabels.has(label) ? `<code>${text}</code>` : text;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return toPrintable(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Nothing from a transcript becomes markup: HTML and unsafe links are text, an image is a link, and nothing is loaded. */
export class HtmlText {
  private readonly terms: readonly Term[];
  private readonly markdown = this.makeRenderer();

  constructor(terms: readonly Term[]) {
    this.terms = terms;
  }

  fromMarkdown(text: string): string {
    if (isTooLong(text)) return this.verbatim(text);
    return this.markdown.render(toPrintable(text)).trim();
  }

  /** As it was typed, except that fenced code is shown as code. */
  fromTyped(text: string): string {
    return splitTypedText(toPrintable(text))
      .map((block) => (block.isCode ? this.code(block.text, block.language) : this.verbatim(block.text)))
      .join('\n');
  }

  marked(text: string): string {
    return toMarkedPieces(toPrintable(text), this.terms)
      .map((piece) => (piece.isMatch ? `<mark>${escapeHtml(piece.text)}</mark>` : escapeHtml(piece.text)))
      .join('');
  }

  private verbatim(text: string): string {
    return `<p class="typed">${this.marked(text)}</p>`;
  }

  private code(code: string, language: string): string {
    const text = toPrintable(code).replace(/\n$/, '');
    // Marks and colours would have to be nested; the matches matter more.
    const isMarked = toMarkedPieces(text, this.terms).some(({ isMatch }) => isMatch);
    const shown = (isMarked ? null : highlightCode(text, language)) ?? this.marked(text);
    const label = language === '' ? '' : ` data-language="${escapeHtml(language.slice(0, 20))}"`;
    return `<pre tabindex="0"${label}><code>${shown}</code></pre>`;
  }

  private makeRenderer() {
    const made = makeParser();
    const { rules } = made.renderer;
    rules.text = (tokens, i) => this.marked(tokens[i]?.content ?? '');
    rules.text_special = rules.text;
    rules.code_inline = (tokens, i) => `<code>${this.marked(tokens[i]?.content ?? '')}</code>`;
    rules.code_block = (tokens, i) => `${this.code(tokens[i]?.content ?? '', '')}\n`;
    rules.fence = (tokens, i) => {
      const [language = ''] = (tokens[i]?.info ?? '').trim().split(/\s+/);
      return `${this.code(tokens[i]?.content ?? '', language)}\n`;
    };
    rules.link_open = (tokens, i) => openLink(String(tokens[i]?.attrGet('href') ?? ''));
    rules.image = (tokens, i) => {
      const name = this.marked(tokens[i]?.content || 'image');
      return `${openLink(String(tokens[i]?.attrGet('src') ?? ''))}${name}</a>`;
    };
    // The page's own headings use the first levels, and its security policy forbids style attributes.
    const toLevel = (tag = '') => Math.min(6, (Number(tag.slice(1)) || 1) + 2);
    rules.heading_open = (tokens, i) => `<h${toLevel(tokens[i]?.tag)}>`;
    rules.heading_close = (tokens, i) => `</h${toLevel(tokens[i]?.tag)}>\n`;
    for (const name of ['th', 'td'])
      rules[`${name}_open`] = (tokens, i) => {
        const style = String(tokens[i]?.attrGet('style') ?? '');
        const [, side] = /text-align:(left|center|right)/.exec(style) ?? [];
        return side === undefined ? `<${name}>` : `<${name} class="${side}">`;
      };
    rules.table_open = () => '<div class="scroll" tabindex="0"><table>\n';
    rules.table_close = () => '</table></div>\n';
    return made;
  }
}

function openLink(address: string): string {
  return `<a href="${escapeHtml(address)}" rel="noopener noreferrer nofollow">`;
}

highlighter.registerLanguage('dockerfile', dockerfile);
highlighter.registerLanguage('powershell', powershell);

/** Longer code is a pasted file: colouring it would take seconds and megabytes. */
const maxHighlightedChars = 50_000;

/** Colours code now, so that the page needs no script: escaped HTML with spans of classes `hljs-…`; null if the language is unknown. */
function highlightCode(code: string, language: string): string | null {
  const name = language.toLowerCase();
  if (code.length > maxHighlightedChars || highlighter.getLanguage(name) === undefined) return null;
  return highlighter.highlight(code, { language: name, ignoreIllegals: true }).value;
}
