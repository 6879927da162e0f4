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
import {
  codeLabels,
  type HeadOptions,
  kindNotes,
  type Printer,
  toCallName,
  toCallsSummary,
  toCallTexts,
  toErrorCount,
  toHeadFacts,
  toSpeakerName,
  toSubagentName,
  toTypedBlocks,
} from './printer.ts';

interface HtmlOptions extends HeadOptions {
  readonly terms: readonly Term[];
}

/** A session that is being written: the page's own, or a subagent inside it. */
interface Frame {
  readonly session: SessionInfo;
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
    const errors = toErrorCount(calls);
    const mark = errors === '' ? '' : ` <b class="error">${errors}</b>`;
    const items = calls.map((call) => {
      const [start, end] = call.isError ? ['<li class="error">', ' <b>error</b>'] : ['<li>', ''];
      const { input, output } = toCallTexts(call);
      const given = input === '' ? '' : `<pre>${this.text.marked(input)}</pre>`;
      const answer =
        output === '' ? '' : `<p class="note">answered</p><pre>${this.text.marked(output)}</pre>`;
      return `${start}${escapeHtml(toCallName(call, project, 2000))}${end}${given}${answer}</li>`;
    });
    return `<details class="calls"><summary><span>${escapeHtml(toCallsSummary(calls, project))}</span>${mark}</summary>
<ul>${items.join('')}</ul></details>`;
  }

  private agentName(subagent: SessionInfo): string {
    const count = formatNumbered(subagent.messageCount, 'message');
    const title = toPrintableLine(subagent.title ?? '');
    return `<span><b>${escapeHtml(toSubagentName(subagent))}</b> ${escapeHtml(title)} <small>${count}</small></span>`;
  }
}

