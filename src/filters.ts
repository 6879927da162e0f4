// The one list of filters: what chooses among sessions, as a flag, inside a query, and in a request of the API. Flags,
// help, completion, the query language and the MCP tools are made from it. What a value means is decided in
// api/to-filters.ts, what it is in SQL in store/read/scope.ts; both are checked against this list by the compiler.

import { roles, searchedParts, sessionKinds } from './records.ts';

export interface FilterTraits {
  /** The name of its value in help. Completion goes by it: a day, a path, a project. */
  readonly value: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** Other words for a choice, from earlier versions. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** `-project:shop` leaves out what `project:shop` would choose. */
  readonly isNegatable: boolean;
  /** Where and when: also for the commands that count instead of listing. */
  readonly isScope: boolean;
  /** Offered to agents, whose tools should be short to describe. */
  readonly isForTools: boolean;
  /** What is said when no session fits it, before the value; null where sessions of every kind fit. */
  readonly complaint: string | null;
}

export const filters = {
  project: {
    value: 'text',
    description: 'only this project: a path, a name, or . for here',
    isNegatable: true,
    isScope: true,
    isForTools: true,
    complaint: 'no session is in project',
  },
  since: {
    value: 'day',
    description: 'only sessions active since then: 2026-01-31, 2026-01, 7d, yesterday, "last week"',
    isNegatable: false,
    isScope: true,
    isForTools: true,
    complaint: 'no session was active since',
  },
  until: {
    value: 'day',
    description: 'only sessions started by then',
    isNegatable: false,
    isScope: true,
    isForTools: true,
    complaint: 'no session was started by',
  },
  branch: {
    value: 'text',
    description: 'only sessions on a git branch, or part of its name',
    isNegatable: true,
    isScope: false,
    isForTools: true,
    complaint: 'no session is on a branch',
  },
  role: {
    value: 'who',
    description: 'only what the user or the assistant said',
    choices: roles,
    isNegatable: true,
    isScope: false,
    isForTools: true,
    complaint: null,
  },
  model: {
    value: 'text',
    description: 'only sessions with this model',
    isNegatable: true,
    isScope: false,
    isForTools: false,
    complaint: 'no session used a model',
  },
  file: {
    value: 'path',
    description: 'only sessions whose tools touched this file: a path, or the end of one',
    isNegatable: true,
    isScope: false,
    isForTools: true,
    complaint: 'no session touched',
  },
  kind: {
    value: 'kind',
    description: 'only one kind of session',
    choices: Object.keys(sessionKinds),
    aliases: { agent: 'subagent' },
    isNegatable: true,
    isScope: false,
    isForTools: false,
    complaint: 'no session is of kind',
  },
  in: {
    value: 'part',
    description: 'only what was said, or only what was done: code, commands, errors',
    choices: searchedParts,
    isNegatable: false,
    isScope: false,
    isForTools: true,
    complaint: null,
  },
} as const satisfies Readonly<Record<string, FilterTraits>>;

export type FilterName = keyof typeof filters;
export const filterNames = Object.keys(filters) as readonly FilterName[];
export const scopeNames = filterNames.filter((name) => filters[name].isScope);

/** As a person types them. */
export type FilterTexts = { readonly [Name in FilterName]?: string | undefined };

/** The choice that is meant, in whatever case; undefined where it is none. Filters without choices take anything. */
export function findChoice(name: FilterName, text: string): string | undefined {
  const { choices, aliases }: FilterTraits = filters[name];
  if (choices === undefined) return text;
  const lower = text.toLowerCase();
  return choices.find((choice) => choice === (aliases?.[lower] ?? lower));
}
