// recall doctor: reports the state of the index and what to do about each finding; --repair does it.

import type { Repair } from '../api/upkeep/diagnose.ts';
import type { Program } from '../command-line/commander.ts';
import type { ToAction } from '../command-line/context.ts';
import { EXIT_ERROR, EXIT_OK } from '../errors.ts';
import { type Hint, hint, recall, toHintText } from '../hints.ts';
import { formatDoctorReport, toDoctorJson } from '../render/doctor-report.ts';
import { toJsonText } from '../render/json.ts';

const lossNotes: { readonly [Lost in Repair['lost'][number]]: Hint } = {
  redaction: hint`recall: the damaged index does not say whether secrets were kept out, so they are kept out from now on; if you do not want that: ${recall('index', '--no-redact')}`,
  forgotten: hint`recall: the list of forgotten sessions could not be read in full, so some of them may be in the index again; look for them with ${recall('list')} and forget them again: ${recall('forget', '<id>')}`,
};

export function define(program: Program, run: ToAction): void {
  program
    .command('doctor')
    .description('check the index and report what to do about each finding')
    .option('--repair', 'fix what can be fixed; sessions that live only in the index are kept')
    .action(
      run(async (context, { repair }) => {
        const diagnosis = await context.recall.diagnose({ repair: repair ?? false });
        const { at, stdout, givenFlags } = context;
        const columns = stdout.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
        context.print(
          context.json
            ? toJsonText(toDoctorJson(diagnosis, givenFlags))
            : formatDoctorReport(diagnosis, { columns, homeDir: at.homeDir, givenFlags }),
        );
        const lost = diagnosis.repair?.lost ?? [];
        for (const what of lost) context.warn(toHintText(lossNotes[what], givenFlags));
        const isProblem = diagnosis.findings.some(({ level }) => level === 'problem');
        return isProblem || lost.includes('forgotten') ? EXIT_ERROR : EXIT_OK;
      }),
    );
}
