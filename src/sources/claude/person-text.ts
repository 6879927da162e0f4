// Separates the person's words from what Claude Code wrote in their name. A user entry may hold a prompt, the output
// of a local command, a reminder to the model, or a prompt with such blocks inside it.

import type { MessageKind } from '../../records.ts';

/** Blocks that are never the person's; inside a longer message they are cut out and the rest stays. */
const wrapperTags = [
  'system-reminder',
  'local-command-caveat',
  'local-command-stdout',
  'local-command-stderr',
  'task-notification',
  'bash-stdout',
  'bash-stderr',
  'command-name',
  'command-message',
  'command-contents',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'user-prompt-submit-hook',
];

/** A message that opens so is machine-written to its end, closed or not. */
const machineOpenings = [
  '<task-notification>',
  '<system-reminder>',
  '<local-command-caveat>',
  '<local-command-stdout>',
  '<local-command-stderr>',
  '<bash-stdout>',
  '<bash-stderr>',
  '<command-name>',
  '<command-message>',
  '<command-args>',
  'Caveat:',
  '[Request interrupted',
  '[SUGGESTION MODE',
  'Base directory for this skill',
];

const recapOpening = 'This session is being continued from a previous conversation';

export interface PersonText {
  readonly kind: MessageKind;
  readonly text: string;
}

export function isRecapText(text: string): boolean {
  return text.startsWith(recapOpening);
}

/** What the person typed in this text, or null when all of it is machinery. */
export function toPersonText(raw: string): PersonText | null {
  const trimmed = raw.trim();
  if (trimmed === '') return null;
  // Where a notification ends and its trailing instructions begin is not marked, so all of it goes.
  if (trimmed.startsWith('<task-notification>')) return null;
  if (!trimmed.includes('<')) return startsAsMachine(trimmed) ? null : { kind: 'prompt', text: trimmed };

  if (/^<command-(name|message|args)>/.test(trimmed))
    return toTyped('command', innerText(trimmed, 'command-args'));
  if (trimmed.startsWith('<bash-input>')) return toTyped('shell', innerText(trimmed, 'bash-input'));

  const rest = cutWrappers(trimmed).trim();
  if (rest === '' || startsAsMachine(rest)) return null;
  return { kind: 'prompt', text: rest };
}

const slashCommand = /^\/[A-Za-z][\w:.-]*(?:\s+([\s\S]*))?$/;

/** A prompt as the input line holds it, where a slash command still comes before its arguments. */
export function toTypedLine(raw: string): PersonText | null {
  const command = slashCommand.exec(raw.trim());
  if (command !== null) return toTyped('command', command[1] ?? '');
  return toPersonText(raw);
}

function startsAsMachine(text: string): boolean {
  return machineOpenings.some((opening) => text.startsWith(opening));
}

function toTyped(kind: MessageKind, text: string): PersonText | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : { kind, text: trimmed };
}

/** Plain searches rather than one regular expression, whose backtracking is quadratic in unclosed tags. */
function cutWrappers(text: string): string {
  let rest = text;
  for (const tag of wrapperTags) {
    const blocks = findBlocks(rest, tag).filter((block) => block.isClosed);
    if (blocks.length === 0) continue;
    let kept = '';
    let from = 0;
    for (const block of blocks) {
      kept += rest.slice(from, block.start);
      from = block.end;
    }
    rest = kept + rest.slice(from);
  }
  return rest;
}

function innerText(text: string, tag: string): string {
  return findBlocks(text, tag)
    .map((block) => text.slice(block.innerStart, block.innerEnd))
    .join('\n');
}

interface Block {
  readonly start: number;
  readonly innerStart: number;
  readonly innerEnd: number;
  readonly end: number;
  readonly isClosed: boolean;
}

/** Every `<tag>…</tag>` in turn; an unclosed last one runs to the end of the text. */
function findBlocks(text: string, tag: string): Block[] {
  const open = `<${tag}>`;
  const close = `</${tag}>`;
  const blocks: Block[] = [];
  let start = text.indexOf(open);
  while (start >= 0) {
    const innerStart = start + open.length;
    const found = text.indexOf(close, innerStart);
    const isClosed = found >= 0;
    const innerEnd = isClosed ? found : text.length;
    const end = isClosed ? found + close.length : text.length;
    blocks.push({ start, innerStart, innerEnd, end, isClosed });
    start = isClosed ? text.indexOf(open, end) : -1;
  }
  return blocks;
}
