// Every format is removed wherever it occurs, and ordinary text stays as it is. The secrets here are made up,
// and assembled from pieces so that nobody mistakes this file for a leak.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactLine } from '../../src/sources/json/redact.ts';
import { redact, redactCut } from '../../src/text/redact.ts';
import { secretKinds } from '../../src/text/secret-kinds.ts';
import { samples as allSamples, fill, findLeft, lookalikes } from './secret-samples.ts';

const letters = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zA7bC9dE2fG4hJ6kL8mN1pQ3rS5tU7vW9xY2zA4bC6dE8';
const some = (count: number) => letters.slice(0, count);
const hex = (count: number) => '0123456789abcdef'.repeat(5).slice(0, count);

/** The text, and the secret part of it. */
const samples: Readonly<Record<string, readonly (readonly [text: string, secret: string])[]>> = {
  'private-key': ['RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ', ''].map((kind) => {
    const body = `${some(64)}\n${some(40)}==`;
    const block = `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n-----END ${kind}PRIVATE KEY-----`;
    return [block, body] as const;
  }),
  'anthropic-key': [[`sk-${'ant'}-api03-${some(40)}_-${some(20)}`, some(40)]],
  'openrouter-key': [[`sk-${'or'}-v1-${hex(64)}`, hex(64)]],
  'openai-key': [
    [`sk-${some(48)}`, some(48)],
    [`sk-${'proj'}-${some(40)}`, some(40)],
  ],
  'github-token': [
    ...['p', 'o', 'u', 's', 'r'].map((kind) => [`gh${kind}_${some(36)}`, some(36)] as const),
    [`github_${'pat'}_${some(22)}_${some(59)}`, some(59)],
  ],
  'gitlab-token': [[`gl${'pat'}-${some(20)}`, some(20)]],
  'aws-access-key': [
    [`AK${'IA'}IOSFODNN7EXAMPLE`, 'IOSFODNN7EXAMPLE'],
    [`AS${'IA'}IOSFODNN7EXAMPLE`, 'IOSFODNN7EXAMPLE'],
  ],
  'aws-secret-key': [
    [`aws_secret_access_key = ${some(40)}`, some(40)],
    [`AWS_SECRET_ACCESS_KEY=${some(40)}`, some(40)],
    [`"secretAccessKey", awsSecretAccessKey: '${some(40)}'`, some(40)],
  ],
  'google-key': [
    [`AI${'za'}${some(35)}`, some(35)],
    [`ya${'29'}.${some(60)}`, some(60)],
    [`GOC${'SPX'}-${some(28)}`, some(28)],
  ],
  'azure-key': [
    [`AccountName=shop;AccountKey=${some(80)}==;`, some(80)],
    [`SharedAccessKey=${some(43)}=`, some(43)],
  ],
  'slack-token': [
    [`xox${'b'}-1234567890-${some(24)}`, some(24)],
    [`xapp-1-${some(30)}`, some(30)],
  ],
  'slack-webhook': [[`https://hooks.slack.com/services/T${hex(8)}/B${hex(8)}/${some(24)}`, some(24)]],
  'discord-webhook': [[`https://discord.com/api/webhooks/123456789012345678/${some(60)}`, some(60)]],
  'stripe-key': [
    [`sk_${'live'}_${some(24)}`, some(24)],
    [`rk_${'test'}_${some(24)}`, some(24)],
    [`wh${'sec'}_${some(32)}`, some(32)],
  ],
  'npm-token': [[`npm_${some(36)}`, some(36)]],
  'pypi-token': [[`py${'pi'}-AgEIcHlwaS5vcmc${some(60)}`, some(60)]],
  'hugging-face-token': [[`hf_${some(34)}`, some(34)]],
  'sendgrid-key': [[`SG.${some(22)}.${some(43)}`, some(43)]],
  'twilio-key': [[`SK${hex(32)}`, hex(32)]],
  'telegram-token': [[`123456789:AA${some(33)}`, some(33)]],
  'digitalocean-token': [[`dop_v1_${hex(64)}`, hex(64)]],
  'shopify-token': [[`shp${'at'}_${hex(32)}`, hex(32)]],
  'json-web-token': [[`eyJ${some(20)}.eyJ${some(40)}.${some(43)}`, some(43)]],
  authorization: [
    [`Authorization: Bearer ${some(40)}`, some(40)],
    [`'authorization': 'Basic ${some(30)}=='`, some(30)],
    [`curl -H "AUTHORIZATION: token ${some(20)}"`, some(20)],
  ],
  'url-password': [
    ['postgres://shop:hunter22@db.internal:5432/shop', 'hunter22'],
    ['redis://:s3cr3t!@127.0.0.1:6379', 's3cr3t!'],
    ['https://ci:pa%20ss@git.example.com/x.git', 'pa%20ss'],
  ],
};

