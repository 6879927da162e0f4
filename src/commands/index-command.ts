// recall index: brings the index up to date and reports what it did.

import type { IndexAnswer } from '../api/upkeep/update.ts';
import type { Program } from '../command-line/commander.ts';
import { type Context, offerArchive, type ToAction, warnAbout } from '../command-line/context.ts';
import { EXIT_ERROR, EXIT_OK } from '../errors.ts';
import { fitTo } from '../render/columns.ts';
import {
  formatArchiveNotes,
  formatIndexNotes,
  formatIndexSummary,
  toIndexJson,
} from '../render/index-summary.ts';
import { toJsonText } from '../render/json.ts';
import { formatNumbered } from '../render/quantities.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: ToAction): void {
  program
    .command('index')
    .description('bring the index up to date with the transcripts')
    .option('--rebuild', 'read every transcript again; sessions whose transcript was deleted are kept')
    .option('--watch', 'keep running and index changes until stopped')
    .option('--redact', 'keep keys and passwords of well-known formats out of the index, from now on')
    .option('--no-redact', 'stop keeping them out')
    .option('--no-archive', 'leave the archive as it is, this time')
    .action(
      run(async (context, { rebuild, redact, watch, archive }) => {
        if (archive) await offerArchive(context, { fills: true });
        const answer = await context.recall.index({ rebuild, redact, archive });
        printIndexed(context, answer);
        if (!watch) return hasFailed(answer) ? EXIT_ERROR : EXIT_OK;
        context.note('watching for changes; stop with Ctrl-C');
        await context.recall.watch((changed) => printIndexed(context, changed));
      }),
    );
}

function hasFailed({ report, archive }: IndexAnswer): boolean {
  const isStopped = archive?.stoppedBy != null && archive.stoppedBy.type !== 'busy';
  return report.failures.length > 0 || isStopped || (archive?.failures.length ?? 0) > 0;
}

function printIndexed(context: Context, answer: IndexAnswer): void {
  const { report, archive, hub } = answer;
  const known = new Set(report.failures.map(({ path }) => path));
  const notCopied = archive?.failures.filter(({ path }) => !known.has(path)) ?? [];
  const { pushed, pulled } = hub ?? {};
  const damages = [...(pushed?.damages ?? []), ...(pulled?.damages ?? [])];
  warnAbout(context, [...report.failures, ...notCopied, ...damages]);
  if (context.verbose) {
    for (const { path, line, reason } of report.skipped)
      context.warn(`${toPrintableLine(path)}:${line}: ${reason}`);
    if (report.unnamedLines > 0)
      context.warn(`and ${formatNumbered(report.unnamedLines, 'more line', 'more lines')} in these files`);
    for (const { path, reason } of report.links) context.warn(`${toPrintableLine(path)}: ${reason}`);
  }
  for (const note of formatArchiveNotes(archive)) context.note(note);
  if (context.json) context.print(toJsonText(toIndexJson(answer)));
  else if (!context.quiet) {
    context.print(fitTo(context.stdout, formatIndexSummary(answer)));
    for (const note of formatIndexNotes(answer)) context.note(note);
  }
}
