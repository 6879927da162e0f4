// Any string is a query, and people mean what they type.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { meansAll, parseQuery } from '../../../src/search/query/parse-query.ts';
import { anyQuery } from '../queries.ts';

const termsOf = (text: string) => parseQuery(text).terms.map((term) => term.text);
const excludedOf = (text: string) => parseQuery(text).excluded.map((term) => term.text);
const tokensOf = (text: string) =>
  parseQuery(text).terms.map((term) => term.forms.map((form) => form.tokens));

describe('words', () => {
  test.each<[string, string[]]>([
    ['jwt middleware', ['jwt', 'middleware']],
    ['  jwt\t\n middleware ', ['jwt', 'middleware']],
    ['jwt jwt JWT', ['jwt']],
    ['jwt-auth.ts', ['jwt-auth.ts', 'jwt', 'auth', 'ts']],
    ['src/middleware', ['src/middleware', 'src', 'middleware']],
    ["don't", ["don't"]],
    ['C++', ['C++']],
    ['AND', ['AND']],
    ['NOT NEAR', ['NOT', 'NEAR']],
    ['foo(bar)', ['foo(bar)', 'foo', 'bar']],
    ['a:b {x} ^y', ['a:b', '{x}', '^y']],
    ['-rf', ['rf']],
    ['rm -rf', ['rm', 'rf']],
    ['--flag', ['-flag']],
    ['--no-verify commit', ['-no-verify', 'no', 'verify', 'commit']],
    ['кэш 数据库', ['кэш', '数据库']],
    ['🎉', []],
    ['? ! …', []],
    ['', []],
    ['"', []],
    ['""', []],
    ['- -- ---', []],
    ['*', []],
  ])('%j searches for %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
    expect(excludedOf(text)).toEqual([]);
  });

  test('a name is searched for whole and in other naming styles', () => {
    expect(tokensOf('getUserById')).toEqual([[['getuserbyid'], ['get', 'user', 'by', 'id']]]);
    expect(tokensOf('get_user_by_id')[0]).toEqual([['get', 'user', 'by', 'id'], ['getuserbyid']]);
    expect(tokensOf('jwt-auth.ts')[0]).toEqual([['jwt', 'auth', 'ts']]);
  });

  test('a question mark is not a word', () => {
    expect(tokensOf('redis?')).toEqual(tokensOf('redis'));
    expect(tokensOf('C++?')).toEqual(tokensOf('C++'));
  });
});

describe('compounds', () => {
  const partsOf = (text: string) =>
    parseQuery(text)
      .terms.filter((term) => term.isPart)
      .map((term) => term.text);

  test('are searched for whole, and each of their words as well', () => {
    expect(parseQuery('jwt-auth.ts redis').terms).toMatchObject([
      {
        text: 'jwt-auth.ts',
        forms: [{ tokens: ['jwt', 'auth', 'ts'], match: 'exact' }],
        strength: 'strong',
        isPart: false,
      },
      { text: 'jwt', forms: [{ tokens: ['jwt'], match: 'stem' }], strength: 'strong', isPart: true },
      { text: 'auth', strength: 'strong', isPart: true },
      { text: 'ts', strength: 'strong', isPart: true },
      { text: 'redis', strength: 'strong', isPart: false },
    ]);
  });

  test.each<[string, string[]]>([
    ['foo_bar', ['foo', 'bar']],
    ['a/b.py', ['py']],
    ['x-y', []],
    ['error: externally-managed-environment', ['externally', 'managed', 'environment']],
    ['redis', []],
    ['middle*', []],
    ['jwt-auth*', []],
    ['数据库-连接', []],
  ])('%s has the words %j', (text, parts) => {
    expect(partsOf(text)).toEqual(parts);
  });

  test('their weak words stay weak', () => {
    const { terms } = parseQuery('out-of-memory');
    expect(terms.map(({ text, strength }) => [text, strength])).toEqual([
      ['out-of-memory', 'strong'],
      ['out', 'weak'],
      ['of', 'weak'],
      ['memory', 'strong'],
    ]);
  });

  test('a word that was typed by itself is no part', () => {
    expect(parseQuery('jwt jwt-auth').terms.map(({ text, isPart }) => [text, isPart])).toEqual([
      ['jwt', false],
      ['jwt-auth', false],
      ['auth', true],
    ]);
    expect(parseQuery('jwt-auth jwt').terms.find((term) => term.text === 'jwt')?.isPart).toBe(false);
  });

  test('in quotes stay whole', () => {
    expect(termsOf('"jwt-auth.ts"')).toEqual(['jwt-auth.ts']);
    expect(termsOf('"connection pool" a1')).toEqual(['connection pool', 'a1']);
  });

  test('after a dash exclude the whole only', () => {
    expect(excludedOf('redis -well-known')).toEqual(['well-known']);
    expect(parseQuery('redis -well-known').excluded[0]?.forms).toEqual([
      { tokens: ['well', 'known'], match: 'exact' },
    ]);
    expect(termsOf('redis -well-known')).toEqual(['redis']);
  });

  test('OR joins the wholes', () => {
    expect(tokensOf('redis OR jwt-auth')).toEqual([[['redis'], ['jwt', 'auth']]]);
    expect(tokensOf('jwt-auth OR redis')[0]).toEqual([['jwt', 'auth'], ['redis']]);
    expect(tokensOf('jwt-auth OR foo-bar')[0]).toEqual([
      ['jwt', 'auth'],
      ['foo', 'bar'],
    ]);
    expect(partsOf('jwt-auth OR redis')).toEqual([]);
  });
});

