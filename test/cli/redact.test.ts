// With --redact no secret is in the index: not in its rows, not in its words, not in a byte of its files.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/open/database.ts';
import { redactionVersion } from '../../src/text/redact.ts';
import { assistantLine, type Line, TempHome, toolUse, userLine } from '../support/home.ts';
import { contentOf, readStoredTexts, rowsOf } from '../support/index-home.ts';
import { runRecall } from '../support/program.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const body = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zQ7';
const secret = `ghp_${body}`;
const marked = '[redacted github-token]';
const id = 'aaaaaaaa';

/** A secret in every place that is stored. */
function writeSecrets(): void {
  const folder = 'projects/-home-u-shop';
  home.writeSession(id, [
    userLine(`my token is ${secret}, use it`),
    assistantLine([
      { type: 'text', text: `I put ${secret} into the environment.` },
      toolUse('Bash', { command: `curl -H "x: ${secret}" example.com` }, 't1'),
      toolUse(
        'Write',
        { file_path: '/home/u/.env', content: `GITHUB_TOKEN=${secret}\nwritten beside` },
        't2',
      ),
    ]),
    userLine([
      { type: 'tool_result', tool_use_id: 't1', content: `printed ${secret} yesterday` },
      { type: 'tool_result', tool_use_id: 't2', content: `cannot write ${secret}`, is_error: true },
    ]),
    { type: 'ai-title', aiTitle: `Using ${secret}` },
    { type: 'last-prompt', lastPrompt: `again ${secret}` },
  ]);
  home.writeSession('bbbbbbbb', [
    { type: 'summary', summary: `Summary with ${secret}`, leafUuid: '00000000-0000-0000-0000-000000000001' },
    userLine('nothing to hide here'),
  ]);
  home.write(`${folder}/${id}/subagents/agent-cccccccc.jsonl`, [userLine(`task with ${secret}`)]);
  home.write(`${folder}/${id}/subagents/agent-cccccccc.meta.json`, { description: `agent of ${secret}` });
  home.write(`${folder}/bbbbbbbb/custom-title.json`, { customTitle: `Title ${secret}` });
  home.write(`${folder}/sessions-index.json`, {
    entries: [{ sessionId: 'dddddddd', firstPrompt: `hint ${secret}`, summary: `hint ${secret}` }],
  });
  home.write('history.jsonl', [
    { display: `typed ${secret}`, sessionId: 'eeeeeeee', project: '/home/u/shop' },
  ]);
}

/** The index files that contain the secret, or its letters as the full-text index would fold them. */
function leaks(letters = body): string[] {
  const folder = dirname(home.indexPath);
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return names.filter((name) => {
    if (statSync(join(folder, name)).isDirectory()) return false;
    const bytes = readFileSync(join(folder, name), 'latin1');
    const texts = name === basename(home.indexPath) ? readStoredTexts(home.indexPath).join('\n') : '';
    return [bytes, texts].some((held) => held.includes(letters) || held.includes(letters.toLowerCase()));
  });
}

/** What is stored of tools, as it is in the file. */
function readPacked(): Buffer[] {
  const db = openDatabase(home.indexPath, { readOnly: true });
  try {
    return db.prepare('select texts from tool_text').pluck().all() as Buffer[];
  } finally {
    db.close();
  }
}

test('a first index with --redact contains no secret, and finds the text around it', () => {
  writeSecrets();
  expect(runRecall(home, ['index', '--redact']).code).toBe(0);
  expect(leaks()).toEqual([]);
  expect(runRecall(home, ['search', 'environment']).stdout).toContain(`I put ${marked} into the environment`);
  expect(runRecall(home, ['search', secret, '--json', '--no-refresh']).stdout).not.toContain(`«${secret}»`);
  for (const [query, around] of [
    ['printed yesterday', `printed ${marked} yesterday`],
    ['"written beside"', 'written beside'],
    ['"cannot write"', `cannot write ${marked}`],
  ] as const) {
    for (const form of [['--json'], ['--brief'], []]) {
      const { stdout } = runRecall(home, ['search', query, '--no-refresh', ...form]);
      expect(stdout.replace(/[«»]/g, '')).toContain(around);
      expect(stdout).not.toContain(body);
    }
  }
});

test('an existing index is redacted as if it had been from the start', async () => {
  writeSecrets();
  runRecall(home, ['index']);
  expect(leaks()).not.toEqual([]);
  const { code, stderr } = runRecall(home, ['index', '--redact']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/removed secrets from \d+ stored texts/);
  expect(leaks()).toEqual([]);
  const content = await contentOf(home);
  rmSync(dirname(home.indexPath), { recursive: true });
  runRecall(home, ['index', '--redact']);
  expect(await contentOf(home)).toEqual(content);
});

