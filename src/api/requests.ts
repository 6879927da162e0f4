// What the functions of the API are asked with: each parameter once, with what it may be. The types follow from these lists, and so does
// the check: whoever calls the library without TypeScript gets an error that names the parameter, rather than one from deep inside.

import { usageError } from '../errors.ts';
import { filterNames, scopeNames } from '../filters.ts';
import { type GivenRoots, roles } from '../records.ts';
import { isObject } from '../sources/json/json-value.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { Matches } from './answers.ts';
import type { RecallEvent } from './host.ts';

interface Parameter<T> {
  /** Completes “must be …”. */
  readonly name: string;
  accepts(value: unknown): value is T;
}

interface RequiredParameter<T> extends Parameter<T> {
  readonly isRequired: true;
}

type AnyParameter = Parameter<unknown> | RequiredParameter<unknown>;

type ValueOf<P> = P extends Parameter<infer T> ? T : never;

type RequestOf<P> = {
  readonly [Name in keyof P as P[Name] extends RequiredParameter<unknown> ? Name : never]: ValueOf<P[Name]>;
} & {
  readonly [Name in keyof P as P[Name] extends RequiredParameter<unknown> ? never : Name]?:
    | ValueOf<P[Name]>
    | undefined;
};

function parameter<T>(name: string, accepts: (value: unknown) => boolean): Parameter<T> {
  return { name, accepts: accepts as Parameter<T>['accepts'] };
}

function required<T>(of: Parameter<T>): RequiredParameter<T> {
  return { ...of, isRequired: true };
}

function oneOf<const T extends string>(choices: readonly T[]): Parameter<T> {
  return parameter(`one of ${choices.join(', ')}`, (value) => choices.some((each) => each === value));
}

function listOf<T>({ name, accepts }: Parameter<T>): Parameter<readonly T[]> {
  return parameter(`a list, each of it ${name}`, (value) => Array.isArray(value) && value.every(accepts));
}

function objectWith<T extends object>(...keys: readonly string[]): Parameter<T> {
  const name = keys.length === 0 ? 'an object' : `an object with ${keys.join(' and ')}`;
  return parameter(name, (value) => isObject(value) && keys.every((key) => value[key] !== undefined));
}

function functionOf<T>(): Parameter<T> {
  return parameter('a function', (value) => typeof value === 'function');
}

function wholeNumber(least: number): Parameter<number> {
  const accepts = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= least;
  return parameter(`a whole number from ${least} on`, accepts);
}

const text = parameter<string>('a string', (value) => typeof value === 'string');
const flag = parameter<boolean>('true or false', (value) => typeof value === 'boolean');
const signal = parameter<AbortSignal>('an AbortSignal', (value) => value instanceof AbortSignal);

const textEach = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>;

const scope = textEach(scopeNames);

const filters = {
  ...textEach(filterNames),
  /** Include empty sessions, warm-ups and machinery. */
  all: flag,
  /** Only sessions of projects in these directories or below them. */
  within: listOf(text),
};

const resume = {
  /** In the current directory instead of its own. */
  here: flag,
  /** As a copy, which leaves the session itself as it is. */
  fork: flag,
};

const messageRange = parameter<{ readonly from: number; readonly to: number }>(
  'an object with from and to, whole numbers',
  (value) => isObject(value) && [value.from, value.to].every(Number.isSafeInteger),
);

export const projectOrders = ['recent', 'sessions', 'messages', 'size', 'name'] as const;