describe('endings', () => {
  test.each<[string, string]>([
    ["Caroline's", 'caroline'],
    ['Caroline’s', 'caroline'],
    ["server're", 'server'],
    ["queue've", 'queue'],
    ["worker'll", 'worker'],
    ["redis'd", 'redis'],
  ])('%s is about %s', (text, word) => {
    expect(parseQuery(text).terms).toMatchObject([{ text, forms: [{ tokens: [word] }], isPart: false }]);
  });

  test('the start of a name is none', () => {
    expect(parseQuery("O'Reilly").terms[0]?.forms[0]?.tokens).toEqual(['o', 'reilly']);
  });

  test('in quotes they stay', () => {
    expect(parseQuery('"Caroline\'s"').terms[0]?.forms).toEqual([
      { tokens: ['caroline', 's'], match: 'exact' },
    ]);
  });

  test('of weak words leave weak words', () => {
    const { terms } = parseQuery("we'll redis it's");
    expect(terms.filter((term) => term.strength === 'strong').map((term) => term.text)).toEqual(['redis']);
  });

  test.each(["doesn't", 'doesn’t', "couldn't", "Won't"])('%s says nothing, and has no words', (text) => {
    const { terms } = parseQuery(`${text} start`);
    expect(terms.map(({ text, strength }) => [text, strength])).toEqual([
      [text, 'weak'],
      ['start', 'strong'],
    ]);
  });
});

describe('phrases and prefixes', () => {
  test('quoted words stay together and are not stemmed', () => {
    expect(parseQuery('"connection pools" redis').terms).toMatchObject([
      { forms: [{ tokens: ['connection', 'pools'], match: 'exact' }], strength: 'strong' },
      { forms: [{ tokens: ['redis'], match: 'stem' }] },
    ]);
    expect(parseQuery('"pools"').terms[0]?.forms).toEqual([{ tokens: ['pools'], match: 'exact' }]);
  });

  test('a quote that is never closed extends to the end', () => {
    expect(termsOf('redis "connection pool')).toEqual(['redis', 'connection pool']);
    expect(termsOf('5" disk')).toEqual(['5', ' disk']);
    expect(termsOf('"a b" c"')).toEqual(['a b', 'c']);
  });

  test('a star after a word makes it a prefix', () => {
    expect(parseQuery('middle*').terms[0]?.forms).toEqual([{ tokens: ['middle'], match: 'prefix' }]);
    expect(parseQuery('"middle*"').terms[0]?.forms).toEqual([{ tokens: ['middle'], match: 'exact' }]);
    expect(parseQuery('миграц*').terms[0]?.forms).toEqual([{ tokens: ['миграц'], match: 'prefix' }]);
    expect(parseQuery('**bold**').terms[0]?.forms).toEqual([{ tokens: ['bold'], match: 'stem' }]);
  });
});

