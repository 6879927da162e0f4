// Lines that hold nothing of a conversation: what Claude Code notes for itself about requests, costs and settings. They are
// most of a newer transcript's bytes (a session of 158 kB has 14 kB of turns), so those that can be are recognised by their
// first bytes and never parsed. What is not recognised so is parsed and then found to be silent, by the same two lists.

import { type JsonObject, objectField, stringField } from '../json/json-value.ts';
import { toNames } from '../transcript/entry.ts';

/** Nothing of these counts, not even the session or the version that they name: every turn names them too. */
export const silentTypes =
  toNames(`agent-color agent-setting api-request api-request-blob api-request-shape artifact-autoreact-ledger
  artifact-comment-monitor atis-latch attribution-snapshot content-replacement cost-state data-flow-incomplete
  data-flow-records dev-mods ended-by-model history-suppression isolation-latch memory-mode mode observer-ref repl-mode
  resume-head-vouch session-owner tools-used`);

/** What the model is given beside the conversation. They are only ever copied together with the turns around them, so copies are recognised without them. */
export const silentAttachments =
  toNames(`agent_listing_delta date deferred_tools_delta environment instructions model
  prompt_snapshot remote_session_change session_context skill_listing`);

/** A line with such an attachment is silent whatever it calls itself: its type comes after the attachment, 50 kB later. */
export function hasSilentAttachment(line: JsonObject): boolean {
  if (line.attachment === undefined) return false;
  const attachment = objectField(line, 'attachment');
  const kind = stringField(attachment, 'type');
  return kind !== null && silentAttachments.has(kind);
}

const typeStart = Buffer.from('{"type":"');
const parentStart = Buffer.from('{"parentUuid":');
const sidechainStart = Buffer.from(',"isSidechain":');
const agentStart = Buffer.from(',"agentId":"');
const attachmentStart = Buffer.from(',"attachment":{"type":"');
const maxNameBytes = 32;
const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const smallA = 0x61;
const smallT = 0x74;
const smallZ = 0x7a;

/** Only exactly these beginnings count: then the name is that of the line itself, not of something inside it. */
export function isSilentLine(line: Buffer): boolean {
  if (line[2] === smallT)
    return startsWith(line, 0, typeStart) && silentTypes.has(nameAt(line, typeStart.length));
  if (!startsWith(line, 0, parentStart)) return false;
  let at = passScalar(line, parentStart.length);
  if (!startsWith(line, at, sidechainStart)) return false;
  at = passScalar(line, at + sidechainStart.length);
  if (startsWith(line, at, agentStart)) at = passScalar(line, at + agentStart.length - 1);
  return (
    startsWith(line, at, attachmentStart) && silentAttachments.has(nameAt(line, at + attachmentStart.length))
  );
}

function startsWith(line: Buffer, at: number, start: Buffer): boolean {
  for (let i = 0; i < start.length; i++) if (line[at + i] !== start[i]) return false;
  return true;
}

/** Up to the closing quote; empty when there is none near, or the name is written with escapes. */
function nameAt(line: Buffer, from: number): string {
  for (let at = from; at <= from + maxNameBytes; at++) {
    if (line[at] === quote) return line.toString('latin1', from, at);
    if (line[at] === backslash) return '';
  }
  return '';
}

/** Behind a short string without escapes, `null`, `true` or `false`; where it is none of these, somewhere that nothing matches. */
function passScalar(line: Buffer, from: number): number {
  const isText = line[from] === quote;
  for (let at = from + 1; at < from + maxScalarBytes; at++) {
    const byte = line[at] ?? 0;
    if (isText ? byte === quote : byte === comma) return isText ? at + 1 : at;
    if (isText ? byte === backslash : byte < smallA || byte > smallZ) return nowhere;
  }
  return nowhere;
}

const maxScalarBytes = 64;
const nowhere = -1;
