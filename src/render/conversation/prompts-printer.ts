// The prompts of a conversation as a list: each with the number by which it is shown, for people and as JSON. The conversation is one in which only the
// person is shown.

import type { Head, Part } from '../../api/answers.ts';
import { recall, toHintText } from '../../hints.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { chooseColors } from '../colors.ts';
import { clip } from '../columns.ts';
import { toJsonText, toSessionJson } from '../json.ts';
import { formatMoment, formatNumbered } from '../quantities.ts';
import { shortenId } from '../sessions.ts';
import { type HeadOptions, listHeadFacts, type Printer } from './printer.ts';
import type { TerminalOptions } from './terminal-printer.ts';

type PromptsOptions = HeadOptions & Pick<TerminalOptions, 'columns' | 'useColor' | 'isDrawn'>;

/** How much of a prompt is printed in a pipe: enough to recognise it. */
const maxColumns = 200;

export class PromptsList implements Printer {
  private readonly options: PromptsOptions;
  private id = '';
  private numberWidth = 0;
  private prompts = 0;
  private last = 0;

  constructor(options: PromptsOptions) {
    this.options = options;
  }

  begin(head: Head): string {
    const { nativeId, messageCount } = head.session;
    this.id = shortenId(nativeId);
    this.numberWidth = `#${messageCount}`.length;
    const title = this.fit(listHeadFacts(head, this.options).title);
    return `${chooseColors(this.options.useColor).bold(title)}\n`;
  }

  part(part: Part): string {
    if (part.type !== 'message') return '';
    const { message, position } = part;
    const { dim, cyan } = chooseColors(this.options.useColor);
    this.prompts++;
    this.last = position;
    const number = `#${position}`.padStart(this.numberWidth);
    const when = formatMoment(message.timestamp).padEnd(16);
    const text = this.fit(toPrintableLine(message.text), number.length + when.length + 4);
    return `${cyan(number)}  ${dim(when)}  ${text}`.trimEnd();
  }

  end(): string {
    if (this.prompts === 0) return 'no prompts';
    const command = toHintText(recall('show', `${this.id}:${this.last}`), this.options.givenFlags);
    return `\n${formatNumbered(this.prompts, 'prompt')}   read around one: ${command}`;
  }

  private fit(text: string, taken = 0): string {
    const { isDrawn, columns } = this.options;
    return clip(text, isDrawn ? Math.max(16, columns - taken) : maxColumns);
  }
}

export class PromptsJson implements Printer {
  private isFirst = true;

  begin(head: Head): string {
    return `${toJsonText({ schemaVersion: 2, ...toSessionJson(head) }).slice(0, -1)},"prompts":[`;
  }

  part(part: Part): string {
    if (part.type !== 'message') return '';
    const { id, uuid, kind, timestamp, text } = part.message;
    const before = this.isFirst ? '' : ',';
    this.isFirst = false;
    return `${before}${toJsonText({ number: part.position, id, uuid, kind, timestamp, text })}`;
  }

  end(): string {
    return ']}';
  }
}
