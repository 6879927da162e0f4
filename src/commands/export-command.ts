// recall export: writes a session to a file that a colleague can import and continue, without secrets; says what was taken out.

import { parseRange } from '../api/conversation/select-messages.ts';
import type { ExportedSession } from '../api/hand-on/export.ts';
import type { FlagsOf, Program } from '../command-line/commander.ts';
import { type Context, isConfirmed, type ToAction } from '../command-line/context.ts';
import { resolveOutput, writeOutput } from '../command-line/write-output.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, usageError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { formatTakenOut } from '../render/handed-on.ts';
import { toJsonText } from '../render/json.ts';
import { shortenId } from '../render/sessions.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: ToAction): void {
  addExport(program).action(run(runExport));
}

type ExportFlags = FlagsOf<typeof addExport>;

function addExport(program: Program) {
  return program
    .command('export')
    .description(
      'write a session to a file that somebody else can import, read and continue; secrets are taken out, and your home directory is written as ~',
    )
    .summary('hand a session on, so that it can be continued')
    .argument('<ref>', 'session id, its first four or more characters, or the number of a result')
    .option('-o, --output <file>', 'the file to write, or - for standard output (default: recall-<id>.tar)')
    .option('--force', 'overwrite an existing file')
    .option('--dry-run', 'only say what would be taken out; with --verbose, each place')
    .option('--range <from-to>', 'only these messages, and what belongs to them: 12-40')
    .option('--with-notes', 'also the name, star, tags and notes that you gave it')
    .option('--by <name>', 'who hands it on (default: your name in the hub, or that of the user)')
    .option('--no-redact', 'leave secrets in it; asks first')
    .option('-y, --yes', 'do not ask, with --no-redact');
}

async function runExport(context: Context, ref: string, flags: ExportFlags): Promise<number> {
  const { dryRun = false, withNotes, by, redact, force = false } = flags;
  const request = { range: parseRange(flags.range), withNotes, by, redact };
  const exported = await context.recall.export(ref, request, { isNumbered: true });
  const { nativeId } = exported.session;
  const isWanted = await isConfirmed(context, {
    yes: redact || dryRun || flags.yes,
    question: () => 'Everybody who gets the file can read the secrets in it. Write it as it is? [y/N] ',
    refusal: 'export would write secrets as they are',
    again: hint`${recall('export', toPrintableLine(nativeId), '--no-redact', '--yes')}`,
    note: 'nothing was written',
  });
  if (!isWanted) return EXIT_NOTHING_FOUND;
  const path = flags.output ?? `recall-${shortenId(nativeId)}.tar`;
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of exported.chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  const output = dryRun ? null : resolveOutput(context.at.cwd, path);
  if (dryRun) for await (const _ of counted());
  else if (output === null) await print(context, counted());
  else await writeOutput(context, output, counted(), force);
  const report = formatTakenOut(exported, { isRedacted: redact, isVerbose: context.verbose });
  if (context.json) context.print(toJsonText(toExportJson(exported, output === null ? null : path, bytes)));
  else if (dryRun) for (const line of report) context.print(line);
  else {
    for (const line of report) context.note(line);
    if (output !== null && !context.quiet) context.print(toPrintableLine(path));
  }
  return EXIT_OK;
}

async function print({ json, stdout, printBytes }: Context, chunks: AsyncIterable<Buffer>): Promise<void> {
  if (json || stdout.isTerminal)
    throw usageError('the file is not meant for a terminal', 'write it to a file: --output session.tar');
  for await (const chunk of chunks) printBytes(chunk);
}

function toExportJson(exported: ExportedSession, path: string | null, bytes: number): object {
  const { session, by, files, kinds, places, leftOut, shortened } = exported;
  const about = { schemaVersion: 1, id: session.nativeId, agent: session.agent, by, path, bytes, files };
  return { ...about, takenOut: { kinds, places, leftOut, shortened } };
}
