// recall doctor: reports the state of the index and what to do about each finding; --repair does it.

import type { Program } from '../command-line/commander.ts';
import type { Run } from '../command-line/run.ts';
import { EXIT_ERROR, EXIT_OK } from '../errors.ts';
import { toDoctorJson, toDoctorReport } from '../render/doctor-report.ts';
import { toJsonText } from '../render/json-text.ts';

export function define(program: Program, run: Run): void {
  program
    .command('doctor')
    .description('check the index and report what to do about each finding')
    .option('--repair', 'fix what can be fixed; sessions that live only in the index are kept')
    .addHelpText('after', '\nExamples:\n  recall doctor\n  recall doctor --repair\n  recall doctor --json')
    .action(
      run(async (context, { repair }) => {
        const diagnosis = await context.recall.diagnose({ repair: repair ?? false });
        const { at, stdout, givenFlags } = context;
        const columns = stdout.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
        context.print(
          context.json
            ? toJsonText(toDoctorJson(diagnosis, givenFlags))
            : toDoctorReport(diagnosis, { columns, homeDir: at.homeDir, givenFlags }),
        );
        return diagnosis.findings.some(({ level }) => level === 'problem') ? EXIT_ERROR : EXIT_OK;
      }),
    );
}
