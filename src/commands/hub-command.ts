// recall hub: joins several machines through a folder or a database, and shows what travels between them.

import type { SyncAnswer } from '../api/hub/sync.ts';
import { Argument, type FlagsOf, type Program } from '../command-line/commander.ts';
import {
  type Context,
  isConfirmed,
  printOutcome,
  type ToAction,
  toPageOptions,
  warnAbout,
} from '../command-line/context.ts';
import { EXIT_ERROR, EXIT_NOTHING_FOUND, EXIT_OK, UserError, usageError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { readForeignFile } from '../open-file.ts';
import { fitTo } from '../render/columns.ts';
import { formatHubPage, formatJoinQuestion, formatSync, toHubJson } from '../render/hub-page.ts';
import { toJsonText } from '../render/json.ts';
import { formatNumbered } from '../render/quantities.ts';
import { quoteForShell, toPrintableLine } from '../text/printable.ts';

const actionNames = [
  'setup',
  'upgrade',
  'add',
  'join',
  'push',
  'pull',
  'sync',
  'share',
  'unshare',
  'leave',
  'trim',
  'key',
] as const;

export function define(program: Program, run: ToAction): void {
  addHub(program).action(
    run((context, action, target, flags) => actions[action ?? 'status'](context, target, flags)),
  );
}

type HubFlags = FlagsOf<typeof addHub>;

function addHub(program: Program) {
  return program
    .command('hub')
    .description('have your sessions on all your machines, through a folder or a database that carries them')
    .addArgument(
      new Argument('[action]', 'leave it out to see what is sent and received').choices(actionNames),
    )
    .argument(
      '[target]',
      'join, setup: a folder that is synced, or postgres://<name>@<host>/<database>; share: a session; add: a person',
    )
    .option('--name <name>', 'join: what this machine is called (default: $RECALL_MACHINE or its host name)')
    .option(
      '--key-file <file>',
      'join: a file with the key of your other machines ($RECALL_HUB_KEY holds it itself)',
    )
    .option('--project <dir>', 'share: all sessions of this directory, now and later (. = here)')
    .option('--list', 'share: what is shared')
    .option('--searchable', 'setup: members search on the hub instead of receiving everything')
    .option('--delete', 'leave: also take back what this machine has sent')
    .option('-y, --yes', 'do not ask for confirmation');
}

type Action = (context: Context, target: string | undefined, flags: HubFlags) => Promise<number | undefined>;
const actions: Readonly<Record<'status' | (typeof actionNames)[number], Action>> = {
  status: async (context) => {
    const status = await context.recall.hub.status();
    if (context.json) context.print(toJsonText(toHubJson(status)));
    else context.print(fitTo(context.stdout, formatHubPage(status, toPageOptions(context))));
    if (status.where === null && !context.json)
      context.note(hint`join one: ${recall('hub', 'join', '<folder>')}`);
    return EXIT_OK;
  },

  setup: (context, where, flags) => setUp(context, where, 'setup', flags.searchable),
  upgrade: (context, where) => setUp(context, where, 'upgrade'),

  add: async (context, name) => {
    if (name === undefined)
      throw usageError('add needs the name of a person', hint`${recall('hub', 'add', 'ann')}`);
    const { where, password, passwordLine } = await context.recall.hub.add(name);
    if (context.json) context.print(toJsonText({ schemaVersion: 1, name, where, password }));
    else {
      context.print(`${name} can join now, and types:\n\n  recall hub join '${where}'\n`);
      if (passwordLine === null) context.print('with the password that this login has already.');
      else
        context.print(
          `with this line in ~/.pgpass (mode 0600); the password is not shown again:\n\n  ${passwordLine}`,
        );
    }
    return EXIT_OK;
  },

  join: async (context, where, flags) => {
    if (where === undefined)
      throw usageError('join needs a folder', hint`${recall('hub', 'join', '~/Sync/recall')}`);
    const { sessions, bytes, isOn } = await context.recall.archive.status();
    const question = formatJoinQuestion({
      where: hidePassword(where),
      sessions,
      bytes,
      isArchiveOn: isOn === true,
    });
    const isSure = await isConfirmed(context, {
      yes: flags.yes,
      question: () => `${question}\nJoin? [y/N] `,
      refusal: question,
      again: hint`${recall('hub', 'join', quoteForShell(hidePassword(where)), '--yes')}`,
      note: 'nothing was sent',
    });
    if (!isSure) return EXIT_NOTHING_FOUND;
    const joined = await joinWithKey(context, { where, name: flags.name, key: readKey(context, flags) });
    const { name, isFirst, hasTurnedArchiveOn, synced } = joined;
    printOutcome(context, { ...joined }, `joined ${joined.where} as ${name}; ${formatSync(synced)}`);
    if (hasTurnedArchiveOn) context.note('recall: the archive is on now: what is sent is kept there first');
    if (isFirst)
      context.note(
        hint`recall: your key was made; without it nothing on the hub can be read. For your next machine, and to keep it safe: ${recall('hub', 'key')}`,
      );
    return toExitCode(context, synced);
  },

  push: (context) => syncNow(context, { pull: false }),
  pull: (context) => syncNow(context, { push: false }),
  sync: (context) => syncNow(context, {}),

  share: async (context, ref, flags) => {
    if (flags.list) {
      const { sharedSessions, sharedProjects } = await context.recall.hub.status();
      if (context.json) context.print(toJsonText({ schemaVersion: 1, sharedSessions, sharedProjects }));
      else for (const each of [...sharedProjects, ...sharedSessions]) context.print(toPrintableLine(each));
      return sharedSessions.length + sharedProjects.length > 0 ? EXIT_OK : EXIT_NOTHING_FOUND;
    }
    return share(context, ref, flags, true);
  },
  unshare: (context, ref, flags) => share(context, ref, flags, false),

  leave: async (context, _target, flags) => {
    const what = flags.delete
      ? 'what this machine has sent is taken back from the hub, and your other machines drop it'
      : 'what this machine has sent stays on the hub';
    const isSure = await isConfirmed(context, {
      yes: flags.yes,
      question: () => `Sessions of other machines are removed from this one; ${what}. Leave? [y/N] `,
      refusal: `this would remove the sessions of other machines from this one; ${what}`,
      again: hint`${recall('hub', 'leave', ...(flags.delete ? ['--delete'] : []), '--yes')}`,
      note: 'nothing was changed',
    });
    if (!isSure) return EXIT_NOTHING_FOUND;
    const { where } = await context.recall.hub.leave(flags.delete === true);
    printOutcome(context, { where, isDeleted: flags.delete === true }, `left ${where}; ${what}`);
    return EXIT_OK;
  },

  trim: async (context) => {
    const { dropped } = await context.recall.hub.trim();
    printOutcome(
      context,
      { dropped },
      `${formatNumbered(dropped, 'session')} of others dropped from this machine`,
    );
    return EXIT_OK;
  },

  key: async (context) => {
    const key = await context.recall.hub.key();
    context.print(context.json ? toJsonText({ schemaVersion: 1, key }) : key);
    context.note('recall: whoever has this key can read your private sessions on the hub');
    return EXIT_OK;
  },
};

async function setUp(
  context: Context,
  where: string | undefined,
  action: 'setup' | 'upgrade',
  isSearchable = false,
): Promise<number> {
  const example = recall('hub', action, 'postgres://<admin>@<host>/<database>');
  if (where === undefined) throw usageError(`${action} needs the address of a database`, hint`${example}`);
  const answer = await context.recall.hub.setUp(where, action === 'setup', isSearchable);
  const { before, version } = answer;
  const did =
    before === 0 ? 'is set up' : before === version ? 'is up to date' : `was upgraded from version ${before}`;
  printOutcome(context, { ...answer }, `the hub at ${answer.where} ${did}`);
  if (before === 0) context.note(hint`recall: for each person: ${recall('hub', 'add', '<name>')}`);
  return EXIT_OK;
}

async function share(context: Context, ref: string | undefined, { project }: HubFlags, isShared: boolean) {
  if ((ref === undefined) === (project === undefined))
    throw usageError('name a session or --project <dir>', hint`${recall('hub', 'share', '<ref>')}`);
  const synced = await context.recall.hub.share(ref ?? null, project, isShared);
  const now = isShared
    ? `is shared with the team, redacted; ${formatSync(synced)}`
    : 'is no longer shared; others drop it at their next contact';
  printOutcome(context, { ...synced }, `${toPrintableLine(ref ?? project ?? '')} ${now}`);
  return toExitCode(context, synced);
}

/** On a terminal, the key is asked for when the hub turns out to have one. */
async function joinWithKey(context: Context, request: Parameters<Context['recall']['hub']['join']>[0]) {
  try {
    return await context.recall.hub.join(request);
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'needs-hub-key' || context.json) throw error;
    const key = await context.askSecret(
      'This hub has your sessions already. The key that recall hub key prints on another machine: ',
    );
    if (key === null) throw error;
    return context.recall.hub.join({ ...request, key });
  }
}

function readKey({ at }: Context, { keyFile }: HubFlags): string | undefined {
  if (keyFile !== undefined) return readForeignFile(keyFile).toString().trim();
  return at.env.RECALL_HUB_KEY || undefined;
}

function hidePassword(where: string): string {
  return where.replace(/^(postgres(?:ql)?:\/\/[^/:@]*):[^@]*@/, '$1@');
}

async function syncNow(context: Context, request: { push?: boolean; pull?: boolean }): Promise<number> {
  const synced = await context.recall.hub.sync(request);
  if (synced.obstacle === null) printOutcome(context, { ...synced }, formatSync(synced));
  else if (context.json) printOutcome(context, { ...synced }, '');
  return toExitCode(context, synced);
}

/** Asked for, what could not be done is an error. */
function toExitCode(context: Context, { pushed, pulled, obstacle }: SyncAnswer): number {
  const damages = [...(pushed?.damages ?? []), ...(pulled?.damages ?? [])];
  warnAbout(context, damages);
  if (obstacle !== null) context.warn(`recall: ${obstacle}`);
  return obstacle !== null || damages.length > 0 ? EXIT_ERROR : EXIT_OK;
}
