// A terminal without a window: replays what was written and says what a person would see.

import xterm from '@xterm/headless';
import type { Device, Size } from '../../src/screen/screen-terminal.ts';

export class Emulator {
  private readonly terminal: xterm.Terminal;

  constructor({ columns, rows }: Size) {
    this.terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  }

  write(text: string): Promise<void> {
    return new Promise((resolve) => this.terminal.write(text, resolve));
  }

  resize({ columns, rows }: Size): void {
    this.terminal.resize(columns, rows);
  }

  /** The rows as text, without spaces at their ends. */
  toText(): string {
    const { active } = this.terminal.buffer;
    const rows = Array.from({ length: this.terminal.rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(true) ?? '').trimEnd(),
    );
    return `${rows.join('\n').trimEnd()}\n`;
  }

  /** Every cell with its style, and where the cursor is. */
  toCells(): string[] {
    const { active } = this.terminal.buffer;
    const rows = Array.from({ length: this.terminal.rows }, (_, row) => {
      const line = active.getLine(active.baseY + row);
      return Array.from({ length: this.terminal.cols }, (_, column) => {
        const cell = line?.getCell(column);
        if (cell === undefined) return '';
        const style = [cell.isBold(), cell.isDim(), cell.isInverse(), cell.isUnderline(), cell.isItalic()];
        const shown = cell.getChars() || ' ';
        return `${shown}${cell.getWidth()}${style.join('')}${cell.getFgColor()},${cell.getBgColor()}`;
      }).join('|');
    });
    return [...rows, `${active.cursorX},${active.cursorY}`];
  }

  get isAlternate(): boolean {
    return this.terminal.buffer.active.type === 'alternate';
  }

  get modes(): xterm.IModes {
    return this.terminal.modes;
  }
}

/** A terminal for the screen: keeps what was written, and lets a test type. */
export class FakeDevice implements Device {
  size: Size;
  written = '';
  isRaw = false;
  isReleased = false;
  type: (bytes: Uint8Array) => void = () => {};
  changeSize: () => void = () => {};
  hangUp: () => void = () => {};
  restore: () => void = () => {};
  resume: () => void = () => {};

  constructor(size: Size) {
    this.size = size;
  }

  write(text: string): void {
    this.written += text;
  }
  setRaw(isRaw: boolean): void {
    this.isRaw = isRaw;
  }
  onInput(listener: (bytes: Uint8Array) => void): void {
    this.type = listener;
  }
  onResize(listener: () => void): void {
    this.changeSize = listener;
  }
  onEnd(listener: () => void): void {
    this.hangUp = listener;
  }
  guard(restore: () => void, resume: () => void): void {
    this.restore = restore;
    this.resume = resume;
  }
  suspend(): void {
    this.restore();
  }
  release(): void {
    this.isReleased = true;
  }
}
