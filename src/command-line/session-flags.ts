// The flags that several commands share: which sessions, how many, for whom, and whether to refresh first.

import type { OptionValues } from '@commander-js/extra-typings';
import { usageError } from '../errors.ts';
import {
  type FilterName,
  type FilterTexts,
  filterNames,
  filters,
  findChoice,
  type ScopeTexts,
  scopeNames,
} from '../filters.ts';
import { defaultLimits, maxListed } from '../records.ts';
import { maximums } from '../render/brief/brief-sessions.ts';
import { toPrintableLine } from '../text/printable.ts';
import { type CommandOf, Option, type Program } from './commander.ts';

/** Types, not interfaces: commander accepts only types for flags. */
export type FilterFlags = FilterTexts & { readonly subagents?: true; readonly all?: true };
type BriefFlags = { readonly brief?: true; readonly budget?: string };

type AddFlags<More> = <Args extends unknown[], Flags extends OptionValues>(
  command: CommandOf<Args, Flags>,
) => CommandOf<Args, Flags & More>;

/** What `add` adds is of the type More, which commander cannot follow through a function or a loop. */
function adding<More>(add: (command: Program) => void): AddFlags<More> {
  return (command) => {
    add(command as unknown as Program);
    return command as never;
  };
}

export const addScopeFlags = adding<ScopeTexts>((command) => {
  for (const name of scopeNames) command.addOption(buildFilterOption(name));
});

export const addFilterFlags = adding<FilterFlags>((command) => {
  for (const name of filterNames) command.addOption(buildFilterOption(name));
  command
    .option('--subagents', 'list subagents on their own instead of under their session')
    .addOption(buildAgentsAlias())
    .option('--all', 'include sessions without messages, and those that an agent started for itself');
});

const whose = ['agent', 'machine', 'owner'] as const;

export const addWhoseFlags = adding<{ readonly [Name in (typeof whose)[number]]?: string }>((command) => {
  for (const name of whose) command.addOption(buildFilterOption(name));
});

export const addLimitFlag = (command: keyof typeof defaultLimits) => {
  const what = command === 'projects' ? 'projects' : 'sessions';
  const usual = `default: ${defaultLimits[command]}, on a terminal as many as fit`;
  return adding<{ readonly limit?: string }>((program) =>
    program.option('--limit <n>', `how many ${what} to show (${usual})`),
  );
};

export const addRefreshFlag = adding<{ readonly refresh: boolean }>((command) =>
  command.option('--no-refresh', 'do not look for new transcripts first'),
);

export const addBriefFlags = adding<BriefFlags>((command) =>
  command
    .option('--brief', 'for an agent: a few lines, with references for reading on')
    .option('--budget <chars>', 'how many characters --brief may take'),
);

function buildFilterOption(name: FilterName) {
  const { value, description, choices } = filters[name];
  const option = new Option(`--${name} <${value}>`, description);
  if (choices === undefined) return option;
  option.choices(choices);
  // commander checks choices in a parser, which `choices` has just set.
  const check = option.parseArg as unknown as (text: string, before: unknown) => unknown;
  return option.argParser((text: string, before: unknown) => check(findChoice(name, text) ?? text, before));
}

/** The older name of --subagents: it still works, but help does not list it. */
export function buildAgentsAlias() {
  return new Option('--agents', 'the same as --subagents').implies({ subagents: true }).hideHelp();
}

const minBudget = 200;
const shortAnswer = 3000;

/** How many characters the answer may take; null if it is not for an agent. */
export function parseBudget(
  { json }: { readonly json: boolean },
  { brief, budget }: BriefFlags,
  usual = shortAnswer,
): number | null {
  if (brief && json) throw usageError('--brief and --json are different formats', 'choose one');
  if (!brief && budget === undefined) return null;
  const typed = toPrintableLine(budget ?? '');
  if (!brief) throw usageError('--budget works only with --brief', `--brief --budget ${typed}`);
  if (budget === undefined) return usual;
  return parseNumber('--budget', budget, {
    what: 'a number of characters',
    least: minBudget,
    most: maximums.budget,
  });
}

export function parseLimit(flag: string | undefined): number | undefined {
  return flag === undefined ? undefined : parseNumber('--limit', flag, { least: 1, most: maxListed });
}

interface NumberRange {
  readonly what?: string;
  readonly least: number;
  readonly most?: number;
  readonly isWhole?: boolean;
}

export function parseNumber(flag: string, text: string, range: NumberRange): number {
  const { what = 'a number', least, most, isWhole = true } = range;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  const isNumber = isWhole ? Number.isSafeInteger(number) : Number.isFinite(number);
  if (isNumber && number >= least && number <= (most ?? number)) return number;
  const from = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  throw usageError(`${flag} takes ${what} ${from}, not ${toPrintableLine(text)}`);
}
