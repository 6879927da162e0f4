// Arbitrary queries: any string at all, and strings made of what people and attackers type.

import fc from 'fast-check';

const piece = fc.oneof(
  fc.constantFrom(
    '"',
    '""',
    '-',
    '--',
    '*',
    '(',
    ')',
    ':',
    '^',
    '{',
    '}',
    '+',
    ',',
    '\\',
    "'",
    '`',
    '$',
    '%',
    '_',
  ),
  fc.constantFrom(
    'OR',
    'AND',
    'NOT',
    'NEAR',
    'NEAR(a b, 2)',
    'text:',
    'part :',
    'stem',
    'rowid',
    'message_fts',
  ),
  fc.constantFrom(
    'project:shop',
    'project:"a b"',
    'branch:',
    'role:user',
    'role: admin',
    'file:///tmp/x',
    'is:agent',
    'is:subagent',
  ),
  fc.constantFrom(
    'since:7d',
    'until:2026-01',
    'kind:main',
    'model:opus',
    'since:never',
    '-project:x',
    'file:"',
  ),
  fc.constantFrom(
    'jwt-auth.ts',
    'src/middleware/',
    'C:\\Users\\x',
    "don't",
    'C++',
    '.NET',
    'foo(bar)',
    'a.b.c',
    'x*',
  ),
  fc.constantFrom(
    'getUserById',
    'get_user_by_id',
    'MAX_SIZE',
    'redis',
    'pre*',
    '-not',
    '-rf',
    '--flag',
    '$(id)',
  ),
  fc.constantFrom(
    '数据库',
    '数',
    'タワー',
    '한국어',
    '用Redis做缓存',
    'café',
    'кэш',
    'हिन्दी',
    'ภาษาไทย',
    'İstanbul',
    'ß',
  ),
  fc.constantFrom('\0', '\ud800', '\udfff', '🎉', '👩‍👩‍👧', '\u202e', '\u200b', '\x1b[31m', 'ﷺ', 'ǅ', 'ΟΔΟΣ'),
  fc.uuid(),
  fc.string({ maxLength: 6 }),
);

export const madeQuery = fc
  .array(fc.tuple(piece, fc.constantFrom(' ', ' ', '', '\n')), { maxLength: 14 })
  .map((pieces) => pieces.map(([text, gap]) => text + gap).join(''));
export const binaryQuery = fc.string({ unit: 'binary', size: 'medium' });
export const graphemeQuery = fc.string({ unit: 'grapheme', size: 'medium' });
export const anyQuery = fc.oneof(madeQuery, binaryQuery, graphemeQuery);
