// recall import: takes in a session that somebody has handed on with `recall export`.

import type { Program } from '../command-line/commander.ts';
import { printOutcome, type ToAction } from '../command-line/context.ts';
import { EXIT_OK } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { formatImported } from '../render/handed-on.ts';
import { shortenId } from '../render/sessions.ts';

export function define(program: Program, run: ToAction): void {
  program
    .command('import')
    .description(
      'take in a session that somebody has handed on; all of the file is checked before anything is written, and nothing outside of the archive and the index is',
    )
    .summary('take in a session that was handed on')
    .argument('<file>', 'what recall export has written')
    .action(
      run(async (context, file) => {
        const imported = await context.recall.import(file);
        printOutcome(context, imported, formatImported(imported));
        const ref = shortenId(imported.id);
        if (imported.state !== 'present')
          context.note(hint`  to continue it: ${recall('open', ref, '--restore', '--into', '<dir>')}`);
        return EXIT_OK;
      }),
    );
}