describe('a change of script', () => {
  const words = (text: string) =>
    parseQuery(text)
      .terms.filter((term) => !term.isPart)
      .map((term) => term.text);

  test('separates words', () => {
    expect(words('怎么安装docker-compose')).toEqual(['怎么安装', 'docker-compose']);
    expect(words('JWT認証ミドルウェア')).toEqual(['JWT', '認証ミドルウェア']);
    expect(words('도커docker 설치')).toEqual(['도커', 'docker', '설치']);
  });

  test('but not where it is one, or was put in quotes', () => {
    expect(words('第3章')).toEqual(['第3章']);
    expect(words('"安装docker"')).toEqual(['安装docker']);
    expect(parseQuery('project:店docker x').filters).toEqual({ project: '店docker' });
  });
});

describe('OR and exclusions', () => {
  test('OR in capitals joins its neighbours', () => {
    expect(termsOf('redis OR postgres queue')).toEqual(['redis OR postgres', 'queue']);
    expect(tokensOf('a1 OR b2 OR c3')).toEqual([[['a1'], ['b2'], ['c3']]]);
    // One line is typed, also where its end comes along.
    expect(termsOf('redis OR postgres\n')).toEqual(['redis OR postgres']);
    expect(termsOf('redis or postgres')).toEqual(['redis', 'or', 'postgres']);
    expect(termsOf('"OR"')).toEqual(['OR']);
  });

  test.each([['OR redis'], ['redis OR'], ['OR OR redis OR OR']])('%s is only redis', (text) => {
    expect(termsOf(text)).toEqual(['redis']);
  });

  test('a dash before a word or phrase excludes it', () => {
    expect(termsOf('pool -docker -"unit test"')).toEqual(['pool']);
    expect(excludedOf('pool -docker -"unit test"')).toEqual(['docker', 'unit test']);
    expect(excludedOf('пул -докер')).toEqual(['докер']);
    expect(termsOf('well-known')).toEqual(['well-known', 'well', 'known']);
  });

  test.each([
    'ss -tlnp | grep :8080',
    'gcc -march',
    'gcc -march=native -funroll-loops main.c',
    'curl -sSL example.org/install',
    'docker run --rm -privileged',
    'powershell.exe -Command Get-Service',
    'cat /etc/hosts | sort -unique',
  ])('a pasted command excludes nothing: %s', (text) => {
    expect(excludedOf(text)).toEqual([]);
  });

  test('the name of a topic before a dash is not a command', () => {
    expect(excludedOf('redis -docker')).toEqual(['docker']);
    expect(excludedOf('the cat -dog')).toEqual([]);
    expect(excludedOf('category -march')).toEqual(['march']);
  });

  test('a query of only exclusions searches for the words themselves', () => {
    expect(termsOf('-docker -compose')).toEqual(['docker', 'compose']);
    expect(excludedOf('-docker -compose')).toEqual([]);
    expect(excludedOf('project:shop -docker')).toEqual(['docker']);
  });
});

