// recall restore: brings the transcript of a deleted session back, then prints the command that resumes it. With `open
// --restore` and the screen the only one that writes below an agent's folder: new files, never over one that exists.

import type { FlagsOf, Program } from '../command-line/commander.ts';
import {
  type Context,
  noteCircumstances,
  noteRestoration,
  type ToAction,
  warnAbout,
} from '../command-line/context.ts';
import { resolveOutput, writeOutput } from '../command-line/write-output.ts';
import { EXIT_ERROR, EXIT_OK, usageError } from '../errors.ts';
import { hint } from '../hints.ts';
import { toJsonText } from '../render/json.ts';
import {
  explainRestoredObstacle,
  formatLoss,
  formatPlannedFiles,
  formatRestorationNotes,
  toRestorationJson,
} from '../render/resumption.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: ToAction): void {
  addRestore(program).action(run(runRestore));
}

type RestoreFlags = FlagsOf<typeof addRestore>;

function addRestore(program: Program) {
  return program
    .command('restore')
    .description('bring the transcript of a deleted session back, and print the command that resumes it')
    .argument('<ref>', 'session id, its first four or more characters, or the number of a result')
    .option('--into <dir>', 'for a project that has moved: resume it in this directory')
    .option('--dry-run', 'only list what would be written')
    .option('--older', 'the version from before the transcript was last rewritten, if that is kept')
    .option('-o, --output <file>', 'write the transcript to this file instead, or to standard output (-)')
    .option('--force', 'overwrite an existing file, with --output');
}

async function runRestore(context: Context, ref: string, flags: RestoreFlags): Promise<number> {
  if (flags.output !== undefined) return writeTranscript(context, ref, flags.output, flags);
  const { into, dryRun, older } = flags;
  const way = { into, dryRun, older };
  const restoration = await context.recall.archive.restore(ref, way, { isNumbered: true });
  const { damages, from, resume, obstacle } = restoration;
  const isPreview = dryRun === true && from !== 'present';
  if (isPreview) warnAbout(context, damages);
  else noteRestoration(context, restoration);
  if (obstacle !== null) {
    const { reason, hint: next } = explainRestoredObstacle(restoration);
    context.note(`recall: ${reason}`);
    context.note(hint`  try: ${next}`);
  } else if (!isPreview) noteCircumstances(context, restoration.nativeId, restoration, {});
  if (context.json)
    context.print(toJsonText({ ...toRestorationJson(restoration), isDryRun: dryRun === true }));
  else if (isPreview) for (const line of formatPlannedFiles(restoration)) context.print(line);
  else if (resume !== null && obstacle === null) context.print(resume.command);
  return damages.length > 0 || obstacle === 'base-missing' ? EXIT_ERROR : EXIT_OK;
}

async function writeTranscript(
  context: Context,
  ref: string,
  path: string,
  { force, older, into, dryRun }: RestoreFlags,
): Promise<number> {
  if (into !== undefined || dryRun)
    throw usageError('--output writes one file elsewhere: leave out --into and --dry-run');
  const output = resolveOutput(context.at.cwd, path);
  if (output === null) refuseToPrint(context);
  const transcript = await context.recall.archive.readTranscript(ref, { older }, { isNumbered: true });
  const { nativeId, from, chunks, damages } = transcript;
  if (output === null) for (const chunk of chunks) context.printBytes(chunk);
  else await writeOutput(context, output, chunks, force);
  const files = [{ path, state: 'written' as const }];
  const noted = output === null || from === 'present' ? [] : files;
  warnAbout(context, damages);
  if (damages.length > 0) context.warn(`recall: ${formatLoss({ damages, files })}`);
  const notes = formatRestorationNotes({ nativeId, from, files: noted, olderVersions: 0 });
  for (const note of notes) context.note(note);
  if (context.json) context.print(toJsonText({ schemaVersion: 1, id: nativeId, from, files, damages }));
  else if (output !== null && !context.quiet) context.print(toPrintableLine(path));
  return damages.length > 0 ? EXIT_ERROR : EXIT_OK;
}

/** A transcript is printed as it is, and could control a terminal; beside it, nothing else is on standard output. */
function refuseToPrint({ json, stdout }: Context): void {
  if (json)
    throw usageError(
      '--output - prints the transcript itself, which is not what --json prints',
      'leave --json out, or write to a file: --output session.jsonl',
    );
  if (stdout.isTerminal)
    throw usageError(
      'a transcript is not meant for a terminal',
      'write it to a file: --output session.jsonl',
    );
}
