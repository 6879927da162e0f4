// Adds up the time of the stretches that count.

export class Stopwatch {
  ms = 0;

  time(work: () => void): void {
    const startedAt = performance.now();
    work();
    this.ms += performance.now() - startedAt;
  }
}
