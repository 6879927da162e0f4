// The types in schema.ts are those of the tables that the migrations make, column by column: what is checked when a query
// is compiled would otherwise be checked against something else.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/open/database.ts';
import { migrate } from '../../src/store/open/migrate.ts';

interface Column {
  readonly name: string;
  /** As SQLite has it: a number of schema.ts may be an integer or a real. */
  readonly type: string;
  readonly isNullable: boolean;
  /** Computed from other columns, so that it cannot be written. */
  readonly isComputed: boolean;
  readonly hasDefault: boolean;
}

const source = readFileSync('src/store/schema.ts', 'utf8');
const db = openDatabase(':memory:');
beforeAll(() => migrate(db));
afterAll(() => {
  db.close();
});

function bodyOf(name: string): { readonly bases: readonly string[]; readonly lines: readonly string[] } {
  const found = new RegExp(`interface ${name}(?: extends ([\\w, ]+))? \\{\\n([^}]*)\\n\\}`).exec(source);
  if (found?.[2] === undefined) throw new Error(`there is no ${name}`);
  return { bases: found[1]?.split(', ') ?? [], lines: found[2].split('\n') };
}

function readTypes(name: string): Column[] {
  const { bases, lines } = bodyOf(name);
  const own = lines
    .filter((line) => !/^\s*(\/?\*|\/\/|$)/.test(line))
    .map((line): Column => {
      const [, column, written = ''] = /^ {2}(\w+): (.+);$/.exec(line) ?? [];
      if (column === undefined) throw new Error(`not a column of ${name}: ${line}`);
      const type = /^Generated(?:Always)?<(.+)>$/.exec(written)?.[1] ?? written;
      return {
        name: column,
        type: toSqlType(type.replace(' | null', '')),
        isNullable: type.endsWith(' | null'),
        isComputed: written.startsWith('GeneratedAlways<'),
        hasDefault: written.startsWith('Generated<'),
      };
    });
  return [...bases.flatMap(readTypes), ...own];
}

function toSqlType(type: string): string {
  if (['number', 'Flag', '1'].includes(type)) return 'NUMBER';
  return type === 'Buffer' ? 'BLOB' : 'TEXT';
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
  readonly hidden: number;
}

function readColumns(table: string): Column[] {
  const rows = db.pragma(`table_xinfo(${table})`) as ColumnRow[];
  return rows.map(({ name, type, notnull, dflt_value, pk, hidden }) => ({
    name,
    type: ['INTEGER', 'REAL'].includes(type) ? 'NUMBER' : type,
    isNullable: notnull === 0 && pk === 0,
    isComputed: hidden !== 0,
    hasDefault: dflt_value !== null,
  }));
}

const byName = (a: Column, b: Column) => (a.name < b.name ? -1 : 1);
/** SQLite gives ids itself where none is given, so whether a type says so is a matter of who writes the table. */
const withoutIdDefault = (column: Column) =>
  column.name === 'id' ? { ...column, hasDefault: false } : column;

const tables = bodyOf('Tables').lines.map((line) => {
  const [, table = '', type = ''] = /^ {2}(\w+): (\w+);$/.exec(line) ?? [];
  return [table, type] as const;
});

describe('schema.ts', () => {
  test.each(tables)('has the columns of %s', (table, type) => {
    const typed = readTypes(type).map(withoutIdDefault).sort(byName);
    expect(typed).toEqual(readColumns(table).sort(byName));
  });
});
