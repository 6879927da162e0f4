// A conversation as lines, drawn as `show` draws it, with the places that the screen jumps to: messages and matches.

import type { Conversation, Piece } from '../api/conversation/open-conversation.ts';
import { toColors } from '../render/colors.ts';
import { clip, wrap } from '../render/columns.ts';
import { type Printer, printPiece, toHeadFacts } from '../render/conversation/printer.ts';
import type { MessageMark } from './questions.ts';

const colors = toColors(true);

/** A few lines about a session that is in the list, which already says most of it. */
export function toBriefHead({ head }: Conversation, columns: number, homeDir: string): string {
  const { title, facts } = toHeadFacts(head, { homeDir });
  const known = new Map(facts);
  const briefly = ['project', 'branch', 'when', 'contains'].map((label) => known.get(label) ?? '');
  const lines = ['transcript', 'directory', 'pull request', 'continued in'].flatMap((label) =>
    known.has(label) ? wrap(`${label} ${known.get(label)}`, columns) : [],
  );
  const about = wrap(briefly.filter((fact) => fact !== '').join(' · '), columns);
  return [colors.bold(clip(title, columns)), ...[...about, ...lines].map(colors.dim)].join('\n');
}

export interface Drawn {
  readonly text: string;
  /** The message whose text this is. */
  readonly messageId: number | null;
  /** With the line of the text where the message starts. */
  readonly mark: MessageMark | null;
}

/** A message starts where its turn does, if it is the first of the turn. */
export function* draw(printer: Printer, conversation: Conversation, briefHead?: string): Generator<Drawn> {
  const sessions = [conversation.head.session.nativeId];
  let turn: Drawn | null = null;
  const head = printer.begin(conversation.head);
  yield { text: briefHead ?? head, messageId: null, mark: null };
  for (const piece of conversation.pieces()) {
    if (piece.type === 'subagent-start') sessions.push(piece.listed.session.nativeId);
    if (piece.type === 'subagent-end') sessions.pop();
    const text = printPiece(printer, piece);
    if (text === '') continue;
    const drawn = toDrawn(piece, text, sessions.at(-1) ?? '');
    // Held back until it is known which message follows.
    if (piece.type === 'part' && piece.part.type === 'turn') {
      if (turn !== null) yield turn;
      turn = drawn;
    } else if (turn === null) yield drawn;
    else {
      yield { ...turn, mark: drawn.mark === null ? null : { ...drawn.mark, line: 1 } };
      yield { ...drawn, mark: null };
      turn = null;
    }
  }
  if (turn !== null) yield turn;
}

function toDrawn(piece: Piece, text: string, session: string): Drawn {
  const part = piece.type === 'part' ? piece.part : null;
  if (part === null || (part.type !== 'message' && part.type !== 'recap'))
    return { text, messageId: null, mark: null };
  const line = text.startsWith('\n') ? 1 : 0;
  return { text, messageId: part.message.id, mark: { line, session, position: part.position } };
}

/** How a match is drawn. */
const mark = '\x1b[7m';

export function isMarked(line: string): boolean {
  return line.includes(mark);
}

/** The line with the most matches, the first among equals; null if there is none. */
export function findMostMarked(lines: readonly string[]): number | null {
  let most = { marks: 0, line: null as number | null };
  for (const [line, text] of lines.entries()) {
    const marks = text.split(mark).length - 1;
    if (marks > most.marks) most = { marks, line };
  }
  return most.line;
}

export function toMatches(lines: readonly string[], from: number): number[] {
  return lines.flatMap((line, i) => (isMarked(line) ? [from + i] : []));
}
