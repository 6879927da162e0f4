// The flags that several commands share: which sessions, how many, for whom, and whether to refresh first.

import type { OptionValues } from '@commander-js/extra-typings';
import { UserError } from '../errors.ts';
import {
  type FilterName,
  type FilterTexts,
  type FilterTraits,
  filterNames,
  filters,
  findChoice,
  type ScopeTexts,
  scopeNames,
} from '../filters.ts';
import { maxListed } from '../records.ts';
import { maximums } from '../render/brief/brief-sessions.ts';
import { toPrintableLine } from '../text/printable.ts';
import { type CommandOf, Option } from './commander.ts';

export type ScopeFlags = ScopeTexts;

/** A type, not an interface: commander accepts only types for flags. */
export type FilterFlags = FilterTexts & {
  readonly subagents?: true;
  readonly all?: true;
};

/** Where and when. */
export function addScopeFlags<Args extends unknown[], Flags extends OptionValues>(
  command: CommandOf<Args, Flags>,
): CommandOf<Args, Flags & ScopeFlags> {
  for (const name of scopeNames) command.addOption(toOption(name));
  return command as unknown as CommandOf<Args, Flags & ScopeFlags>;
}

/** Where, when, and all other filters. */
export function addFilterFlags<Args extends unknown[], Flags extends OptionValues>(
  command: CommandOf<Args, Flags>,
): CommandOf<Args, Flags & FilterFlags> {
  for (const name of filterNames) command.addOption(toOption(name));
  command
    .option('--subagents', 'list subagents on their own instead of under their session')
    .addOption(toAgentsAlias())
    .option('--all', 'include sessions without messages, and those that an agent started for itself');
  return command as unknown as CommandOf<Args, Flags & FilterFlags>;
}

/** Whose sessions, for a command that has no other filter. */
export function addAgentFlag<Args extends unknown[], Flags extends OptionValues>(
  command: CommandOf<Args, Flags>,
): CommandOf<Args, Flags & { readonly agent?: string }> {
  return command.addOption(toOption('agent')) as unknown as CommandOf<
    Args,
    Flags & { readonly agent?: string }
  >;
}

function toOption(name: FilterName) {
  const { value, description, choices }: FilterTraits = filters[name];
  const option = new Option(`--${name} <${value}>`, description);
  if (choices === undefined) return option;
  option.choices(choices);
  // commander checks choices in a parser, which `choices` has just set.
  const check = option.parseArg as unknown as (text: string, before: unknown) => unknown;
  return option.argParser((text: string, before: unknown) => check(findChoice(name, text) ?? text, before));
}

/** The older name of --subagents: it still works, but help does not list it. */
export function toAgentsAlias() {
  return new Option('--agents', 'the same as --subagents').implies({ subagents: true }).hideHelp();
}

export type LimitFlags = { readonly limit?: string };

/** Without the flag, a terminal shows as many as fit on it. */
export function addLimitFlag<Args extends unknown[], Flags extends OptionValues>(
  command: CommandOf<Args, Flags>,
  usual: number,
): CommandOf<Args, Flags & LimitFlags> {
  return command.option(
    '--limit <n>',
    `how many sessions to show (default: ${usual}, on a terminal as many as fit)`,
  ) as unknown as CommandOf<Args, Flags & LimitFlags>;
}

export type RefreshFlags = { readonly refresh: boolean };

export function addRefreshFlag<Args extends unknown[], Flags extends OptionValues>(
  command: CommandOf<Args, Flags>,
): CommandOf<Args, Flags & RefreshFlags> {
  return command.option('--no-refresh', 'do not look for new transcripts first') as unknown as CommandOf<
    Args,
    Flags & RefreshFlags
  >;
}

export type BriefFlags = { readonly brief?: true; readonly budget?: string };

/** For agents that read the output themselves. */
export function addBriefFlags<Args extends unknown[], Flags extends OptionValues>(
  command: CommandOf<Args, Flags>,
): CommandOf<Args, Flags & BriefFlags> {
  return command
    .option('--brief', 'for an agent: a few lines, with references for reading on')
    .option('--budget <chars>', 'how many characters --brief may take') as unknown as CommandOf<
    Args,
    Flags & BriefFlags
  >;
}

export const minBudget = 200;

/** Enough for an answer, and small enough to ask again. */
export const defaultBudgets = { search: 3000, show: 8000, list: 3000, files: 3000 } as const;

/** How many characters the answer may take; null if it is not for an agent. */
export function toBudget({ brief, budget }: BriefFlags, usual: number, isJson: boolean): number | null {
  if (brief && isJson)
    throw new UserError('--brief and --json are different formats', { code: 'usage', hint: 'choose one' });
  if (!brief && budget === undefined) return null;
  const typed = toPrintableLine(budget ?? '');
  if (!brief)
    throw new UserError('--budget works only with --brief', {
      code: 'usage',
      hint: `--brief --budget ${typed}`,
    });
  const chars = Number(budget ?? usual);
  if (Number.isSafeInteger(chars) && chars >= minBudget && chars <= maximums.budget) return chars;
  throw new UserError(
    `--budget takes a number of characters from ${minBudget} to ${maximums.budget}, not ${typed}`,
    { code: 'usage' },
  );
}

/** `usual` without the flag. */
export function toLimit(flag: string | undefined, usual: number): number {
  if (flag === undefined) return usual;
  const limit = Number(flag);
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= maxListed) return limit;
  throw new UserError(`--limit takes a number from 1 to ${maxListed}, not ${toPrintableLine(flag)}`, {
    code: 'usage',
  });
}
