// recall labels: lists tags with the number of sessions; exports all labels as lines of JSON, or imports such lines.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, type Program } from '../command-line/commander.ts';
import { type Context, noteFreshness, printOutcome, type ToAction } from '../command-line/context.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, toReason, UserError, usageError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { readForeignFile } from '../open-file.ts';
import { formatTable } from '../render/columns.ts';
import { toJsonText } from '../render/json.ts';
import { formatCount, formatNumbered } from '../render/quantities.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: ToAction): void {
  program
    .command('labels')
    .description(
      'list your tags with the number of sessions; back up all labels, or bring them to another machine',
    )
    .summary('list tags; export or import labels')
    .addArgument(new Argument('[action]', 'leave it out to list tags').choices(['export', 'import'] as const))
    .argument('[file]', 'import: a file that export has written; - for standard input')
    .action(
      run(async (context, action, file) => {
        if (action === 'import') return importLabels(context, file);
        if (file !== undefined)
          throw usageError('only import takes a file', 'recall labels export > labels.jsonl');
        if (action === undefined) return listTags(context);
        for (const entry of await context.recall.exportLabels()) context.print(toJsonText(entry));
        return EXIT_OK;
      }),
    );
}

async function listTags(context: Context): Promise<number> {
  const { freshness, ...answer } = await context.recall.labels();
  const { tags, starred, noted } = answer;
  noteFreshness(context, freshness);
  const isNothing = tags.length + starred + noted === 0;
  if (context.json) context.print(toJsonText({ schemaVersion: 1, ...answer }));
  else if (isNothing)
    context.note(hint`no labels; give one with ${recall('label', '<ref>', '--tag', '<tag>')}`);
  else {
    const rows = tags.map(({ tag, sessions }) => [`#${toPrintableLine(tag)}`, formatCount(sessions)]);
    const columns = [{ title: 'tag' }, { title: 'sessions', side: 'right' }] as const;
    const table =
      tags.length === 0 ? [] : formatTable(columns, rows, { width: context.stdout.columns, isPath: false });
    const counts = `${formatNumbered(starred, 'session')} with a star, ${formatCount(noted)} with notes`;
    context.print([...table, counts].join('\n'));
  }
  return isNothing ? EXIT_NOTHING_FOUND : EXIT_OK;
}

async function importLabels(context: Context, file: string | undefined): Promise<number> {
  if (file === undefined) throw usageError('import needs a file', 'recall labels import labels.jsonl');
  const lines = readInput(context, file).split('\n');
  const entries = lines.flatMap((line, i) => (line.trim() === '' ? [] : [parseLine(line, i + 1)]));
  const { read, changed } = await context.recall.importLabels(entries);
  printOutcome(
    context,
    { read, changed },
    `${formatNumbered(read, 'label')} read, ${formatCount(changed)} newer than here`,
  );
  return EXIT_OK;
}

function readInput({ at }: Context, file: string): string {
  try {
    return file === '-' ? readFileSync(0, 'utf8') : readForeignFile(resolve(at.cwd, file)).toString();
  } catch (error) {
    throw new UserError(`${toPrintableLine(file)} cannot be read: ${toReason(error)}`, { code: 'usage' });
  }
}

function parseLine(line: string, number: number): object {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {}
  throw usageError(`line ${number} is not a JSON object`);
}