/** Formats that are recognised by their prefix. */
const isKey = (name: string) =>
  ![
    'aws-secret-key',
    'azure-key',
    'slack-webhook',
    'discord-webhook',
    'authorization',
    'url-password',
    'private-key',
    'json-web-token',
    'telegram-token',
  ].includes(name);

describe('each format', () => {
  test.each(secretKinds.map((kind) => [kind.name, kind] as const))(
    '%s: its example is removed, its lookalike stays',
    (name, { example, lookalike }) => {
      const text = fill(example, name);
      expect(redact(text)).toContain(`[redacted ${name}]`);
      expect(redact(`say "${text}" twice`)).toContain(`[redacted ${name}]`);
      expect(redact(lookalike)).toBe(lookalike);
    },
  );

  const cases = Object.entries(samples).flatMap(([name, list]) =>
    list.map(([text, secret]) => [name, text, secret] as const),
  );

  test.each(cases)('%s: %s', (name, text, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['the key is ', ' and works'],
      ['export KEY="', '"\n'],
      ['(', ')'],
      ['数据库 ', '，好'],
      ['echo "X\\n', '\\n"'],
      ['tab\\t', ' '],
      ['?key=%20', '&x'],
      ['TOKEN_', ' '],
    ]) {
      // Only keys are recognised directly after other text; a label is not.
      if (/^(TOKEN_|\?key)/.test(before ?? '') && !isKey(name)) continue;
      const clean = redact(`${before}${text}${after}`);
      expect(clean).toContain(`[redacted ${name}]`);
      expect(clean).not.toContain(secret);
      expect(clean.startsWith(before ?? '')).toBe(true);
      expect(clean.endsWith(after ?? '')).toBe(true);
      expect(redact(clean)).toBe(clean);
    }
  });

  test('a label, a host and a user are kept', () => {
    expect(redact('postgres://shop:hunter22@db:5432/shop')).toBe(
      'postgres://shop:[redacted url-password]@db:5432/shop',
    );
    expect(redact(`Authorization: Bearer ${some(40)}`)).toBe(
      'Authorization: Bearer [redacted authorization]',
    );
  });

  const key = some(20) + '/+'.repeat(10);
  test.each<readonly [name: string, value: object, secret: string]>([
    ['authorization', { Authorization: `Bearer ${key}` }, key],
    ['aws-secret-key', { AWS_SECRET_ACCESS_KEY: key }, key],
    ...cases.map(([name, text, secret]) => [name, { text }, secret] as const),
  ])('%s: in JSON within JSON', (name, value, secret) => {
    const withEscapedSlashes = (json: string) => json.replaceAll('/', '\\/');
    for (const change of [String, withEscapedSlashes]) {
      let json = '';
      for (let nested: unknown = value, level = 0; level < 3; nested = { json }, level++) {
        json = change(JSON.stringify(nested));
        const clean = redact(json);
        expect(clean).toContain(`[redacted ${name}]`);
        expect(clean.replaceAll('\\', '')).not.toContain(secret);
      }
    }
  });

  test('a private key that was cut off, and one in a string', () => {
    const begin = '-----BEGIN RSA PRIVATE KEY-----';
    expect(redact(`${begin}\n${some(64)}\n${some(20)}`)).toBe('[redacted private-key]');
    const inString = `"${begin}\\n${some(64)}\\n${some(64)}\\n-----END RSA PRIVATE KEY-----\\n"`;
    expect(redact(inString)).toBe('"[redacted private-key]\\n"');
  });

  test('a secret that was cut off', () => {
    expect(redactCut(`use ghp_${some(10)}`)).toBe('use [redacted]');
    expect(redactCut('run the task-list and the disk-check')).toBe('run the task-list and the disk-check');
  });

  test.each([
    ['postgres://admin:', 'hunterhunte'],
    ['postgres://admin:', 'hunter22@'],
    ['AWS_SECRET_ACCESS_KEY=', 'WibbleWibble0'],
    ['Authorization: Bearer ', 'abc'],
    ['AccountKey=', 'abc'],
    ['https://hooks.slack.com/services/', 'T000/B'],
    ['https://discord.com/api/webhooks/123456789012345678/', 'abc'],
    ['', '-----BEGIN RSA PRIVATE KEY-----\nMIIabc'],
  ])('a secret after %s that was cut off, where a text may have been cut', (label, start) => {
    const long = 'word '.repeat(80);
    expect(redactCut(`${long}${label}${start}`)).toBe(`${long}${label}[redacted]`);
    expect(redactCut(`${long}${label}${start} and on!`)).toBe(`${long}${label}${start} and on!`);
    const ends = 'curl http://localhost:3000';
    expect([redactCut(ends), redactCut(`${long}${ends}`)]).toEqual([ends, `${long}${ends}`]);
  });

  const signs = [
    ...new Set(
      secretKinds.flatMap((kind) =>
        kind.by === 'prefix' ? kind.prefixes : kind.by === 'sign' ? kind.signs : [fill(kind.example, '')],
      ),
    ),
  ];
  test.each(signs)('a hundred thousand characters of %s are scanned only once', (sign) => {
    for (const glue of [
      '-',
      '_',
      ' ',
      '.',
      '/',
      ':',
      '\n',
      '',
      'a',
      '=',
      '%20',
      '\\n',
      '@',
      '\\',
      '\\/',
      ':\\"',
    ])
      redact(`${glue}${sign}`.repeat(Math.ceil(100_000 / (sign.length + glue.length))));
  });

  test('in megabytes of text, in negligible time', () => {
    const noise = 'gh_ sk- AKIA eyJ :// secret authorization: bearer PRIVATE KEY '.repeat(20_000);
    const hostile = `${'a'.repeat(200_000)}:${'b'.repeat(200_000)} http://${'c'.repeat(200_000)} -----BEGIN PRIVATE KEY-----${'A '.repeat(100_000)}!`;
    expect(redact(`${noise}npm_${some(36)}`)).toBe(`${noise}[redacted npm-token]`);
    expect(redact(hostile) === hostile).toBe(true);
    const backslashes = '\\'.repeat(200_000);
    for (const label of [
      'authorization',
      'authorization: bearer ',
      'aws_secret_access_key=',
      'AccountKey=',
      'ab:',
    ])
      redact(`${label}${backslashes} ${`${label}\\\\\\\\/`.repeat(50_000)} ${`${label}\\" `.repeat(50_000)}`);
    redact(`-----BEGIN PRIVATE KEY-----${backslashes}${'\\n\\r'.repeat(100_000)}! ${'\\/'.repeat(200_000)}`);
  });
});

