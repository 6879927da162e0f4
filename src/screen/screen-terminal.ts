// The terminal while the screen has it: the alternate screen, raw keys, bracketed paste. A row that differs from what is shown is erased
// and written again, so that nothing depends on how wide the terminal draws a character; where that is certain, only the side of the
// row that differs.

export type Size = Readonly<Record<'columns' | 'rows', number>>;

/** Lines have styles that end with the line, and at most as many columns as the terminal. */
export interface Frame {
  readonly lines: readonly string[];
  /** From 0; null if the cursor is hidden. */
  readonly cursor: { readonly row: number; readonly column: number } | null;
}

/** Until the end of the update the terminal goes on showing what it did; terminals that do not know it ignore it. */
const beginUpdate = '\x1b[?2026h';
const endUpdate = '\x1b[?2026l';

/** `before` is null if it is not known what the terminal shows. Empty if nothing differs. */
export function formatUpdate(before: Frame | null, after: Frame, { rows }: Size): string {
  let text = '';
  for (let row = 0; row < rows; row++) {
    const line = after.lines[row] ?? '';
    const shown = before === null ? null : (before.lines[row] ?? '');
    if (line !== shown)
      text += findSide(shown, line, row) ?? `\x1b[${row + 1};1H\x1b[2K${removeControls(line)}\x1b[m`;
  }
  const { cursor } = after;
  const old = before?.cursor;
  const isSameCursor = before !== null && old?.row === cursor?.row && old?.column === cursor?.column;
  if (text === '' && isSameCursor) return '';
  const place = cursor === null ? '' : `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
  return `${beginUpdate}\x1b[?25l${before === null ? '\x1b[m\x1b[2J' : ''}${text}${place}${endUpdate}`;
}

/** Every terminal draws these characters one column wide. */
const certain = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2500-\u259f]*$/;

/** The left or the right side of a row with a jump, if only that differs; undefined if the whole row has to be written. */
function findSide(before: string | null, after: string, row: number): string | undefined {
  const [old, next] = [findSides(before ?? ''), findSides(after)];
  if (old === undefined || old.column !== next?.column) return undefined;
  const { column } = next;
  // The cursor stays where it is while a side is erased.
  if (old.left === next.left) return `\x1b[${row + 1};${column}H\x1b[K${removeControls(next.right)}\x1b[m`;
  if (old.right !== next.right) return undefined;
  return `\x1b[${row + 1};1H\x1b[${column - 1}X${removeControls(next.left)}\x1b[m`;
}

/** Undefined if there is no jump, or if what is before it may reach beyond it. */
function findSides(line: string): { left: string; column: number; right: string } | undefined {
  const [, left = '', column, right = ''] = /^(.*?)\x1b\[(\d+)G(.*)$/.exec(line) ?? [];
  if (column === undefined) return undefined;
  const plain = left.replace(/\x1b\[[\d;]*m/g, '');
  const isCertain = certain.test(plain) && plain.length < Number(column);
  return isCertain ? { left, column: Number(column), right } : undefined;
}

/** Only styles and jumps to a column get through, should a view have forgotten to make its text printable. */
export function removeControls(line: string): string {
  return line.replace(/\x1b(?!\[[\d;]*[mG])|[\x00-\x1a\x1c-\x1f\x7f-\x9f]/g, '');
}

/** A jump to a column, from 0: what comes before it may have any width. */
export function jumpToColumn(column: number): string {
  return `\x1b[${column + 1}G`;
}

/** Bold, dim and inverse stay. */
export function withoutColor(line: string): string {
  return line.replace(/\x1b\[(?:3\d|9\d)m/g, '');
}

export interface Device {
  readonly size: Size;
  write(text: string): void;
  /** Keys arrive one by one and are not echoed. */
  setRaw(isRaw: boolean): void;
  onInput(listener: (bytes: Uint8Array) => void): void;
  onResize(listener: () => void): void;
  onEnd(listener: () => void): void;
  /** Called before the process stops or ends, however that happens; `resume` when it goes on. */
  guard(restore: () => void, resume: () => void): void;
  /** Stops the process as Ctrl-Z does, if a shell can continue it. */
  suspend(): void;
  /** Stops reading keys, so that another program gets them. */
  release(): void;
}

/** Alternate screen, no wrapping at the edge, paste as one piece, plain arrow keys. */
const enter = '\x1b[?1049h\x1b[?7l\x1b[?2004h\x1b[?1l';
const leave = '\x1b[?2026l\x1b[m\x1b[?7h\x1b[?2004l\x1b[?25h\x1b[?1049l';

export class ScreenTerminal {
  private readonly device: Device;
  private readonly useColor: boolean;
  private shown: Frame | null = null;
  private isOpen = false;

  constructor(device: Device, useColor: boolean) {
    this.device = device;
    this.useColor = useColor;
  }

  get size(): Size {
    return this.device.size;
  }

  /** `redraw` is called when the process goes on after it was stopped. */
  open(redraw: () => void): void {
    this.device.guard(
      () => this.restore(),
      () => {
        this.enter();
        redraw();
      },
    );
    this.enter();
  }

  draw(frame: Frame): void {
    if (!this.isOpen) return;
    const after = this.useColor ? frame : { ...frame, lines: frame.lines.map(withoutColor) };
    const update = formatUpdate(this.shown, after, this.size);
    this.shown = after;
    if (update !== '') this.device.write(update);
  }

  forget(): void {
    this.shown = null;
  }

  send(sequence: string): void {
    if (this.isOpen) this.device.write(sequence);
  }

  close(): void {
    this.restore();
    this.device.release();
  }

  private enter(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.shown = null;
    this.device.setRaw(true);
    this.device.write(enter);
  }

  private restore(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.device.write(leave);
    this.device.setRaw(false);
  }
}

/** Terminals drop longer sequences. */
const maxClipboardChars = 74_994;

/** Sets the clipboard of the person's own terminal: OSC 52, which also works over ssh. Null if the text is too long. */
export function formatClipboard(text: string, isInMultiplexer: boolean): string | null {
  const encoded = Buffer.from(text).toString('base64');
  if (encoded.length > maxClipboardChars) return null;
  const sequence = `\x1b]52;c;${encoded}\x07`;
  // tmux takes the plain one if it may set the clipboard, and passes the wrapped one on if it may do that.
  return isInMultiplexer ? `${sequence}\x1bPtmux;\x1b${sequence}\x1b\\` : sequence;
}
