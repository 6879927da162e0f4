// The query language in words and examples: one text, from which `recall help query` and the manual are made. A test
// runs every example and compares the filters with those that a query knows.

export interface GuideRow {
  /** Each of them is a query, or a filter with what may stand after it. */
  readonly examples: readonly string[];
  readonly meaning: string;
}

export interface GuideSection {
  readonly heading: string;
  readonly text: string;
  readonly rows: readonly GuideRow[];
}

const row = (examples: string | readonly string[], meaning: string): GuideRow => ({
  examples: typeof examples === 'string' ? [examples] : examples,
  meaning,
});

export const queryGuide: readonly GuideSection[] = [
  {
    heading: 'Words',
    text: 'Any string is a query; there is no syntax to get wrong. Case, accents and word endings do not matter, and exact forms come first. Where your shell would take a character for its own, put the query in single quotes.',
    rows: [
      row('jwt middleware', 'both words, anywhere in one session, also in different messages'),
      row(
        'when did we move the queue to redis?',
        'a sentence or a long list is a description: what fits it best comes first, and weak words hardly count',
      ),
      row('"connection pool"', 'this phrase, in these words'),
      row('migrat*', 'words that begin so'),
      row('redis -docker', 'without sessions that mention docker (three letters or more; -rf is a word)'),
      row('redis OR valkey', 'either of them; OR in capitals'),
      row(
        ['jwt-auth.ts', 'src/middleware', 'C++', "don't", '--flag', 'AND'],
        'just that: punctuation is ordinary input',
      ),
      row('getUserById', 'also get_user_by_id; and each is found by its parts, such as user'),
      row(['连接池', '郵便番号', '추천 모델'], 'Chinese, Japanese and Korean by any run of characters'),
      row('66c737db', 'six or more characters of an id: that session'),
    ],
  },
  {
    heading: 'Filters',
    text: 'A filter stands anywhere in the query and applies to the whole of it; a query of filters alone lists the newest sessions. Each is also a flag of recall search, and the flag wins. Put a value with spaces in double quotes: project:"my shop". What makes no sense as a filter, such as role:admin, is words; of a day that recall does not know it says so.',
    rows: [
      row(
        ['project:shop', 'project:~/work', 'project:.'],
        'a directory by its name, a path and all below it, or . for here',
      ),
      row('branch:feat', 'part of the name of the git branch'),
      row(['role:user', 'role:assistant'], 'only what you, or Claude, said'),
      row(
        'file:jwt-auth.ts',
        'sessions whose tools touched this file: a path, the tail of one, or a folder; ./ begins here',
      ),
      row(['since:7d', 'until:yesterday'], 'sessions active since, or begun by, a day; both include it'),
      row('model:opus', 'part of the name of the model'),
      row(
        ['kind:main', 'kind:subagent', 'kind:transcript', 'kind:precompact', 'kind:history'],
        'one kind of session: your own, a subagent’s, an export, a history saved before a compaction, or prompts whose session is gone',
      ),
      row('is:subagent', 'the same as kind:subagent'),
      row(
        ['-project:shop', '-branch:main', '-file:auth.ts', '-kind:subagent'],
        'all but that; any filter but those of days',
      ),
    ],
  },
  {
    heading: 'Days',
    text: 'After since: and until:, and the flags --since and --until, in local time. Weeks begin on Monday.',
    rows: [
      row(
        ['since:2026-01-31', 'since:2026-01', 'since:2026', 'since:2026-01-31T14:30'],
        'a day, a month, a year, a moment',
      ),
      row(
        ['since:"Oct 6"', 'since:"6 October"', 'since:"Oct 6 2025"'],
        'that day, as recall shows it; without a year, the last one',
      ),
      row(['since:today', 'since:yesterday', 'since:monday'], 'that day, or the last of its name'),
      row(
        ['since:"this week"', 'since:"last week"', 'since:"last month"', 'since:"last year"'],
        'from its first day; with until, to its last',
      ),
      row(
        ['since:12h', 'since:7d', 'since:2w', 'since:3m', 'since:1y', 'since:"3 days ago"'],
        'so many hours, days, weeks, months or years ago',
      ),
    ],
  },
];

/** How far a search had to go, as `tier` says it under --json. */
export const tierGuide = {
  heading: 'Widening',
  text: 'Where a word stands nowhere, recall widens and says so; under --json, as tier:',
  tiers: [
    ['all', 'every session shown holds all of the words'],
    ['any', 'some hold only some of the words; the best matches come first'],
    ['prefix', 'a word was found only as the beginning of longer ones'],
    ['fuzzy', 'a word was found only in a near spelling, which is named'],
  ],
} as const;