test('sessions that exist only in the index are redacted too', () => {
  writeSecrets();
  runRecall(home, ['index']);
  rmSync(join(home.claudeDir, 'projects'), { recursive: true });
  const packed = readPacked();
  runRecall(home, ['index', '--redact']);
  expect(leaks()).toEqual([]);
  for (const bytes of packed) expect(readFileSync(home.indexPath).includes(bytes)).toBe(false);
  expect(runRecall(home, ['search', 'environment', '--no-refresh']).stdout).toContain(marked);
  expect(runRecall(home, ['search', 'printed yesterday', '--no-refresh']).stdout).toContain(
    `printed ${marked} yesterday`,
  );
});

test('what older rules have left is removed once by newer ones, also from sessions that exist only in the index', async () => {
  const password = 'zebra4711hunter';
  home.writeSession(id, [
    userLine(`run it with DB_PASSWORD=${password} please`),
    assistantLine([
      toolUse('Bash', { command: `mysql -u root -p${password} shop`, description: 'ask' }, 't1'),
    ]),
  ]);
  runRecall(home, ['index']);
  expect(leaks(password)).not.toEqual([]);
  rmSync(join(home.claudeDir, 'projects'), { recursive: true });
  const setVersion = (version: number) => {
    const db = openDatabase(home.indexPath);
    db.prepare('update setting set is_redacting = ?').run(version);
    db.close();
  };
  setVersion(redactionVersion);
  expect(runRecall(home, ['index']).stderr).not.toContain('removed secrets');
  expect(leaks(password)).not.toEqual([]);
  setVersion(redactionVersion - 1);
  expect(runRecall(home, ['index']).stderr).toMatch(/removed secrets from \d+ stored texts/);
  expect(leaks(password)).toEqual([]);
  expect(await rowsOf(home, 'select is_redacting from setting')).toEqual([
    { is_redacting: redactionVersion },
  ]);
  expect(runRecall(home, ['index']).stderr).not.toContain('removed secrets');
});

test('the index remembers it: a refresh, a rebuild and a repair do the same', async () => {
  writeSecrets();
  runRecall(home, ['index', '--redact']);
  home.append(`projects/-home-u-shop/${id}.jsonl`, [userLine(`and another line with ${secret}`)]);
  expect(runRecall(home, ['search', 'another line']).stdout).toContain(marked);
  expect(leaks()).toEqual([]);
  runRecall(home, ['index', '--rebuild']);
  expect(leaks()).toEqual([]);
  expect(runRecall(home, ['doctor']).stdout).toContain('secrets    in well-known formats are kept out');
  expect(await rowsOf(home, 'select is_redacting from setting')).toEqual([
    { is_redacting: redactionVersion },
  ]);
});

test('a secret whose label is the name of an input is neither indexed nor shown', () => {
  const token = 'zebrazebrazebra4711tokenvalue';
  const key = 'QuuxQuux01QuuxQuux02QuuxQuux03QuuxQuux04';
  home.writeSession(id, [
    userLine('call it'),
    assistantLine([
      toolUse('http', { path: 'ordinary', headers: { Authorization: `Bearer ${token}` } }, 't1'),
      toolUse('aws', { aws_secret_access_key: key }, 't2'),
    ]),
  ]);
  runRecall(home, ['index', '--redact']);
  expect([...leaks(token), ...leaks(key)]).toEqual([]);
  const found = runRecall(home, ['search', 'ordinary Bearer', '--no-refresh']).stdout;
  expect(found).toContain('[redacted authorization]');
  const shown = runRecall(home, ['show', id, '--tools=full']).stdout;
  expect(shown).toContain('headers.Authorization: Bearer [redacted authorization]');
  expect(shown).toContain('[redacted aws-secret-key]');
  for (const secret of [token, key]) expect(found + shown).not.toContain(secret);
});

test('files long enough for a separate thread are redacted too', () => {
  const filler = assistantLine('deploy pipeline '.repeat(5000));
  home.writeSession(id, [...Array<Line>(120).fill(filler), userLine(`at the end ${secret}`)]);
  runRecall(home, ['index', '--redact']);
  expect(leaks()).toEqual([]);
  expect(runRecall(home, ['search', '"at the end"']).stdout).toContain(marked);
});

test('no half secret is left where a text was cut', async () => {
  const long = `${'word '.repeat(396)}${secret} and on`;
  home.writeSession(id, [
    userLine(long),
    assistantLine([toolUse('Bash', { command: `${'x '.repeat(195)}${secret}` })]),
  ]);
  runRecall(home, ['index']);
  runRecall(home, ['index', '--redact']);
  const kept =
    JSON.stringify(await rowsOf(home, 'select * from session')) +
    JSON.stringify(await rowsOf(home, 'select target from tool_call'));
  expect(kept).not.toContain(body.slice(0, 6));
  expect(leaks()).toEqual([]);
});