const requests = {
  scope,
  filters,
  resume,
  search: {
    ...filters,
    query: required(text),
    limit: wholeNumber(1),
    sort: oneOf(['relevance', 'recent']),
    /** List subagents on their own instead of under their session. */
    subagents: flag,
    isTyping: flag,
    positions: flag,
    /** Also how many of the sessions found are of each agent, project, branch and day. */
    facets: flag,
    /** Ask the hub for what the team has shared, in place of this index; `hub:` in the query means the same. */
    hub: flag,
  },
  list: {
    ...filters,
    limit: wholeNumber(1),
    /** List subagents on their own instead of under their session. */
    subagents: flag,
    leaveOutCurrent: flag,
  },
  fileHistory: {
    ...scope,
    /** A path, the end of one, or a directory. */
    path: required(text),
    changedOnly: flag,
    limit: wholeNumber(1),
    leaveOutCurrent: flag,
  },
  projects: {
    text,
    sort: oneOf(projectOrders),
    agent: text,
    machine: text,
    owner: text,
    limit: wholeNumber(1),
  },
  filterValues: {
    filter: required(oneOf(filterNames)),
    /** Other filters in it apply as well. */
    query: text,
    within: listOf(text),
    /** The values to count, of a filter that has neither choices nor values of its own: a day. */
    among: listOf(text),
  },
  conversation: {
    match: text,
    isTyping: flag,
    /** Only the messages around one: its number, its uuid or the start of it, or its id. */
    around: { ...text, name: 'a string: a number, a uuid or an id' },
    /** Message numbers from 1, inclusive. */
    range: messageRange,
    last: wholeNumber(1),
    context: wholeNumber(0),
    role: oneOf(roles),
    subagents: flag,
    /** What subagents said comes after the session rather than where they were started. */
    putsSubagentsLast: flag,
    /** Include subagent messages that old versions wrote into the session itself. */
    inlined: flag,
    /** Also what each tool was given and what it printed; or only the lines that match, here or as it was found before. */
    callTexts: parameter<boolean | 'matching' | Matches>(
      'true, false or "matching"',
      (value) => flag.accepts(value) || value === 'matching' || isObject(value),
    ),
  },
  outline: { match: text },
  export: {
    /** Only these messages, by their numbers, and what belongs to them. */
    range: messageRange,
    /** Also the name, star, tags and notes that it was given. */
    withNotes: flag,
    /** Whether secrets are taken out; defaults to true. */
    redact: flag,
    /** Who hands it on; defaults to the name in the hub, or that of the user. */
    by: text,
  },
  call: {
    /** The line of the transcript that the call is on, and its place among the calls of that line. */
    line: required(wholeNumber(0)),
    nth: required(wholeNumber(0)),
    /** Read what was left out of the index from the transcript. */
    whole: flag,
  },
  restore: {
    ...resume,
    /** The directory that the session is to be resumed in, for a project that has moved. */
    into: text,
    /** Only say what would be written. */
    dryRun: flag,
    /** The version before the last, where both are kept. */
    older: flag,
  },
  label: {
    /** Empty to take it away. */
    name: text,
    starred: flag,
    tags: listOf(text),
    untag: listOf(text),
    /** On the message that the reference names, else on the session; empty to take it away. */
    note: text,
  },
  index: {
    /** Read every transcript again; sessions whose transcript was deleted are kept. */
    rebuild: flag,
    /** Start or stop keeping secrets out of the index, from now on. */
    redact: flag,
    /** Also bring the archive up to date, if it is on; defaults to true. */
    archive: flag,
    /** Also send and receive, if a hub was joined; defaults to true. */
    hub: flag,
  },
  diagnosis: { repair: flag },
  prune: { olderThanDays: wholeNumber(0), project: text },
  join: {
    /** A folder, or postgres://…; a password in it is kept in a file that only its owner can read. */
    where: required(text),
    name: text,
    /** The key of a machine that has joined before; for the first machine a new one is made. */
    key: text,
  },
  sync: { push: flag, pull: flag },
  question: {
    /** Bring the index up to date first, within a small time budget; defaults to true. */
    refresh: flag,
    /** A call that is aborted while it waits for its turn is not started. */
    signal,
  },
  reference: {
    /** Whether a number means a result of the list that this terminal showed last. */
    isNumbered: flag,
  },
  open: {
    /** The index; defaults to the usual one on this machine. */
    db: text,
    /** Where copies of transcripts are kept; defaults to `archive` beside the index. */
    archive: text,
    /** Claude Code's folders; default to $CLAUDE_CONFIG_DIR or ~/.claude. */
    claudeDirs: listOf(text),
    /** Folders of any agent, by its name; as soon as one is given, no agent's default folder is read. */
    agentDirs: parameter<GivenRoots>(
      'an object with a list of folders for each agent',
      (value) => isObject(value) && Object.values(value).every(listOf(text).accepts),
    ),
    /** What `.` and relative paths refer to. */
    cwd: text,
    env: objectWith<Readonly<Record<string, string | undefined>>>(),
    homeDir: text,
    now: functionOf<() => Date>(),
    /** Stops what is running at the next safe point. */
    signal,
    onEvent: functionOf<(event: RecallEvent) => void>(),
  },
};

/** Arguments that are given by position. */
const callArguments = {
  ref: required({ ...text, name: 'a string: an id, or the start of one' }),
  start: required(objectWith('session', 'steps', 'at')),
  limit: wholeNumber(1),
  line: required(wholeNumber(0)),
  forgettable: required(objectWith('session')),
  prunable: required(objectWith('sessions')),
  isOn: required(flag),
  onChanged: required(functionOf()),
  entries: required(listOf(objectWith())),
  path: required(text),
  where: required(text),
  name: required(text),
};

export type Requests = { readonly [Name in keyof typeof requests]: RequestOf<(typeof requests)[Name]> };

export type ActivityRequest = Requests['scope'];
export type FilterRequest = Requests['filters'];
export type SearchRequest = Requests['search'];
export type ListRequest = Requests['list'];
export type FileHistoryRequest = Requests['fileHistory'];
export type ProjectsRequest = Requests['projects'];
export type FilterValuesRequest = Requests['filterValues'];
export type ConversationRequest = Requests['conversation'];
export type ExportRequest = Requests['export'];
export type CallRequest = Requests['call'];
export type ResumeWay = Requests['resume'];
export type RestoreRequest = Requests['restore'];
export type LabelRequest = Requests['label'];
export type IndexRequest = Requests['index'];
export type PruneRequest = Requests['prune'];
export type JoinRequest = Requests['join'];
export type SyncRequest = Requests['sync'];
export type QuestionOptions = Requests['question'];
export type ReferenceOptions = Requests['reference'];
export type RecallOptions = Requests['open'];

/** Properties that are not parameters are ignored. */
export function checkRequest(kind: keyof Requests, request: unknown): void {
  if (!isObject(request)) throw usageError(`parameters must be in an object, not in ${describe(request)}`);
  for (const [name, each] of Object.entries<AnyParameter>(requests[kind]))
    checkValue(name, request[name], each);
}

export function checkArguments(given: { readonly [Name in keyof typeof callArguments]?: unknown }): void {
  for (const [name, value] of Object.entries(given))
    checkValue(name, value, callArguments[name as keyof typeof callArguments]);
}

function checkValue(name: string, value: unknown, of: AnyParameter): void {
  if (value === undefined && 'isRequired' in of) throw usageError(`${name} is missing; it is ${of.name}`);
  if (value !== undefined && !of.accepts(value))
    throw usageError(`${name} must be ${of.name}, not ${describe(value)}`);
}

const maxShownChars = 60;

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(toPrintableLine(value).slice(0, maxShownChars));
  if (value === null || ['number', 'boolean', 'bigint'].includes(typeof value)) return String(value);
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
