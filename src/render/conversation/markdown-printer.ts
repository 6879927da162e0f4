// A conversation as a Markdown file worth keeping. Messages stay Markdown, but cannot break the document: their headings
// go below the document's own, HTML in them is text, and fences that were left open are closed.

import MarkdownIt from 'markdown-it';
import type { Head, ListedSession, Part, ShownCall } from '../../api/answers.ts';
import { recall, toHintText } from '../../hints.ts';
import type { StoredMessage } from '../../store/read/read-conversation.ts';
import type { SessionInfo } from '../../store/word-index.ts';
import { toPrintable, toPrintableLine } from '../../text/printable.ts';
import { formatMoment, formatNumbered } from '../quantities.ts';
import { shortenId } from '../sessions.ts';
import { isTooLong } from './markdown.ts';
import {
  codeLabels,
  formatCallName,
  formatErrorCount,
  type HeadOptions,
  listHeadFacts,
  nameSpeaker,
  nameSubagent,
  type Printer,
  splitTypedText,
  summarizeCalls,
  trimCallTexts,
} from './printer.ts';

type MarkdownOptions = HeadOptions & { readonly showsTools: boolean };

export class MarkdownPrinter implements Printer {
  private readonly options: MarkdownOptions;
  private readonly sessions: SessionInfo[] = [];

  constructor(options: MarkdownOptions) {
    this.options = options;
  }

  begin(head: Head): string {
    this.sessions.push(head.session);
    const { title, facts } = listHeadFacts(head, this.options);
    const lines = facts.map(
      ([label, value]) =>
        `- **${label}**: ${codeLabels.has(label) ? formatInlineCode(value) : escapeMarkdown(value)}`,
    );
    return `# ${escapeMarkdown(title)}\n\n${lines.join('\n')}`;
  }

  part(part: Part): string {
    switch (part.type) {
      case 'turn': {
        const name = escapeMarkdown(nameSpeaker(part.speaker, this.sessions.at(-1)));
        const when = formatMoment(part.timestamp);
        return `\n${this.level(2)} ${name}${when === '' ? '' : ` · ${when}`}`;
      }
      case 'message':
        return `\n${this.message(part.message)}`;
      case 'recap': {
        const lines = this.message(part.message).split('\n');
        const quoted = lines.map((line) => `> ${line}`.trimEnd()).join('\n');
        return `\n---\n\n*The conversation was compacted here. The recap:*\n\n${quoted}`;
      }
      case 'calls':
        return `\n${this.calls(part.calls)}`;
      case 'subagent': {
        const command = recall('show', shortenId(part.subagent.nativeId));
        const ref = formatInlineCode(toHintText(command, this.options.givenFlags));
        return `\n- subagent ${this.agentName(part.subagent)}, ${formatNumbered(part.subagent.messageCount, 'message')}: ${ref}`;
      }
      case 'inlined':
        return `\n- a subagent’s ${formatNumbered(part.messageCount, 'message')}`;
      case 'gap':
        return `\n*… ${formatNumbered(part.messageCount, 'message')} …*`;
    }
  }

  openSubagent({ session: subagent }: ListedSession): string {
    const heading = `\n${this.level(3)} subagent ${this.agentName(subagent)}`;
    this.sessions.push(subagent);
    return heading;
  }

  closeSubagent(): string {
    const subagent = this.sessions.pop();
    return `\n*End of ${escapeMarkdown(nameSubagent(subagent))}.*`;
  }

  /** The headings of a subagent are two levels below those of its session. */
  private level(level: number): string {
    return '#'.repeat(Math.min(6, level + 2 * (this.sessions.length - 1)));
  }

  private message({ text, role, kind }: StoredMessage): string {
    const printable = toPrintable(text).trimEnd();
    if (role === 'assistant' || kind === 'task' || kind === 'recap')
      return containMarkdown(printable, 2 * this.sessions.length);
    return splitTypedText(printable)
      .map((block) => (block.isCode ? fenceCode(block.text, block.language) : formatTypedText(block.text)))
      .join('\n\n');
  }

  private calls(calls: readonly ShownCall[]): string {
    const project = this.sessions[0]?.project ?? null;
    if (!this.options.showsTools) {
      const errors = formatErrorCount(calls);
      return `> ⋯ ${escapeMarkdown(summarizeCalls(calls, project))}${errors === '' ? '' : ` **${errors}**`}`;
    }
    const items = calls.map((call) => {
      const error = call.isError ? ' **error**' : '';
      return `- ${formatInlineCode(formatCallName(call, project, 400))}${error}${formatCallBlocks(call)}`;
    });
    return items.join('\n');
  }

  private agentName(subagent: SessionInfo): string {
    return `${escapeMarkdown(nameSubagent(subagent))}: ${escapeMarkdown(toPrintableLine(subagent.title ?? ''))}`;
  }
}

