// A conversation as a Markdown file worth keeping. Messages stay Markdown, but cannot break the document: their headings
// go below the document's own, HTML in them is text, and fences that were left open are closed.

import type { ShownCall } from '../../api/conversation/call-texts.ts';
import type { Head, Part } from '../../api/conversation/read-conversation.ts';
import type { ListedSession } from '../../api/sessions.ts';
import { recall, toHintText } from '../../hints.ts';
import type { StoredMessage } from '../../store/read/read-conversation.ts';
import type { SessionInfo } from '../../store/read/read-sessions.ts';
import { toPrintable, toPrintableLine } from '../../text/printable.ts';
import { formatNumbered } from '../quantities.ts';
import { toShortId } from '../sessions/reference.ts';
import { formatMoment } from '../times.ts';
import { toContained, toEscaped, toFenced, toInlineCode } from './contained-markdown.ts';
import { codeLabels, type HeadOptions, toHeadFacts } from './head-facts.ts';
import type { Printer } from './printer.ts';
import { toSpeakerName, toSubagentName } from './speaker-names.ts';
import { toCallName, toCallsSummary, toCallTexts, toErrorCount } from './tool-calls.ts';
import { toTypedBlocks } from './typed-text.ts';

export interface MarkdownOptions extends HeadOptions {
  readonly showsTools: boolean;
}

export class MarkdownPrinter implements Printer {
  private readonly options: MarkdownOptions;
  private readonly sessions: SessionInfo[] = [];

  constructor(options: MarkdownOptions) {
    this.options = options;
  }

  begin(head: Head): string {
    this.sessions.push(head.session);
    const { title, facts } = toHeadFacts(head, this.options);
    const lines = facts.map(
      ([label, value]) => `- **${label}**: ${codeLabels.has(label) ? toInlineCode(value) : toEscaped(value)}`,
    );
    return `# ${toEscaped(title)}\n\n${lines.join('\n')}`;
  }

  part(part: Part): string {
    switch (part.type) {
      case 'turn': {
        const name = toEscaped(toSpeakerName(part.speaker, this.sessions.at(-1)));
        const when = formatMoment(part.timestamp);
        return `\n${this.level(2)} ${name}${when === '' ? '' : ` · ${when}`}`;
      }
      case 'message':
        return `\n${this.message(part.message)}`;
      case 'recap':
        return `\n---\n\n*The conversation was compacted here. The recap:*\n\n${quote(this.message(part.message))}`;
      case 'calls':
        return `\n${this.calls(part.calls)}`;
      case 'subagent': {
        const command = recall('show', toShortId(part.subagent.nativeId));
        const ref = toInlineCode(toHintText(command, this.options.givenFlags));
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
    return `\n*End of ${toEscaped(toSubagentName(subagent))}.*`;
  }

  end(): string {
    return '';
  }

  /** The headings of a subagent are two levels below those of its session. */
  private level(level: number): string {
    return '#'.repeat(Math.min(6, level + 2 * (this.sessions.length - 1)));
  }

  private message({ text, role, kind }: StoredMessage): string {
    const printable = toPrintable(text).trimEnd();
    if (role === 'assistant' || kind === 'task' || kind === 'recap')
      return toContained(printable, 2 * this.sessions.length);
    return toTypedBlocks(printable)
      .map((block) => (block.isCode ? toFenced(block.text, block.language) : toTypedText(block.text)))
      .join('\n\n');
  }

  private calls(calls: readonly ShownCall[]): string {
    const project = this.sessions[0]?.project ?? null;
    if (!this.options.showsTools) {
      const errors = toErrorCount(calls);
      return `> ⋯ ${toEscaped(toCallsSummary(calls, project))}${errors === '' ? '' : ` **${errors}**`}`;
    }
    return calls
      .map(
        (call) =>
          `- ${toInlineCode(toCallName(call, project, 400))}${call.isError === 1 ? ' **error**' : ''}${toCallBlocks(call)}`,
      )
      .join('\n');
  }

  private agentName(subagent: SessionInfo): string {
    return `${toEscaped(toSubagentName(subagent))}: ${toEscaped(toPrintableLine(subagent.title ?? ''))}`;
  }
}

/** In the item of the call. */
function toCallBlocks(call: ShownCall): string {
  const { input, output } = toCallTexts(call);
  const given = input === '' ? '' : toFenced(toPrintable(input), '');
  const answered = output === '' ? '' : `answered:\n\n${toFenced(toPrintable(output), '')}`;
  return [given, answered]
    .filter((block) => block !== '')
    .map((block) => `\n\n${block.replace(/^(?=.)/gm, '  ')}`)
    .join('');
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** As it was typed: no character is markup, and indentation and line breaks are kept. */
function toTypedText(text: string): string {
  const lines = text.split('\n').map((line) => {
    const [spaces = ''] = /^ */.exec(line) ?? [];
    return line.trim() === ''
      ? ''
      : `${'\u00a0'.repeat(spaces.length)}${toEscaped(line.slice(spaces.length))}`;
  });
  return lines.map((line, i) => (line !== '' && lines[i + 1] ? `${line}\\` : line)).join('\n');
}