describe('ordinary text', () => {
  test.each([
    'sk-ant-... goes into ANTHROPIC_API_KEY, and ghp_xxx into GITHUB_TOKEN',
    'the class sk-spinner-large-blue-indicator and the branch sk-1234-fix-the-login-of-the-shop',
    'https://example.com:8080/path@2x.png and http://localhost:3000/@scope/name',
    'git@github.com:user/repo.git, npm_config_registry=https://example.com, hf_model_name',
    'postgres://localhost:5432/shop, redis://127.0.0.1:6379/0, https://{user}:{password}@host',
    'Authorization: Bearer <token>, authorization header, "Authorization: Bearer $TOKEN"',
    '5b60eaeb-0af3-4a4b-96ad-2d11669e8939 and 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'SG.1, SKU 12345, AKIAHI, whsec_, eyJ is how a JWT begins, eyJhbGciOiJIUzI1NiJ9 alone is a header',
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG\n-----END PUBLIC KEY-----',
    'My key file starts with -----BEGIN RSA PRIVATE KEY----- and then it goes on. I would like to know why.',
    'PRIVATE KEY handling, aws_secret_access_key is read from the environment',
    'sha512-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4==',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text);
  });

  test.each(['README.md', 'package-lock.json', 'src/search/search.ts', 'docs/ranking.md'])('%s', (path) => {
    const text = readFileSync(path, 'utf8');
    expect(redact(text)).toBe(text);
  });

  test('of any kind stays readable, and what was cleaned once is not changed again', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom(...allSamples.map(({ text }) => text)),
      fc.constantFrom(...lookalikes),
      fc.constantFrom(' ', '\n', '"', '\\', '=', ': ', 'password', 'token', '[redacted token]', '://', '@'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const clean = redact(pieces.join(''));
        expect(redact(clean)).toBe(clean);
      }),
      { numRuns: 2000 },
    );
  });
});

