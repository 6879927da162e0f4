// Everything that one line of a transcript can say, whatever the agent, and the same without secrets.

import type { ToolResult } from '../../batch.ts';
import type { Identity, MessageKind, PullRequest, Role } from '../../records.ts';
import { redact, redactCut } from '../../text/redact.ts';
import type { JsonObject } from '../json/json-value.ts';
import { redactObject } from '../json/redact-strings.ts';
import { toInputText, toToolTarget } from './work-text.ts';

export interface EntryMessage {
  readonly role: Role;
  readonly kind: MessageKind;
  readonly text: string;
  readonly isSidechain: boolean;
}

export interface EntryToolCall {
  readonly id: string | null;
  readonly name: string;
  /** Whole, like the input: both are cut when they are stored. */
  readonly target: string | null;
  /** What the tool was given. */
  readonly input: string;
  /** The same by name, where it has names. */
  readonly given?: JsonObject;
}

export interface EntryToolResult extends ToolResult {
  /** What the tool answered. */
  readonly output: string;
}

/** What one line says. Absent parts are null or empty. */
export interface Entry {
  readonly type: string;
  /** Where the file's name does not say whose it is. */
  readonly identity: Identity | null;
  readonly uuid: string | null;
  /** Further ids that it shares with copies and forks of the same conversation. */
  readonly kin: readonly string[];
  readonly sessionId: string | null;
  readonly timestamp: string | null;
  /** Any line may name the directory, and the first one in the file is the project. */
  readonly cwd: string | null;
  /** A turn of the conversation, in the directory where the session works by then. */
  readonly isTurn: boolean;
  readonly branch: string | null;
  readonly version: string | null;
  readonly model: string | null;
  readonly message: EntryMessage | null;
  readonly toolCalls: readonly EntryToolCall[];
  readonly toolResults: readonly EntryToolResult[];
  readonly title: EntryTitle | null;
  readonly lastPrompt: string | null;
  readonly relocatedCwd: string | null;
  readonly continuedIn: string | null;
  readonly pullRequest: PullRequest | null;
  readonly isCompaction: boolean;
  readonly isUnknownType: boolean;
}

export type EntryTitle =
  | { readonly source: 'custom-title' | 'agent-name' | 'ai-title'; readonly text: string }
  | { readonly source: 'summary'; readonly text: string; readonly leafUuid: string };

/** Of all that is stored of an entry, what may hold text that somebody typed or wrote. */
export function redactEntry(entry: Entry): Entry {
  const { message, toolCalls, toolResults, title, lastPrompt } = entry;
  return {
    ...entry,
    message: message === null ? null : { ...message, text: redact(message.text) },
    toolCalls: toolCalls.map(redactCall),
    toolResults: toolResults.map((result) => ({ ...result, output: redact(result.output) })),
    title: title === null ? null : { ...title, text: redactCut(title.text) },
    lastPrompt: lastPrompt === null ? null : redact(lastPrompt),
  };
}

/** What was given by name is cleaned together with its names, since a name may be all that a secret is recognised by. */
export function redactCall(call: EntryToolCall): EntryToolCall {
  const given = call.given && redactObject(call.given);
  const target = given === undefined ? call.target : toToolTarget(given);
  const input = given === undefined ? call.input : toInputText(given);
  return {
    ...call,
    target: target === null ? null : redact(target),
    input: redact(input),
    ...(given && { given }),
  };
}
