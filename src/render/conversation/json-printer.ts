// A conversation as JSON (docs/json.md), one message at a time. Tools called before the assistant said anything are in a
// message of their own, of kind `tools`, with no text and no id.

import type { Head, ListedSession, Part, ShownCall } from '../../api/answers.ts';
import { toJsonText, toSessionJson } from '../json.ts';
import type { Printer } from './printer.ts';

const onlyTools = { id: null, uuid: null, role: 'assistant', kind: 'tools', timestamp: null, text: '' };

interface PendingMessage {
  readonly role: string;
  /** What is not written yet: the message itself, or some of its tools. */
  json: string;
  hasTools: boolean;
}

export class JsonPrinter implements Printer {
  private readonly listsSubagents: boolean;
  private pending: PendingMessage | null = null;
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
      return this.next({ id, uuid, role, kind, timestamp, text });
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

  private calls(calls: readonly ShownCall[]): string {
    const text = this.pending?.role === 'assistant' ? '' : this.next(onlyTools);
    const { pending } = this;
    if (pending === null) return text;
    for (const { name, target, isError, input, output } of calls) {
      const tool = toJsonText({ name, target, isError: isError, input, output });
      pending.json += `${pending.hasTools ? ',' : ''}${tool}`;
      pending.hasTools = true;
    }
    // The texts of many calls are not kept until the next message.
    return calls.some(({ input, output }) => input || output) ? `${text}${this.takePending()}` : text;
  }

  private takePending(): string {
    const json = this.pending?.json ?? '';
    if (this.pending !== null) this.pending.json = '';
    return json;
  }

  /** A message is complete only when the next one starts. */
  private next(message: ({ readonly role: string } & Record<string, unknown>) | null): string {
    const done = this.pending === null ? '' : `${this.takePending()}]}`;
    this.pending = null;
    if (message === null) return done;
    const json = `${this.isFirst ? '' : ','}${toJsonText(message).slice(0, -1)},"tools":[`;
    this.pending = { role: message.role, json, hasTools: false };
    this.isFirst = false;
    return done;
  }

  private closeMessages(): string {
    return `${this.next(null)}]`;
  }
}
