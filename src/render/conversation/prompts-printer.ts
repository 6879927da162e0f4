// The prompts of a conversation as a list: each with the number by which it is shown, for people and as JSON.

import type { Head, MessagePart, Part } from '../../api/conversation/read-conversation.ts';
import { recall, toHintText } from '../../hints.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { toColors } from '../colors.ts';
import { clip } from '../columns.ts';
import { toJsonText } from '../json-text.ts';
import { formatNumbered } from '../quantities.ts';
import { toSessionJson } from '../sessions/hits-json.ts';
import { toShortId } from '../sessions/reference.ts';
import { formatMoment } from '../times.ts';
import { type HeadOptions, toHeadFacts } from './head-facts.ts';
import type { Printer } from './printer.ts';

export interface PromptsOptions extends HeadOptions {
  readonly columns: number;
  readonly useColor: boolean;
  /** Cut lines to the screen. */
  readonly isDrawn: boolean;
}

/** Of a prompt in a pipe: enough to recognise it by. */
const maxColumns = 200;

/** Of a conversation in which only the person is shown. */
abstract class PromptsPrinter implements Printer {
  abstract begin(head: Head): string;
  abstract end(): string;
  protected abstract prompt(part: MessagePart): string;

  part(part: Part): string {
    return part.type === 'message' ? this.prompt(part) : '';
  }

  openSubagent(): string {
    return '';
  }

  closeSubagent(): string {
    return '';
  }
}

export class PromptsList extends PromptsPrinter {
  private readonly options: PromptsOptions;
  private id = '';
  private numberWidth = 0;
  private prompts = 0;
  private last = 0;

  constructor(options: PromptsOptions) {
    super();
    this.options = options;
  }

  begin(head: Head): string {
    const { nativeId, messageCount } = head.session;
    this.id = toShortId(nativeId);
    this.numberWidth = `#${messageCount}`.length;
    const title = this.fit(toHeadFacts(head, this.options).title);
    return `${toColors(this.options.useColor).bold(title)}\n`;
  }

  protected prompt({ message, position }: MessagePart): string {
    const { dim, cyan } = toColors(this.options.useColor);
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

export class PromptsJson extends PromptsPrinter {
  private isFirst = true;

  begin(head: Head): string {
    return `${toJsonText({ schemaVersion: 2, ...toSessionJson(head) }).slice(0, -1)},"prompts":[`;
  }

  protected prompt({ message, position }: MessagePart): string {
    const { id, uuid, kind, timestamp, text } = message;
    const before = this.isFirst ? '' : ',';
    this.isFirst = false;
    return `${before}${toJsonText({ number: position, id, uuid, kind, timestamp, text })}`;
  }

  end(): string {
    return ']}';
  }
}
