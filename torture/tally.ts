// What was tried and what came of it, by check. A check that throws is a finding; the run goes on.

export interface Finding {
  readonly check: string;
  /** What was done, so that it can be done again. */
  readonly trial: string;
  readonly what: string;
}

export interface Check {
  tried: number;
  found: number;
  /** Milliseconds. */
  took: number;
  /** Figures worth printing, such as the slowest. */
  note: string;
  /** Why it was not tried at all. */
  skipped: string | null;
}

const shownLines = 12;

export class Tally {
  readonly checks = new Map<string, Check>();
  readonly findings: Finding[] = [];
  private readonly onFinding: (finding: Finding) => void;

  constructor(onFinding: (finding: Finding) => void = () => {}) {
    this.onFinding = onFinding;
  }

  /** One trial of a check: it throws when the product does not hold what it promises. */
  async attempt(check: string, trial: string, run: () => void | Promise<void>): Promise<void> {
    const entry = this.of(check);
    entry.tried++;
    const startedAt = performance.now();
    try {
      await run();
    } catch (error) {
      this.find(check, trial, error);
    }
    entry.took += performance.now() - startedAt;
  }

  /** More of the same that was tried within one attempt. */
  count(check: string, more: number): void {
    this.of(check).tried += more;
  }

  find(check: string, trial: string, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const what = text.split('\n').slice(0, shownLines).join('\n').slice(0, 2000);
    const finding = { check, trial, what };
    this.of(check).found++;
    this.findings.push(finding);
    this.onFinding(finding);
  }

  note(check: string, note: string): void {
    this.of(check).note = note;
  }

  skip(check: string, why: string): void {
    this.of(check).skipped = why;
  }

  private of(check: string): Check {
    let entry = this.checks.get(check);
    if (entry === undefined) {
      entry = { tried: 0, found: 0, took: 0, note: '', skipped: null };
      this.checks.set(check, entry);
    }
    return entry;
  }
}

/** What one kind of fault is run with. */
export interface Trials {
  readonly tally: Tally;
  readonly seed: number;
  /** How often; each kind says of what. */
  readonly count: number;
  /** Folders of real transcripts to start from, where the kind can use them. */
  readonly data: readonly string[];
}
