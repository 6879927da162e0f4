// Whether a connection is encrypted is decided before anything is sent.

import { describe, expect, test } from 'vitest';
import { planConnection } from '../../src/hub/postgres/connect.ts';

const at = { env: {}, homeDir: '/home/u', cwd: '/', platform: 'linux' as const };
const plan = (address: string) => planConnection(address, at);

describe('another machine', () => {
  test.each([
    'db.example.org',
    '10.0.0.7',
    '[2001:db8::1]',
    '128.0.0.1',
    'localhost.example.org',
    '127.0.0.1.example.org',
  ])('%s is only spoken to with a verified certificate', (host) => {
    expect(plan(`postgres://ann@${host}/recall`).tls).toEqual({});
    expect(plan(`postgres://ann@${host}/recall?sslmode=verify-full`).tls).toEqual({});
    for (const mode of ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'no-verify', ''])
      expect(() => plan(`postgres://ann@${host}/recall?sslmode=${mode}`)).toThrow(/let others read/);
  });

  test('is not reached by a parameter either', () => {
    expect(plan('postgres://ann@localhost/recall?host=db.example.org').tls).toEqual({});
    expect(() => plan('postgres://ann@db.example.org/recall?ssl=false')).toThrow(/cannot be part/);
  });
});

test.each(['localhost', '127.0.0.1', '127.1.2.3', '[::1]', '%2Fvar%2Frun%2Fpostgresql'])(
  '%s stays on this machine',
  (host) => {
    expect(plan(`postgres://ann@${host}/recall`).tls).toBeNull();
  },
);

test('an address names a login, a database and a place', () => {
  expect(plan('postgres://ann@db.example.org:6432/recall')).toMatchObject({
    host: 'db.example.org',
    port: 6432,
    user: 'ann',
    database: 'recall',
    path: null,
  });
  expect(plan('postgres:///recall?host=/run/pg&user=ann')).toMatchObject({
    path: '/run/pg/.s.PGSQL.5432',
    user: 'ann',
  });
  expect(() => plan('postgres://localhost/recall')).toThrow(/no login/);
});
