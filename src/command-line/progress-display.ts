// Shows progress: a bar that is redrawn a few times a second on a terminal, a plain line every few seconds
// elsewhere.

import type { Terminal } from './context.ts';

export interface ProgressOutput {
  readonly terminal: Terminal;
  readonly elapsedMs: () => number;
  line(text: string): void;
  /** Overwrites the last line. */
  redraw(text: string): void;
}

export class ProgressDisplay {
  private readonly output: ProgressOutput;
  private startedAt: number | null = null;
  private shownAt = 0;
  private isDrawn = false;

  constructor(output: ProgressOutput) {
    this.output = output;
  }

  show(toLine: (elapsedMs: number, columns: number) => string): void {
    const { terminal, elapsedMs } = this.output;
    const now = elapsedMs();
    if (this.startedAt === null) [this.startedAt, this.shownAt] = [now, now];
    if (now - this.shownAt < (terminal.isTerminal ? 80 : 5000)) return;
    this.shownAt = now;
    const line = toLine(now - this.startedAt, terminal.isTerminal ? terminal.columns : 120);
    if (terminal.isTerminal) this.output.redraw(line);
    else this.output.line(line);
    this.isDrawn = terminal.isTerminal;
  }

  clear(): void {
    if (this.isDrawn) this.output.redraw('');
    this.isDrawn = false;
    this.startedAt = null;
  }
}