test('the documentation has the table of kinds', async () => {
  const names = [...new Set(secretKinds.map(({ name }) => name))].sort();
  const toCell = (text: string) =>
    `\`${text
      .replaceAll('\n', '⏎')
      .replaceAll('|', '\\|')
      .replace(/^(.{48}).{8,}$/, '$1…')}\``;
  const rows = names.map((name) => {
    const kinds = secretKinds.filter((kind) => kind.name === name);
    const examples = kinds.slice(0, 2).map(({ example }) => example);
    const starts = new Set(kinds.flatMap((kind) => (kind.by === 'prefix' ? kind.prefixes : [])));
    const further = [...starts].filter(
      (start) => !examples.some((example) => example.includes(start)),
    ).length;
    const more = further === 0 ? '' : `<br>+${further} ${further === 1 ? 'prefix' : 'prefixes'}`;
    return `| ${name} | ${examples.map(toCell).join('<br>')}${more} | ${toCell(kinds[0]?.lookalike ?? '')} |`;
  });
  const page = `# Kinds of secrets

What \`recall index --redact\` removes, and what looks like it and stays. \`<36>\` is for 36 letters and digits, \`<h32>\` for hexadecimal ones,
\`<d9>\` for digits, \`<U27>\` for capitals and digits, ⏎ for a line end. All prefixes are in \`src/text/secret-kinds.ts\`, from which
\`npx vitest run test/text/redact.test.ts -u\` writes this page. What is not found: [upkeep.md](upkeep.md#secrets).

| kind | looks like | stays |
|---|---|---|
${rows.join('\n')}
`;
  await expect(page).toMatchFileSnapshot('../../docs/secret-kinds.md');
});

describe('the table of secrets', () => {
  test('is long enough', () => {
    expect(allSamples.length).toBeGreaterThan(300);
    expect(lookalikes.length).toBeGreaterThan(130);
  });

  test.each(allSamples.map((sample) => [sample.what, sample] as const))('%s', (_, { text, secret }) => {
    const json = JSON.stringify({ text });
    for (const form of [text, `Please use this:\n${text}\nand go on.`, json, JSON.stringify({ json })]) {
      const clean = redact(form);
      expect(clean).toContain('[redacted ');
      expect(findLeft(clean, secret)).toEqual([]);
      expect(redact(clean)).toBe(clean);
    }
  });

  // The start of a line is `\\n` and a word in the JSON of a transcript: a password after `curl` or `DB_PASSWORD=` stayed in copies.
  test.each(['', 'Use this:\n', 'and\t', 'and\\n'])(
    'is removed from the copy of a line, after %j',
    (before) => {
      for (const { what, text, secret } of allSamples) {
        const line = Buffer.from(JSON.stringify({ type: 'user', text: `${before}${text}` }));
        const clean = JSON.parse(redactLine(line).toString());
        expect([what, findLeft(clean.text ?? '', secret)]).toEqual([what, []]);
      }
    },
  );

  test.each(lookalikes)('stays: %s', (text) => {
    const json = JSON.stringify({ text });
    for (const form of [text, `so ${text}\n`, json, JSON.stringify({ json })])
      expect(redact(form)).toBe(form);
    expect(redactCut(text)).toBe(text);
  });
});
