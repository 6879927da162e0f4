// The query language in words and examples. This is the only description of it: `recall help query`, the manual page and
// docs/manual.md are made from it. A test runs every example and compares the filters with those that a query accepts.

import { type FilterName, filterNames, filters } from '../filters.ts';
import { widthOf, wrap } from './columns.ts';

/** Each example is a query of its own. */
const row = (examples: string | readonly string[], meaning: string) => ({
  examples: [examples].flat(),
  meaning,
});

const filterRows: Readonly<Record<FilterName, ReturnType<typeof row>>> = {
  project: row(
    ['project:shop', 'project:~/work', 'project:.'],
    'a directory by its name, a path and everything below it, or . for the current directory',
  ),
  since: row('since:7d', 'sessions active since a day, including that day'),
  until: row('until:yesterday', 'sessions started by then, including that day'),
  branch: row('branch:feat', 'part of the git branch name'),
  role: row(listChoices('role'), 'only what you said, or only what the agent said'),
  model: row('model:opus', 'part of the model name'),
  file: row(
    'file:jwt-auth.ts',
    'sessions whose tools touched this file: a path, the end of one, or a folder; ./ is relative to the current directory',
  ),
  agent: row(listChoices('agent'), 'only sessions with this agent'),
  machine: row('machine:laptop', 'sessions of a machine, where a hub was joined; part of its name'),
  owner: row('owner:ann', 'sessions that this person shares with the team'),
  kind: row(
    listChoices('kind'),
    'one kind of session: your own, a subagent’s, an exported transcript, an earlier state of one, or the prompts that are left of a deleted session',
  ),
  tag: row('tag:billing', 'sessions that you, or the agent, gave this tag'),
  is: row('is:starred', 'sessions that you gave a star'),
  has: row('has:note', 'sessions with a note of yours, on the whole or on a message'),
  in: row(
    listChoices('in'),
    'only the conversation, or only the work: code that was written, commands, what tools printed; normally both, the conversation first',
  ),
};

function listChoices(name: FilterName): string[] {
  const { choices = [] } = filters[name];
  return choices.map((choice) => `${name}:${choice}`);
}

const unnegatable = filterNames.filter((name) => !filters[name].isNegatable);

export const queryGuide = [
  {
    heading: 'Words',
    text: 'Any string is a valid query; there is no syntax to get wrong. Case, accents and word endings (English and Russian) do not matter, but exact matches come first. If your shell would interpret a character, put the query in single quotes.',
    rows: [
      row('jwt middleware', 'both words, anywhere in one session, not necessarily in the same message'),
      row(
        'when did we move the queue to redis?',
        'a sentence or a long list is a description: the best matches come first, and common words hardly count',
      ),
      row('"connection pool"', 'this exact phrase'),
      row('migrat*', 'words that start with migrat'),
      row(
        'redis -docker',
        'leaves out sessions that mention docker; with in:done, those whose tool calls do (three letters or more: -rf is a word; in a command such as gcc -march nothing is left out)',
      ),
      row('redis OR valkey', 'either one; OR in capitals'),
      row(
        ['jwt-auth.ts', 'src/middleware', 'C++', "don't", '--flag', 'AND'],
        'exactly that: punctuation needs no escaping',
      ),
      row('getUserById', 'also get_user_by_id; both are found by their parts, such as user'),
      row(['连接池', '郵便番号', '추천 모델'], 'Chinese, Japanese and Korean: any run of characters'),
      row(
        ['last week', 'what did I do yesterday?'],
        'a time on its own lists the sessions of that time; among other words it is searched for as words',
      ),
      row('66c737db', 'six or more characters of a session id: that session'),
    ],
  },
  {
    heading: 'Filters',
    text: 'A filter can be anywhere in the query and applies to all of it; a query with nothing but filters lists the newest sessions. Each filter is also a flag of recall search, and the flag wins. Put a value with spaces in double quotes: project:"my shop". Anything that is not a valid filter, such as role:admin, is searched for as words; recall says so when it does not recognise a date.',
    rows: [
      ...filterNames.map((name) => filterRows[name]),
      row('is:subagent', 'the same as kind:subagent'),
      row(
        ['-project:shop', '-branch:main', '-file:auth.ts', '-kind:subagent'],
        `everything except that; works with every filter except ${unnegatable.slice(0, -1).join(', ')} and ${unnegatable.at(-1)}`,
      ),
    ],
  },
  {
    heading: 'Days',
    text: 'What since:, until:, --since and --until accept, in local time. Weeks start on Monday.',
    rows: [
      row(
        ['since:2026-01-31', 'since:2026-01', 'since:2026', 'since:2026-01-31T14:30'],
        'a day, a month, a year, a point in time',
      ),
      row(
        ['since:"Oct 6"', 'since:"6 October"', 'since:"Oct 6 2025"'],
        'that day, as recall prints it; without a year, the most recent one',
      ),
      row(['since:today', 'since:yesterday', 'since:monday'], 'that day; for a weekday, the most recent one'),
      row(
        ['since:"this week"', 'since:"last week"', 'since:"last month"', 'since:"last year"'],
        'from its first day; with until, up to its last',
      ),
      row(
        ['since:12h', 'since:7d', 'since:2w', 'since:3m', 'since:1y', 'since:"3 days ago"'],
        'that many hours, days, weeks, months or years ago',
      ),
    ],
  },
];

/** How far a search had to widen; the names are those of `tier` in --json. */
export const tierGuide = {
  heading: 'Widening',
  text: 'When a word is not found, recall widens the search and says so. In --json this is the field tier:',
  tiers: [
    ['all', 'every session shown contains all the words'],
    ['any', 'some sessions contain only some of the words; the best matches come first'],
    ['prefix', 'a word was found only as the start of longer words'],
    ['fuzzy', 'a word was found only in a similar spelling, which is shown'],
  ],
} as const;

/** Longer lines are hard to read, however wide the terminal is. */
const maxColumns = 100;
/** An example wider than this has its meaning on the next line. */
const exampleColumns = 26;

export function formatQueryHelp(columns: number): string {
  const room = Math.min(columns, maxColumns);
  const tiers = tierGuide.tiers.map(([tier, meaning]) => row(tier, meaning));
  const pages = [...queryGuide, { ...tierGuide, rows: tiers }].map(({ heading, text, rows }) => {
    const lines = rows.flatMap(({ examples, meaning }) => formatRow(examples.join('  '), meaning, room));
    return [`${heading}:`, ...indented(text, 2, room), '', ...lines].join('\n');
  });
  return [
    'Usage: recall search [words...]',
    ...pages,
    wrap('Flags and more examples: recall help search', room).join('\n'),
  ].join('\n\n');
}

function formatRow(name: string, meaning: string, room: number): string[] {
  const below = indented(meaning, 2 + exampleColumns, room);
  if (widthOf(name) > exampleColumns - 2 || room < 60)
    return [...indented(name, 2, room), ...(room < 60 ? indented(meaning, 6, room) : below)];
  const [first = '', ...rest] = below;
  return [`  ${name}${' '.repeat(exampleColumns - widthOf(name))}${first.trimStart()}`, ...rest];
}

function indented(text: string, by: number, room: number): string[] {
  return wrap(text, room - by).map((line) => ' '.repeat(by) + line);
}
