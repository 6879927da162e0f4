// recall label: shows or changes what a person says of a session: its name, star, tags and notes.

import type { Program } from '../command-line/commander.ts';
import type { ToAction } from '../command-line/context.ts';
import { usageError } from '../errors.ts';
import { toJsonText, toLabelsJson } from '../render/json.ts';
import { formatLabels } from '../render/sessions.ts';

export function define(program: Program, run: ToAction): void {
  program
    .command('label')
    .description(
      'show or change what you say of a session: its name, star, tags and notes; no agent’s file is changed',
    )
    .summary('name, star, tag or annotate a session')
    .argument(
      '<ref>',
      'session id, its first four or more characters, or the number of a result; with :12 a note is about its twelfth message',
    )
    .option('--name <text>', 'its name, which comes before every other title; "" takes it away')
    .option('--star', 'give it a star')
    .option('--unstar', 'take the star away')
    .option('--tag <tags>', 'add tags, with commas between them', listTags)
    .option('--untag <tags>', 'take tags away', listTags)
    .option('--note <text>', 'a note on the session, or on the message; "" takes it away')
    .action(
      run(async (context, ref, { name, star, unstar, tag: tags, untag, note }) => {
        if (star && unstar) throw usageError('--star and --unstar exclude each other');
        const starred = star ? true : unstar ? false : undefined;
        const request = { name, starred, tags, untag, note };
        const { session } = await context.recall.label(ref, request, { isNumbered: true });
        const { nativeId: id, agent, title, titleSource } = session;
        if (context.json) {
          const labels = toLabelsJson(session.labels);
          context.print(toJsonText({ schemaVersion: 1, id, agent, title, titleSource, labels }));
        } else context.print(formatLabels(session));
        return undefined;
      }),
    );
}

function listTags(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...value.split(',').filter((tag) => tag.trim() !== '')];
}