describe('filters', () => {
  test('are removed from the words, quoted or not', () => {
    const query = parseQuery(
      'jwt project:shop Branch:main role:user file:src/a.ts since:7d until:"last week"',
    );
    expect(query.terms.map((term) => term.text)).toEqual(['jwt']);
    expect(query.filters).toEqual({
      project: 'shop',
      branch: 'main',
      role: 'user',
      file: 'src/a.ts',
      since: '7d',
      until: 'last week',
    });
    expect(parseQuery('kind:main model:opus').filters).toEqual({ kind: 'main', model: 'opus' });
    expect(parseQuery('project:"my shop" x1').filters).toEqual({ project: 'my shop' });
    expect(parseQuery('project:C:\\Users\\maya').filters).toEqual({ project: 'C:\\Users\\maya' });
  });

  test.each(['file:///tmp/x.ts', 'role: admin', 'myproject:shop', 'project:', 'project:""', 'profile:x'])(
    '%s is none',
    (text) => {
      expect(parseQuery(text).filters).toEqual({});
    },
  );

  test('is:subagent is another way to say kind:subagent', () => {
    expect(parseQuery('is:subagent model:opus').filters).toEqual({ kind: 'subagent', model: 'opus' });
    expect(parseQuery('is:subagent kind:main').filters).toEqual({ kind: 'main' });
    expect(parseQuery('kind:main is:subagent').filters).toEqual({ kind: 'subagent' });
    expect(parseQuery('is:main').filters).toEqual({});
    expect(parseQuery('is:main').terms.map((term) => term.text)).toEqual(['is:main', 'is', 'main']);
  });

  test('agent is the older name of subagent', () => {
    for (const text of ['is:agent', 'kind:Agent'])
      expect(parseQuery(text).filters).toEqual({ kind: 'subagent' });
    expect(parseQuery('-is:"agent" -kind:agent').excludedFilters).toEqual({
      kind: ['subagent', 'subagent'],
    });
    expect(parseQuery('project:agent').filters).toEqual({ project: 'agent' });
    expect(parseQuery('agent agents:x').terms.map((term) => term.text)).toEqual([
      'agent',
      'agents:x',
      'agents',
    ]);
  });

  test('an unknown date is treated as words, and reported', () => {
    const query = parseQuery('jwt since:yesteday until:"next week" role:admin since:7d -since:never');
    expect(query.unknownDays).toEqual(['since:yesteday', 'until:next week', '-since:never']);
    expect(query.terms.map((term) => term.text)).toEqual([
      'jwt',
      'since:yesteday',
      'since',
      'yesteday',
      'until:next week',
      'role:admin',
      'role',
      'admin',
    ]);
    expect(query.filters).toEqual({ since: '7d' });
    expect(parseQuery('since: yesterday').unknownDays).toEqual([]);
  });

  test('a dash negates a filter', () => {
    const query = parseQuery('jwt -project:shop -project:"my blog" -Branch:main -is:subagent -docker');
    expect(query.excludedFilters).toEqual({
      project: ['shop', 'my blog'],
      branch: ['main'],
      kind: ['subagent'],
    });
    expect(query.filters).toEqual({});
    expect(query.terms.map((term) => term.text)).toEqual(['jwt']);
    expect(query.excluded.map((term) => term.text)).toEqual(['docker']);
    expect(excludedOf('-project:shop -docker')).toEqual(['docker']);
  });

  test('but not what is not a filter, nor a date', () => {
    const query = parseQuery('x1 -role:admin -kind:Pod -since:7d');
    expect(query.excludedFilters).toEqual({});
    expect(query.excluded.map((term) => term.text)).toEqual(['role:admin', 'kind:Pod', 'since:7d']);
    expect(query.unknownDays).toEqual(['-since:7d']);
  });

  test('the last of two wins', () => {
    expect(parseQuery('project:a project:b').filters).toEqual({ project: 'b' });
  });
});

describe('weak words', () => {
  test('a question is about its strong words', () => {
    const { terms } = parseQuery('when did we move the queue to redis?');
    const strengths = Object.fromEntries(terms.map((term) => [term.text, term.strength]));
    expect(strengths).toMatchObject({
      when: 'weak',
      did: 'weak',
      the: 'weak',
      queue: 'strong',
      'redis?': 'strong',
    });
  });

  test('if there are only weak words, they are searched for', () => {
    expect(parseQuery('to be or not to be').terms.every((term) => term.strength === 'strong')).toBe(true);
    expect(parseQuery('the "to be"').terms.map((term) => term.strength)).toEqual(['weak', 'strong']);
  });

  test('words of a question count if there is nothing stronger', () => {
    const strengthsOf = (text: string) => parseQuery(text).terms.map((term) => term.strength);
    expect(strengthsOf('how many redis')).toEqual(['weak', 'asking', 'strong']);
    expect(strengthsOf('how many things')).toEqual(['weak', 'strong', 'strong']);
  });

  test('in quotes or with a star they are meant', () => {
    expect(parseQuery('redis "the" the*').terms.map((term) => term.strength)).toEqual([
      'strong',
      'strong',
      'strong',
    ]);
  });

  test.each([
    ['redis', true],
    ['redis queue lock', true],
    ['redis queue lock timeout', false],
    ['the redis', false],
    ['src/jwt-auth.ts queue', true],
  ])('%s: all of its words are meant: %s', (text, isAll) => {
    expect(meansAll(parseQuery(text).terms)).toBe(isAll);
  });
});

