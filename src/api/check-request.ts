// Whether what a caller gave is of the type that it is declared with. Whoever calls the library without TypeScript gets an error
// that names the parameter, rather than one from deep inside. What a value means is left to the functions that take it.

import { usageError } from '../errors.ts';
import { filterNames } from '../filters.ts';
import { isObject } from '../sources/json/json-value.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { ActivityRequest } from './activity.ts';
import type { ConversationRequest } from './answers.ts';
import type { PruneRequest } from './archive/delete.ts';
import type { RestoreRequest } from './archive/restore.ts';
import type { CallRequest } from './conversation/read-call.ts';
import type { FileHistoryRequest } from './file-history.ts';
import type { FilterValuesRequest } from './filter-values.ts';
import type { JoinRequest } from './hub/hub.ts';
import type { SyncRequest } from './hub/sync.ts';
import type { LabelRequest } from './labels.ts';
import type { ListRequest } from './list.ts';
import type { ProjectsRequest } from './projects.ts';
import type { QuestionOptions, ReferenceOptions } from './recall.ts';
import type { SearchRequest } from './search.ts';
import type { IndexRequest } from './upkeep/update.ts';

interface ValueType {
  readonly name: string;
  accepts(value: unknown): boolean;
}

const text: ValueType = { name: 'a string', accepts: (value) => typeof value === 'string' };
const flag: ValueType = { name: 'true or false', accepts: (value) => typeof value === 'boolean' };
const wholeNumber = (least: number): ValueType => ({
  name: `a whole number from ${least} on`,
  accepts: (value) => Number.isSafeInteger(value) && (value as number) >= least,
});
const listOf = ({ name, accepts }: ValueType): ValueType => ({
  name: `a list, each of it ${name}`,
  accepts: (value) => Array.isArray(value) && value.every(accepts),
});
const aFunction: ValueType = { name: 'a function', accepts: (value) => typeof value === 'function' };
const aSignal: ValueType = { name: 'an AbortSignal', accepts: (value) => value instanceof AbortSignal };
const objectWith = (...keys: readonly string[]): ValueType => ({
  name: keys.length === 0 ? 'an object' : `an object with ${keys.join(' and ')}`,
  accepts: (value) => isObject(value) && keys.every((key) => value[key] !== undefined),
});

/** Every parameter of a request, so that the compiler asks for one that is missing here. `sort` is checked where its choices are. */
type Parameter = Exclude<
  | keyof (SearchRequest & ListRequest & FileHistoryRequest & ProjectsRequest & FilterValuesRequest)
  | keyof (ActivityRequest & ConversationRequest & QuestionOptions & ReferenceOptions)
  | keyof (IndexRequest & PruneRequest & RestoreRequest & CallRequest)
  | keyof LabelRequest
  | keyof (JoinRequest & Pick<SyncRequest, 'push' | 'pull'>)
  | 'ref'
  | 'start'
  | 'isOn'
  | 'repair'
  | 'forgettable'
  | 'prunable'
  | 'onChanged'
  | 'entries',
  'sort'
>;

const each = <Name extends string>(type: ValueType, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, type])) as Record<Name, ValueType>;

/** A name means the same in every request that has it. */
const requestTypes: Readonly<Record<Parameter, ValueType>> = {
  ...each(text, ...filterNames, 'filter', 'query', 'match', 'path', 'text', 'into', 'where', 'name', 'key'),
  note: text,
  starred: flag,
  tags: listOf(text),
  untag: listOf(text),
  entries: listOf(objectWith()),
  around: { ...text, name: 'a string: a number, a uuid or an id' },
  ref: { ...text, name: 'a string: an id, or the start of one' },
  ...each(
    flag,
    'all',
    'subagents',
    'leaveOutCurrent',
    'isTyping',
    'positions',
    'changedOnly',
    'inlined',
    'refresh',
  ),
  ...each(flag, 'putsSubagentsLast', 'isNumbered', 'here', 'fork', 'dryRun', 'older', 'rebuild', 'redact'),
  ...each(flag, 'repair', 'archive', 'isOn', 'facets', 'whole', 'hub', 'push', 'pull'),
  limit: wholeNumber(1),
  last: wholeNumber(1),
  context: wholeNumber(0),
  line: wholeNumber(0),
  nth: wholeNumber(0),
  olderThanDays: wholeNumber(0),
  within: listOf(text),
  among: listOf(text),
  range: {
    name: 'an object with from and to, whole numbers',
    accepts: (value) => isObject(value) && [value.from, value.to].every(Number.isSafeInteger),
  },
  callTexts: {
    name: 'true, false or "matching"',
    accepts: (value) => flag.accepts(value) || value === 'matching' || isObject(value),
  },
  signal: aSignal,
  start: objectWith('session', 'steps', 'at'),
  forgettable: objectWith('session'),
  prunable: objectWith('sessions'),
  onChanged: aFunction,
};

/** Of `openRecall`: `archive` is a folder there. */
const optionTypes: Readonly<Record<string, ValueType>> = {
  ...Object.fromEntries(['db', 'archive', 'cwd', 'homeDir'].map((name) => [name, text])),
  claudeDirs: listOf(text),
  agentDirs: {
    name: 'an object with a list of folders for each agent',
    accepts: (value) => isObject(value) && Object.values(value).every(listOf(text).accepts),
  },
  env: objectWith(),
  now: aFunction,
  onEvent: aFunction,
  signal: aSignal,
};

/** Each of `given` has parameters by their names; what is not in it is not checked, unless it is `required`. */
export function checkRequest(given: readonly object[], required: readonly Parameter[] = []): void {
  for (const request of given) checkTypes(request, requestTypes);
  const isGiven = (name: string) =>
    given.some((request) => (request as Record<string, unknown>)[name] != null);
  const absent = required.find((name) => !isGiven(name));
  if (absent !== undefined) throw usageError(`${absent} is missing; it is ${requestTypes[absent].name}`);
}

export function checkOptions(options: object): void {
  checkTypes(options, optionTypes);
}

function checkTypes(given: unknown, types: Readonly<Record<string, ValueType>>): void {
  if (!isObject(given)) throw usageError(`parameters must be in an object, not in ${describe(given)}`);
  for (const [name, value] of Object.entries(given)) {
    const type = types[name];
    if (value !== undefined && type?.accepts(value) === false)
      throw usageError(`${name} must be ${type.name}, not ${describe(value)}`);
  }
}

const maxShownChars = 60;

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(toPrintableLine(value).slice(0, maxShownChars));
  if (value === null || ['number', 'boolean', 'bigint'].includes(typeof value)) return String(value);
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
