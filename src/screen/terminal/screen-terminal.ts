// The terminal while the screen has it: the alternate screen, raw keys and bracketed paste, from `open` to `close`. Whatever
// ends the program, the device calls what it was given to restore the terminal.

import { type Frame, type Size, toUpdate, withoutColor } from './frame.ts';

/** The terminal and the process, as the program provides them. */
export interface Device {
  readonly size: Size;
  write(text: string): void;
  /** Keys arrive one by one and are not echoed. */
  setRaw(isRaw: boolean): void;
  onInput(listener: (bytes: Uint8Array) => void): void;
  onResize(listener: () => void): void;
  /** The terminal has gone away. */
  onEnd(listener: () => void): void;
  /** Called before the process stops or ends, however that happens; `resume` when it goes on. */
  guard(restore: () => void, resume: () => void): void;
  /** Stops the process as Ctrl-Z does, if a shell can continue it. */
  suspend(): void;
  /** Stops reading keys, so that another program gets them. */
  release(): void;
}

/** In this order: alternate screen, no wrapping at the edge, paste as one piece, plain arrow keys. */
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
    const update = toUpdate(this.shown, after, this.size);
    this.shown = after;
    if (update !== '') this.device.write(update);
  }

  /** The next frame is written whole, as after a resize. */
  forget(): void {
    this.shown = null;
  }

  /** A sequence that shows nothing, such as one that sets the clipboard. */
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