function formatCallBlocks(call: ShownCall): string {
  const { input, output } = trimCallTexts(call);
  const given = input === '' ? '' : fenceCode(toPrintable(input), '');
  const printed = output === '' ? '' : `output:\n\n${fenceCode(toPrintable(output), '')}`;
  return [given, printed]
    .filter((block) => block !== '')
    .map((block) => `\n\n${block.replace(/^(?=.)/gm, '  ')}`)
    .join('');
}

/** As it was typed: no character is markup, and indentation and line breaks are kept. */
function formatTypedText(text: string): string {
  const lines = text.split('\n').map((line) => {
    const [spaces = ''] = /^ */.exec(line) ?? [];
    return line.trim() === ''
      ? ''
      : `${'\u00a0'.repeat(spaces.length)}${escapeMarkdown(line.slice(spaces.length))}`;
  });
  return lines.map((line, i) => (line !== '' && lines[i + 1] ? `${line}\\` : line)).join('\n');
}

export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|~#$&]/g, (character) => (character === '&' ? '&amp;' : `\\${character}`))
    .replace(/^([^\S\n]*)([-+=]|\d+[.)])(?=\s|$|-|=)/gm, (_, space: string, mark: string) =>
      /\d/.test(mark) ? `${space}${mark.slice(0, -1)}\\${mark.slice(-1)}` : `${space}\\${mark}`,
    );
}

export function formatInlineCode(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const ticks = '`'.repeat(countLongestTicks(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${line}${space}${ticks}`;
}

export function fenceCode(code: string, language: string): string {
  const ticks = '`'.repeat(Math.max(3, countLongestTicks(code) + 1));
  return `${ticks}${/^[\w+#.-]{0,20}$/.test(language) ? language : ''}\n${code.replace(/\n$/, '')}\n${ticks}`;
}

function countLongestTicks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, ticks) => Math.max(longest, ticks.length), 0);
}

const fence = /^(\s*(?:(?:[-*+>]|\d+[.)])\s+)*)(`{3,}|~{3,})(.*)$/;

/**
 * Line by line, because the text should stay as it was written:
 * 1. inside a fence nothing is changed, and a fence still open at the end is closed;
 * 2. headings go `levels` down, underlined ones become ordinary text;
 * 3. HTML is text, as everywhere else; so are link definitions, which would apply to the whole document;
 * 4. a parser has the last word: text that could still affect the document is shown as code.
 */
export function containMarkdown(text: string, levels: number): string {
  if (isTooLong(text)) return fenceCode(text, 'markdown');
  const lines: string[] = [];
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const [, , mark = '', info = ''] = fence.exec(line) ?? [];
    if (open !== null) {
      if (mark.startsWith(open) && info.trim() === '') open = null;
      lines.push(line);
    } else if (mark !== '' && !(mark.startsWith('`') && info.includes('`'))) {
      open = mark;
      lines.push(line);
    } else lines.push(containLine(line, lines.at(-1) ?? '', levels));
  }
  if (open !== null) lines.push(open);
  const contained = lines.join('\n');
  return isContained(contained, levels) ? contained : fenceCode(text, 'markdown');
}

function containLine(line: string, before: string, levels: number): string {
  const [, start = '', marks = '', rest = ''] = /^(\s*(?:>\s*)*)(#{1,6})(?=\s|$)(.*)$/.exec(line) ?? [];
  if (marks !== '') return `${start}${'#'.repeat(Math.min(6, marks.length + levels))}${escapeHtml(rest)}`;
  if (/^\s*(=+|-+)\s*$/.test(line) && before.trim() !== '')
    return `\n${line.replace(/=/g, '-').trim().padEnd(3, '-')}`;
  const defined = line.replace(/^(\s{0,3}(?:>\s*)*)\[([^\]]*)\]:/, '$1\\[$2]:');
  return escapeHtml(defined);
}

/** Leaves inline code alone, where a backslash would show. */
function escapeHtml(line: string): string {
  return line
    .split(/(`+[^`]*`+)/)
    .map((piece, i) => (i % 2 === 1 ? piece : piece.replace(/<(?=[A-Za-z/!?])/g, '\\<')))
    .join('');
}

let reader: InstanceType<typeof MarkdownIt> | null = null;

/** No HTML, no heading as high as the document's own, no link definition, and what follows is not part of it. */
function isContained(text: string, levels: number): boolean {
  reader ??= new MarkdownIt({ html: true });
  const references = {};
  const tokens = reader.parse(`${text}\n\n# after`, { references });
  const isOurs = (level: string) => Number(level.slice(1)) <= levels;
  const [open, words] = tokens.slice(-3);
  const isAfter = open?.type === 'heading_open' && open.level === 0 && words?.content === 'after';
  return (
    isAfter &&
    Object.keys(references).length === 0 &&
    tokens.slice(0, -3).every(({ type, tag, children }) => {
      if (type === 'html_block' || (type === 'heading_open' && isOurs(tag))) return false;
      return children?.every((child) => child.type !== 'html_inline') ?? true;
    })
  );
}