test('a password and a key across the end of what is kept of a command leave no half', async () => {
  const halves = ['hunterhunte', 'WibbleWibble0'];
  const toCommand = (start: string, rest: string) => `${'w'.repeat(399 - start.length)} ${start}${rest}`;
  const write = () =>
    home.writeSession(id, [
      userLine('connect'),
      assistantLine([
        toolUse('Bash', { command: toCommand(`postgres://admin:${halves[0]}`, 'r2secretpass@db/x') }, 't1'),
        toolUse(
          'Bash',
          { command: toCommand(`AWS_SECRET_ACCESS_KEY=${halves[1]}`, '1WibbleWibble02Wibble030405') },
          't2',
        ),
      ]),
    ]);
  write();
  expect(runRecall(home, ['index', '--redact']).code).toBe(0);
  expect(halves.flatMap(leaks)).toEqual([]);
  // The same where the transcript is gone before secrets are taken out.
  rmSync(dirname(home.indexPath), { recursive: true });
  runRecall(home, ['index']);
  expect(halves.flatMap(leaks)).not.toEqual([]);
  rmSync(join(home.claudeDir, 'projects'), { recursive: true });
  runRecall(home, ['index', '--redact']);
  expect(halves.flatMap(leaks)).toEqual([]);
  expect(await rowsOf(home, 'select count(*) as n from tool_call')).toEqual([{ n: 2 }]);
});

test('--no-redact ends it, and a rebuild brings the text back', () => {
  writeSecrets();
  runRecall(home, ['index', '--redact']);
  const { stderr } = runRecall(home, ['index', '--no-redact']);
  expect(stderr).toContain('recall index --rebuild');
  expect(leaks()).toEqual([]);
  runRecall(home, ['index', '--rebuild']);
  expect(leaks()).not.toEqual([]);
});

describe('config.json', () => {
  const path = () => join(home.path, '.config/recall/config.json');
  const write = (text: string) => {
    mkdirSync(dirname(path()), { recursive: true });
    writeFileSync(path(), text);
  };

  test.each([['index'], ['search', 'environment']])(
    'asks for it once and for all: recall %s',
    (...command) => {
      write('{"redact": true}');
      writeSecrets();
      expect(runRecall(home, command).code).toBe(0);
      expect(leaks()).toEqual([]);
    },
  );

  test('takes effect with the next search, although no file has changed; --no-redact is then refused', () => {
    writeSecrets();
    runRecall(home, ['index']);
    write('{"redact": true}');
    expect(runRecall(home, ['search', 'environment']).stdout).toContain(marked);
    expect(leaks()).toEqual([]);
    const { code, stderr } = runRecall(home, ['index', '--no-redact']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${path()} turns redaction on`)]);
  });

  test('{"done": false} leaves no word of what tools were given or answered, also not in free pages', () => {
    const answers = Array.from({ length: 400 }, (_, n) => `quagga${n * 7919}`);
    home.writeSession(id, [
      userLine('please look'),
      assistantLine([toolUse('Bash', { command: 'env' }, 't1')]),
      userLine([{ type: 'tool_result', tool_use_id: 't1', content: answers.join('\n') }]),
    ]);
    runRecall(home, ['index']);
    expect(leaks('quagga')).not.toEqual([]);
    const packed = readPacked();
    expect(packed).not.toEqual([]);
    write('{"done": false}');
    expect(runRecall(home, ['index']).code).toBe(0);
    expect(leaks('quagga')).toEqual([]);
    expect(readPacked()).toEqual([]);
    // No page of the file holds the start of what was stored.
    for (const bytes of packed)
      expect(readFileSync(home.indexPath).includes(bytes.subarray(0, 64))).toBe(false);
    expect(runRecall(home, ['search', 'please look']).code).toBe(0);
  });

  test.each([
    ['{"redact": true', 'cannot be used'],
    ['[]', 'not an object'],
    ['{"redact": "yes"}', '"redact" must be true or false'],
    ['{"redcat": true}', '"redcat" is not a setting'],
  ])('%s is an error that names the file, and nothing is indexed', (text, reason) => {
    write(text);
    writeSecrets();
    const { code, stderr } = runRecall(home, ['index']);
    expect(code).toBe(2);
    expect(stderr).toContain(path());
    expect(stderr).toContain(reason);
    expect(leaks()).toEqual([]);
  });
});
