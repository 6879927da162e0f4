// A conversation as JSON (docs/json.md), one message at a time. Tools called before the assistant said anything are in a
// message of their own, of kind `tools`, with no text and no id.

import type { Head } from '../../api/conversation/open-conversation.ts';
import type { Part } from '../../api/conversation/parts.ts';
import type { ListedSession } from '../../api/sessions.ts';
import type { StoredCall } from '../../store/read/read-conversation.ts';
import { toJsonText } from '../json-text.ts';
import { toSessionJson } from '../sessions/hits-json.ts';
import type { Printer } from './printer.ts';

interface MessageJson {
  readonly id: number | null;
  readonly uuid: string | null;
  readonly role: string;
  readonly kind: string;
  readonly timestamp: string | null;
  readonly text: string;
  readonly tools: { readonly name: string; readonly target: string | null; readonly isError: boolean }[];
}

export class JsonPrinter implements Printer {
  readonly putsSubagentsLast = true;
  private readonly listsSubagents: boolean;
  private pending: MessageJson | null = null;
  private isFirst = true;
  private subagents = 0;

  constructor(listsSubagents: boolean) {
    this.listsSubagents = listsSubagents;
  }

  begin(head: Head): string {
    return this.open({ schemaVersion: 2, ...toSessionJson(head) });
  }

  part(part: Part): string {
    if (part.type === 'message' || part.type === 'recap') {
      const { id, uuid, role, kind, timestamp, text } = part.message;
      return this.next({ id, uuid, role, kind, timestamp, text, tools: [] });
    }
    return part.type === 'calls' ? this.calls(part.calls) : '';
  }

  openSubagent(subagent: ListedSession): string {
    const before = this.subagents === 0 ? `${this.closeMessages()},"subagents":[` : ',';
    this.subagents++;
    return `${before}${this.open(toSessionJson(subagent))}`;
  }

  closeSubagent(): string {
    return `${this.closeMessages()}}`;
  }

  end(): string {
    if (this.subagents > 0) return ']}';
    return `${this.closeMessages()}${this.listsSubagents ? ',"subagents":[]' : ''}}`;
  }

  private open(fields: object): string {
    this.isFirst = true;
    return `${toJsonText(fields).slice(0, -1)},"messages":[`;
  }

  private calls(calls: readonly StoredCall[]): string {
    let text = '';
    if (this.pending?.role !== 'assistant') {
      text = this.next({
        id: null,
        uuid: null,
        role: 'assistant',
        kind: 'tools',
        timestamp: null,
        text: '',
        tools: [],
      });
    }
    for (const { name, target, isError } of calls)
      this.pending?.tools.push({ name, target, isError: isError === 1 });
    return text;
  }

  /** A message is complete only when the next one starts. */
  private next(message: MessageJson | null): string {
    const done = this.pending;
    this.pending = message;
    if (done === null) return '';
    const text = `${this.isFirst ? '' : ','}${toJsonText(done)}`;
    this.isFirst = false;
    return text;
  }

  private closeMessages(): string {
    return `${this.next(null)}]`;
  }
}
