// The one list of filters, which select sessions by flag, inside a query, or in an API request. Everything that names them is
// generated from it. api/read-filters.ts decides what a value means, store/read/scope.ts turns it into SQL.

import { agents, roles, searchedParts, sessionKinds } from './records.ts';

interface FilterTraits {
  /** The placeholder for its value in help. Completion depends on it: a day, a path, a project. */
  readonly value: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** Other names for a choice, from earlier versions. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** `-project:shop` excludes what `project:shop` would select. */
  readonly isNegatable?: boolean;
  /** Says where or when; also applies to the commands that count instead of listing. */
  readonly isScope?: boolean;
  /** Offered as an input of the MCP tools, whose descriptions should be short. */
  readonly isForTools?: boolean;
  /** The message when no session matches, printed before the value; without one, any session can match. */
  readonly complaint?: string;
}

const definitions = {
  project: {
    value: 'text',
    description: 'only this project: a path, a name, or . for the current directory',
    isNegatable: true,
    isScope: true,
    isForTools: true,
    complaint: 'no session is in project',
  },
  since: {
    value: 'day',
    description: 'only sessions active since this day: 2026-01-31, 2026-01, 7d, yesterday, "last week"',
    isScope: true,
    isForTools: true,
    complaint: 'no session was active since',
  },
  until: {
    value: 'day',
    description: 'only sessions started by this day',
    isScope: true,
    isForTools: true,
    complaint: 'no session started by',
  },
  branch: {
    value: 'text',
    description: 'only sessions on this git branch; part of its name is enough',
    isNegatable: true,
    isForTools: true,
    complaint: 'no session is on branch',
  },
  role: {
    value: 'who',
    description: 'only what the user or the assistant said',
    choices: roles,
    isNegatable: true,
    isForTools: true,
  },
  model: {
    value: 'text',
    description: 'only sessions that used this model',
    isNegatable: true,
    complaint: 'no session used model',
  },
  file: {
    value: 'path',
    description: 'only sessions whose tools touched this file: a path, or the end of one',
    isNegatable: true,
    isForTools: true,
    complaint: 'no session touched',
  },
  agent: {
    value: 'agent',
    description: 'only sessions with this agent',
    choices: agents,
    isNegatable: true,
    isScope: true,
    isForTools: true,
    complaint: 'there is no session with',
  },
  machine: {
    value: 'text',
    description: 'only sessions of this machine; part of its name is enough',
    isNegatable: true,
    isScope: true,
    complaint: 'no session is from machine',
  },
  owner: {
    value: 'name',
    description: 'only sessions of this person',
    isNegatable: true,
    isScope: true,
    complaint: 'no session is by',
  },
  kind: {
    value: 'kind',
    description: 'only one kind of session',
    choices: Object.keys(sessionKinds),
    aliases: { agent: 'subagent' },
    isNegatable: true,
    isForTools: true,
    complaint: 'no session is of kind',
  },
  tag: {
    value: 'text',
    description: 'only sessions with this tag',
    isNegatable: true,
    isForTools: true,
    complaint: 'no session has the tag',
  },
  is: {
    value: 'what',
    description: 'only sessions with a star',
    choices: ['starred'],
    isNegatable: true,
    isForTools: true,
    complaint: 'no session is',
  },
  has: {
    value: 'what',
    description: 'only sessions with a note',
    choices: ['note'],
    isNegatable: true,
    isForTools: true,
    complaint: 'no session has a',
  },
  in: {
    value: 'part',
    description: 'only what was said, or only what was done: code, commands, errors',
    choices: searchedParts,
    isForTools: true,
  },
} as const satisfies Readonly<Record<string, FilterTraits>>;

export type FilterName = keyof typeof definitions;
export const filters: Readonly<Record<FilterName, FilterTraits>> = definitions;
export const filterNames = Object.keys(filters) as readonly FilterName[];
type ScopeName = {
  [Name in FilterName]: (typeof definitions)[Name] extends { isScope: true } ? Name : never;
}[FilterName];
export const scopeNames = filterNames.filter((name): name is ScopeName => filters[name].isScope === true);

/** As the user types them. */
export type FilterTexts = { readonly [Name in FilterName]?: string | undefined };
export type ScopeTexts = Pick<FilterTexts, ScopeName>;

/** The matching choice, ignoring case; undefined if there is none. Filters without choices accept anything. */
export function findChoice(name: FilterName, text: string): string | undefined {
  const { choices, aliases } = filters[name];
  if (choices === undefined) return text;
  const lower = text.toLowerCase();
  return choices.find((choice) => choice === (aliases?.[lower] ?? lower));
}