function toFactHtml(label: string, value: string): string {
  const text = escapeHtml(value);
  if (isSafeLink(value)) return `${toLinkStart(value)}${text}</a>`;
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

/**
 * Message text as HTML. Everything from a transcript is escaped here and never becomes markup: HTML in it is text, a link
 * that does not lead to a page or to mail is text, an image is a link, and nothing is ever loaded.
 */
export class HtmlText {
  private readonly terms: readonly Term[];
  private readonly markdown: ReturnType<typeof makeParser>;

  constructor(terms: readonly Term[]) {
    this.terms = terms;
    this.markdown = this.makeRenderer();
  }

  fromMarkdown(text: string): string {
    if (isTooLong(text)) return this.verbatim(text);
    return this.markdown.render(toPrintable(text)).trim();
  }

  /** As it was typed, except that fenced code is shown as code. */
  fromTyped(text: string): string {
    return toTypedBlocks(toPrintable(text))
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
    return `<pre${label}><code>${shown}</code></pre>`;
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
    rules.link_open = (tokens, i) => toLinkStart(String(tokens[i]?.attrGet('href') ?? ''));
    rules.image = (tokens, i) => {
      const name = this.marked(tokens[i]?.content || 'image');
      return `${toLinkStart(String(tokens[i]?.attrGet('src') ?? ''))}${name}</a>`;
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
    rules.table_open = () => '<div class="scroll"><table>\n';
    rules.table_close = () => '</table></div>\n';
    return made;
  }
}

function toLinkStart(address: string): string {
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

const pageStyle = `
:root{
  --paper:#fff;--ink:#1f2328;--soft:#656d76;--line:#e3e6ea;--tint:#f6f8fa;--you:#eef4fd;--you-edge:#c9dcf7;
  --accent:#0b5cad;--claude:#b4532a;--subagent:#7a3e9d;--error:#c0262d;--mark:#ffe58a;--mark-ink:#1f2328;
  --c-key:#a626a4;--c-str:#3b7d23;--c-num:#9a5b00;--c-com:#6b7280;--c-fn:#2456c7;--c-type:#8a5a00;--c-del:#b3261e;
}
@media (prefers-color-scheme:dark){:root{
  --paper:#15181c;--ink:#dfe3e8;--soft:#949ca6;--line:#2b3138;--tint:#1d2126;--you:#182536;--you-edge:#2a4366;
  --accent:#79b4f5;--claude:#e2936b;--subagent:#c79be3;--error:#ff7b7b;--mark:#6b5600;--mark-ink:#fff4c7;
  --c-key:#d2a8ff;--c-str:#9ecb87;--c-num:#e5b567;--c-com:#8b949e;--c-fn:#8ab8ff;--c-type:#e0b96a;--c-del:#ff9a92;
}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0 auto;max-width:48rem;padding:2.5rem 1.25rem 4rem;background:var(--paper);color:var(--ink);
  font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.15em}
header{border-bottom:1px solid var(--line);padding-bottom:1.5rem;margin-bottom:2rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 1rem;letter-spacing:-.01em;text-wrap:balance}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0;font-size:.875rem;line-height:1.5}
dt{color:var(--soft)}
dd{margin:0;min-width:0}
dd code{background:none;padding:0}
.turn{margin:0 0 1.75rem}
.turn>h2{display:flex;align-items:baseline;gap:.6rem;margin:0 0 .35rem;font-size:.875rem;line-height:1.5;font-weight:400}
.who{font-weight:650;color:var(--claude)}
.person>h2 .who{color:var(--accent)}
.task>h2 .who,.subagent>h2 .who{color:var(--subagent)}
.turn>h2 a,.turn>h2 time{color:var(--soft);text-decoration:none;font-variant-numeric:tabular-nums}
.turn>h2 a{display:inline-flex;gap:.6rem}
.turn>h2 a:hover{color:var(--accent)}
.number{opacity:.65}
.person .said{background:var(--you);border:1px solid var(--you-edge);border-radius:.75rem;padding:.7rem 1rem}
.person .said+.said{margin-top:.5rem}
.said:target,.recap:target{outline:2px solid var(--accent);outline-offset:.35rem;border-radius:.5rem}
.said>:first-child{margin-top:0}
.said>:last-child{margin-bottom:0}
.said+.said{margin-top:1rem}
.typed{white-space:pre-wrap}
.note{color:var(--soft);font-size:.8125rem;margin:0 0 .25rem}
p,ul,ol,blockquote,pre,.scroll{margin:.75rem 0}
ul,ol{padding-left:1.5rem}
li>p{margin:.35rem 0}
li>ul,li>ol{margin:.15rem 0}
h3,h4,h5,h6{margin:1.4rem 0 .5rem;line-height:1.3}
h3{font-size:1.2rem}h4{font-size:1.05rem}h5,h6{font-size:1rem}
blockquote{border-left:3px solid var(--line);padding-left:1rem;color:var(--soft);margin-left:0;margin-right:0}
hr{border:0;border-top:1px solid var(--line);margin:1.5rem 0}
code,.calls,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
code{font-size:.875em;background:var(--tint);border-radius:.3rem;padding:.1em .3em;-webkit-box-decoration-break:clone;
  box-decoration-break:clone}
pre{background:var(--tint);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem;overflow-x:auto;
  font-size:.84375rem;line-height:1.5;overflow-wrap:normal;tab-size:2;position:relative}
pre code{background:none;padding:0;font-size:inherit;border-radius:0}
.person pre,.person code{background:var(--paper)}
.person pre code{background:none}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.9375rem;overflow-wrap:normal}
th,td{border-bottom:1px solid var(--line);padding:.35rem .9rem .35rem 0;text-align:left;vertical-align:top}
th{font-weight:650}
.right{text-align:right}.center{text-align:center}
mark{background:var(--mark);color:var(--mark-ink);border-radius:.2rem;padding:0 .1em}
details{margin:.75rem 0}
summary{cursor:pointer;list-style:none;display:flex;align-items:baseline;gap:.5rem}
summary::-webkit-details-marker{display:none}
summary::before{content:"";flex:none;width:.4rem;height:.4rem;border:solid currentColor;border-width:0 1.5px 1.5px 0;
  transform:translateY(-.1rem) rotate(-45deg);opacity:.7}
details[open]>summary::before{transform:translateY(-.2rem) rotate(45deg)}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:.2rem;border-radius:.3rem}
.calls{color:var(--soft);font-size:.8125rem;line-height:1.5}
.calls summary span{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.calls[open] summary span{white-space:normal}
.calls ul{margin:.35rem 0 .35rem .2rem;padding:0 0 0 .9rem;list-style:none;border-left:1px solid var(--line)}
.calls .error,.calls li.error{color:var(--error);flex:none}
.calls pre{color:var(--ink);max-height:24rem;overflow-y:auto;margin:.35rem 0 .75rem;white-space:pre-wrap;overflow-wrap:anywhere}
.prompts{font-size:.9375rem;margin-bottom:2rem}
.prompts summary{color:var(--soft)}
.prompts ul{list-style:none;padding-left:.9rem}
.prompts a{color:inherit;text-decoration:none}
.prompts a:hover{color:var(--accent);text-decoration:underline}
.agent-name,details.subagent>summary{font-size:.9375rem;color:var(--subagent)}
details.subagent{border-left:3px solid var(--subagent);padding-left:1rem}
details.subagent[open]>summary{margin-bottom:1rem}
details.subagent .turn:last-child{margin-bottom:.25rem}
small{color:var(--soft);font-size:.8125rem}
.recap{border-block:1px dashed var(--line);padding:.6rem 0;margin:2rem 0;color:var(--soft);font-size:.9375rem}
.gap{display:flex;align-items:center;gap:1rem;color:var(--soft);font-size:.8125rem;margin:2rem 0}
.gap::before,.gap::after{content:"";flex:1;border-top:1px dashed var(--line)}
footer{border-top:1px solid var(--line);margin-top:3rem;padding-top:1rem;color:var(--soft);font-size:.8125rem}
.hljs-comment,.hljs-quote{color:var(--c-com);font-style:italic}
.hljs-keyword,.hljs-selector-tag,.hljs-meta,.hljs-doctag{color:var(--c-key)}
.hljs-string,.hljs-regexp,.hljs-addition,.hljs-selector-attr{color:var(--c-str)}
.hljs-number,.hljs-literal,.hljs-symbol,.hljs-bullet{color:var(--c-num)}
.hljs-title,.hljs-section,.hljs-name,.hljs-selector-id{color:var(--c-fn)}
.hljs-type,.hljs-built_in,.hljs-attr,.hljs-attribute,.hljs-variable,.hljs-selector-class{color:var(--c-type)}
.hljs-deletion{color:var(--c-del)}
@media (max-width:36rem){
  body{padding:1.25rem 1rem 3rem;font-size:1rem}
  h1{font-size:1.35rem}
  dl{font-size:.8125rem;column-gap:.75rem}
  pre{padding:.7rem .8rem;font-size:.8125rem}
  details.subagent{padding-left:.75rem}
}
@media print{body{max-width:none;padding:0}details.calls,nav{display:none}}
`;
