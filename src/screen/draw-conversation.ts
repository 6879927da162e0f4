// What was read of a conversation → lines as `show` prints them, with the places that the screen jumps to: messages and matches.
// The conversation in the reader is drawn page by page, each going on where the one before ended.

import type { Head, MessagePart, Piece, Speaker } from '../api/answers.ts';
import type { SessionInfo } from '../api/list.ts';
import { chooseColors } from '../render/colors.ts';
import { clip, wrap } from '../render/columns.ts';
import { listHeadFacts, nameSpeaker, printPiece } from '../render/conversation/printer.ts';
import { TerminalPrinter } from '../render/conversation/terminal-printer.ts';
import { formatClock, formatDay } from '../render/quantities.ts';
import type { OpenedConversation, PageAnswer, PreviewAnswer } from './questions.ts';
import type { MessageMark, Preview, Reader, ReaderPage } from './state.ts';

const colors = chooseColors(true);

const previewLines = 300;
/** The best passage may be far below; beyond this, the preview starts at the top. */
const maxPreviewLines = 3000;

export class ConversationDrawer {
  private readonly homeDir: string;
  private readonly now: () => Date;
  private printer: TerminalPrinter | null = null;
  private speaking: Speaking = { speaker: null, sessions: [] };

  constructor(homeDir: string, now: () => Date) {
    this.homeDir = homeDir;
    this.now = now;
  }

  preview({ opened, pieces, isCut }: PreviewAnswer, bestId: number | null, columns: number): Preview {
    const lines = formatBriefHead(opened.head, columns, this.homeDir);
    const printer = this.makePrinter(opened, columns, false);
    printer.begin(opened.head);
    const speaking: Speaking = { speaker: null, sessions: [opened.head.session] };
    const messages: MessageMark[] = [];
    let best: number | null = null;
    let isFull = false;
    for (const { text, message, mark } of drawPieces(printer, pieces, speaking, this.now())) {
      isFull = lines.length >= (best === null && bestId !== null ? maxPreviewLines : previewLines);
      if (isFull) break;
      const drawn = text.split('\n');
      if (best === null && message !== null && message.id === bestId)
        best = lines.length + Math.max(0, drawn.findIndex(isMarked));
      if (mark !== null) messages.push({ ...mark, line: lines.length + mark.line });
      lines.push(...drawn);
    }
    const matches = findMarked(lines, 0);
    return { lines, matches, messages, best: best ?? findMostMarked(lines), isCut: isFull || isCut };
  }

  page({ opened, pieces, next }: PageAnswer, { columns, showsTools, lines: before }: Reader): ReaderPage {
    const lines: string[] = [];
    if (opened !== null) {
      this.printer = this.makePrinter(opened, columns, showsTools);
      this.speaking = { speaker: null, sessions: [opened.head.session] };
      lines.push(...this.printer.begin(opened.head).split('\n'));
    }
    const messages: MessageMark[] = [];
    const drawn = this.printer === null ? [] : drawPieces(this.printer, pieces, this.speaking, this.now());
    for (const { text, mark } of drawn) {
      if (mark !== null) messages.push({ ...mark, line: before.length + lines.length + mark.line });
      lines.push(...text.split('\n'));
    }
    return { lines, matches: findMarked(lines, before.length), messages, next };
  }

  private makePrinter({ terms }: OpenedConversation, columns: number, showsTools: boolean): TerminalPrinter {
    return new TerminalPrinter({
      columns,
      homeDir: this.homeDir,
      now: this.now(),
      terms,
      showsTools,
      useColor: true,
      isDrawn: true,
      showsRecaps: false,
    });
  }
}

function formatBriefHead(head: Head, columns: number, homeDir: string): string[] {
  const { title, facts } = listHeadFacts(head, { homeDir });
  const known = new Map(facts);
  const notes = facts.flatMap(([label, text]) => (label === 'note' ? wrap(`note ${text}`, columns) : []));
  const briefly = ['project', 'branch', 'when', 'contains', 'tags'].map((label) => known.get(label) ?? '');
  const lines = ['transcript', 'directory', 'pull request', 'continued in'].flatMap((label) =>
    known.has(label) ? wrap(`${label} ${known.get(label)}`, columns) : [],
  );
  const about = wrap(briefly.filter((fact) => fact !== '').join(' · '), columns);
  return [colors.bold(clip(title, columns)), ...[...about, ...notes, ...lines].map(colors.dim)];
}

interface Drawn {
  readonly text: string;
  readonly message: { readonly id: number; readonly text: string } | null;
  readonly mark: MessageMark | null;
}

/** Who speaks, as far as it was drawn: the session, and inside it the subagent that is being read. */
interface Speaking {
  speaker: Speaker | null;
  readonly sessions: SessionInfo[];
}

/** A message starts where its turn does, if it is the first of the turn. */
function* drawPieces(
  printer: TerminalPrinter,
  pieces: readonly Piece[],
  speaking: Speaking,
  now: Date,
): Generator<Drawn> {
  const { sessions } = speaking;
  let turn: Drawn | null = null;
  for (const piece of pieces) {
    if (piece.type === 'subagent-start') sessions.push(piece.listed.session);
    if (piece.type === 'subagent-end') sessions.pop();
    if (piece.type === 'part' && piece.part.type === 'turn') speaking.speaker = piece.part.speaker;
    const text = printPiece(printer, piece);
    if (text === '') continue;
    const part = piece.type === 'part' ? piece.part : null;
    const said = part?.type === 'message' || part?.type === 'recap' ? part : null;
    const message = said?.message ?? null;
    const mark =
      said === null
        ? null
        : {
            line: text.startsWith('\n') ? 1 : 0,
            id: said.message.id,
            text: said.message.text,
            position: sessions.length > 1 ? null : said.position,
            heading: formatSpeaker(said, speaking, now),
          };
    // Held back until it is known which message follows.
    if (part?.type === 'turn') {
      if (turn !== null) yield turn;
      turn = { text, message, mark };
    } else if (turn === null) yield { text, message, mark };
    else {
      yield { ...turn, mark: mark === null ? null : { ...mark, line: 1 } };
      yield { text, message, mark: null };
      turn = null;
    }
  }
  if (turn !== null) yield turn;
}

function formatSpeaker(
  said: Pick<MessagePart, 'message' | 'position'>,
  { speaker, sessions }: Speaking,
  now: Date,
): string {
  const { timestamp } = said.message;
  const name = speaker === null ? '' : nameSpeaker(speaker, sessions.at(-1));
  const rest = [formatDay(timestamp, now), formatClock(timestamp), ` #${said.position}`];
  return `${colors.bold(speaker === 'person' ? colors.cyan(name) : colors.yellow(name))}  ${colors.dim(rest.filter(Boolean).join(' '))}`;
}

const inverse = '\x1b[7m';
const isMarked = (line: string) => line.includes(inverse);

export function findMostMarked(lines: readonly string[]): number | null {
  let most = { marks: 0, line: null as number | null };
  for (const [line, text] of lines.entries()) {
    const marks = text.split(inverse).length - 1;
    if (marks > most.marks) most = { marks, line };
  }
  return most.line;
}

function findMarked(lines: readonly string[], from: number): number[] {
  return lines.flatMap((line, i) => (isMarked(line) ? [from + i] : []));
}