describe('more words than are searched for', () => {
  const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`);

  test('of a long sentence the beginning counts', () => {
    expect(termsOf(`${words(50).join(' ')} server.ts`)).toEqual(words(32));
  });

  test.each([
    ['of a page', (text: string) => `${text} ${words(80).slice(31).join(' ')}`],
    ['of what was pasted', (text: string) => `w0\n${text}`],
  ])('%s those that say most, in their order', (_, toText) => {
    const text = toText(`the ${words(31).join(' ')} getUser TypeError at server.ts:12`);
    const found = termsOf(text);
    expect(found).toHaveLength(32);
    expect(found.slice(0, 3)).toEqual(['w0', 'w1', 'w2']);
    expect(found.filter((word) => !/^w\d+$/.test(word))).toEqual(['getUser', 'TypeError', 'server.ts:12']);
    const positions = found.map((word) => text.split(/\s+/).indexOf(word));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });
});

describe('torture', () => {
  test.each([
    ['10,000 characters in one word', 'a'.repeat(10_000)],
    ['10,000 characters of words', 'word '.repeat(2000)],
    ['10,000 different words', Array.from({ length: 10_000 }, (_, i) => `w${i}`).join(' ')],
    ['10,000 quotes', '"'.repeat(10_000)],
    ['10,000 dashes', '-'.repeat(10_000)],
    ['10,000 ORs', 'OR '.repeat(10_000)],
    ['10,000 filters', 'project:'.repeat(10_000)],
    ['NUL', 'a\0b "c\0d" \0'],
    ['lone surrogates', '\ud800 a\udc00b "\udfff" project:\ud83d'],
    ['emoji', '👩‍👩‍👧‍👦 🇩🇪 "🎉" 🎉* -🎉'],
  ])('%s', (_, text) => {
    const start = performance.now();
    const query = parseQuery(text);
    expect(performance.now() - start).toBeLessThan(1000);
    expect(query.terms.length).toBeLessThanOrEqual(32);
    for (const token of query.terms.flatMap((term) => term.forms.flatMap((form) => form.tokens))) {
      expect(token).toMatch(/^[^\0"\s]+$/);
    }
  });

  test('never throws, and has no duplicates', () => {
    fc.assert(
      fc.property(anyQuery, (text) => {
        const { terms, excluded } = parseQuery(text);
        const keys = terms.map((term) => JSON.stringify(term.forms));
        expect(new Set(keys).size).toBe(keys.length);
        for (const term of [...terms, ...excluded]) expect(term.forms.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('while it is typed', () => {
  const formsOf = (text: string) =>
    parseQuery(text, true).terms.map(({ forms }) =>
      forms.map(({ tokens, match }) => `${match} ${tokens.join(' ')}`),
    );

  test.each<[string, string[][]]>([
    ['jwt middlew', [['stem jwt'], ['stem middlew', 'prefix middlew']]],
    ['jwt ', [['stem jwt']]],
    ['"connection poo', [['exact connection poo', 'prefix connection poo']]],
    ['"connection po', [['exact connection po']]],
    ['redis OR do', [['stem redis', 'stem do']]],
    ['"connection pool"', [['exact connection pool']]],
    ['j', [['stem j']]],
    ['redis -dock', [['stem redis']]],
    ['redis project:sh', [['stem redis']]],
    ['migrat*', [['prefix migrat']]],
    ['NEAR near', [['stem near', 'prefix near']]],
    ['redis OR dock', [['stem redis', 'stem dock', 'prefix dock']]],
    ['near-by near', [['exact near by'], ['stem near', 'prefix near'], ['stem by']]],
  ])('%s', (text, forms) => {
    expect(formsOf(text)).toEqual(forms);
  });

  test('a word of which there is too little to look for is marked as begun', () => {
    const begun = (text: string) =>
      parseQuery(text, true)
        .terms.filter((term) => term.unfinished?.start === null)
        .map((term) => term.text);
    expect(begun('redis do')).toEqual(['do']);
    expect(begun('redis do ')).toEqual([]);
    expect(begun('redis doc')).toEqual([]);
    expect(begun('do redis')).toEqual([]);
    expect(begun('redis 東京')).toEqual([]);
    expect(begun('redis -do')).toEqual([]);
  });

  test('nothing else changes: the words are those of the finished query', () => {
    fc.assert(
      fc.property(anyQuery, (text) => {
        const words = (isTyping: boolean) =>
          new Set(parseQuery(text, isTyping).terms.map((term) => term.text));
        expect(words(true)).toEqual(words(false));
      }),
    );
  });
});
