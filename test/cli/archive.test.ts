// The archive as a person meets it: turned on, filled by `recall index`, looked at, checked, pruned, turned off.

import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assistantLine, TempHome, toolUse, userLine } from '../support/home.ts';
import { hasTerminals, runAtTerminal, runRecall } from '../support/program.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const other = 'bbbbbbbb-0000-4000-8000-000000000002';
const folder = `projects/-home-u-shop/${id}`;

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
  home.writeSession(id, [userLine('why does the zebra queue stall'), assistantLine('Because of the lock.')]);
  home.write(`${folder}/subagents/agent-x1.jsonl`, [userLine('look for the zebra')]);
  home.write(`${folder}/subagents/agent-x1.meta.json`, { agentType: 'Explore' });
  home.write(`${folder}/tool-results/toolu_1.txt`, 'a long result');
  home.write('projects/-home-u-shop/memory/notes.md', 'not a session');
  home.write('projects/-home-u-shop/sessions-index.json', { version: 1, entries: [] });
  home.writeSession(other, [userLine('paint the fence', { cwd: '/home/u/fence' })], '-home-u-fence');
});
afterEach(() => home.remove());

const archive = () => join(home.path, 'recall', 'archive');
const run = (...args: string[]) => runRecall(home, args);
const json = (...args: string[]) => JSON.parse(run(...args, '--json').stdout);

/** Every file of the archive but its cache and its lock. */
function filesIn(): string[] {
  if (!existsSync(archive())) return [];
  return (readdirSync(archive(), { recursive: true, encoding: 'utf8' }) as string[])
    .filter((name) => statSync(join(archive(), name)).isFile() && !/(^|\/)\.(snapshot|lock)$/.test(name))
    .sort();
}

const segmentsOf = (nativeId: string) => filesIn().filter((name) => name.includes(nativeId));

describe('keeping', () => {
  test('nothing is kept until it is turned on; then everything of a session, and nothing else', () => {
    expect(run('index').code).toBe(0);
    expect(filesIn()).toEqual([]);
    expect(json('archive')).toMatchObject({ isOn: false, sessions: 0, pending: 2 });
    expect(run('archive', 'on').stdout).toBe('the archive is on\n');
    const { archive: kept } = json('index');
    expect(kept).toMatchObject({ sessions: 2, pendingFiles: 0, stoppedBy: null });
    expect(kept.addedBytes).toBeGreaterThan(0);
    const names = filesIn().map((name) =>
      name.replace(/\.1\.0+-\d+\.[0-9a-f.]+\.br$/, '').replace(/^[^/]+\/[^/]+\//, ''),
    );
    expect(names).toEqual(
      [
        `projects/-home-u-fence/${other}.jsonl`,
        `${folder}.jsonl`,
        `${folder}/subagents/agent-x1.jsonl`,
        `${folder}/subagents/agent-x1.meta.json`,
        `${folder}/tool-results/toolu_1.txt`,
      ].sort(),
    );
    for (const name of filesIn()) expect(statSync(join(archive(), name)).mode & 0o777).toBe(0o600);
    for (const each of [archive(), join(archive(), readdirSync(archive())[1] ?? '')])
      expect(statSync(each).mode & 0o777).toBe(0o700);
    expect(run('index').stdout).toContain('; all of it is archived');
    expect(json('index').archive).toMatchObject({ sessions: 0, bytes: 0, addedBytes: 0 });
  });

  // The archive is in the index as a folder of every agent, so that each session seemed to be one of several agents'.
  test('does not make the index one of several agents', () => {
    run('archive', 'on');
    run('index');
    expect(Object.keys(json('index').agents)).toEqual(['claude']);
    const list = run('list').stdout;
    expect([list.includes('zebra queue'), list.includes('claude')]).toEqual([true, false]);
    const { code, stderr } = run('show', id, '-o', join(archive(), 'x.md'));
    expect([code, stderr]).toEqual([2, expect.stringContaining(`x.md is inside the archive ${archive()}\n`)]);
    expect(existsSync(join(archive(), 'x.md'))).toBe(false);
  });

  test('as many sessions are kept as were named before: of an empty one there is nothing to keep', () => {
    home.write('projects/-home-u-shop/cccccccc-0000-4000-8000-000000000003.jsonl', '');
    const { pending } = json('archive');
    run('archive', 'on');
    run('index');
    expect(json('archive')).toMatchObject({ sessions: pending, pending: 0 });
  });

  test('what grew adds to it; --no-archive leaves it out once; off stops and keeps', () => {
    run('archive', 'on');
    run('index');
    const before = filesIn();
    home.append(`${folder}.jsonl`, [userLine('and then?')]);
    expect(run('index', '--no-archive').stdout).not.toContain('archive');
    expect(filesIn()).toEqual(before);
    expect(json('archive').pending).toBe(1);
    expect(json('index').archive.sessions).toBe(1);
    expect(filesIn()).not.toEqual(before);
    expect(run('archive', 'off').stdout).toContain('what is kept stays');
    home.append(`${folder}.jsonl`, [userLine('more')]);
    expect(json('index').archive).toBe(null);
    expect(json('archive')).toMatchObject({ isOn: false, sessions: 2, pending: 1 });
  });

  test('another folder by flag and by variable, which hints repeat', () => {
    run('archive', 'on');
    const elsewhere = join(home.path, 'kept');
    expect(run('index', '--archive', elsewhere).code).toBe(0);
    expect(filesIn()).toEqual([]);
    expect(
      JSON.parse(runRecall(home, ['archive', '--json'], { env: { RECALL_ARCHIVE: elsewhere } }).stdout)
        .sessions,
    ).toBe(2);
    expect(run('archive', '--archive', join(home.path, 'none')).stderr).toContain(
      `recall index --archive ${home.path}/none`,
    );
  });

  test.skipIf(!hasTerminals)('the first run on a terminal asks, once, and yes is the default', () => {
    const asked = runAtTerminal(home, ['index'], '\n');
    expect(asked.stdout.replace(/\s+/g, ' ')).toMatch(
      /Keep a compressed copy of every transcript in ~\/recall\/archive \(about \d+ B\)/,
    );
    expect(asked.stdout).toContain('recall: the archive is on\n');
    expect(segmentsOf(id)).not.toEqual([]);
    expect(runAtTerminal(home, ['index'], '\n').stdout).not.toContain('Keep a compressed copy');
    expect(JSON.parse(readFileSync(join(home.path, '.config/recall/config.json'), 'utf8'))).toEqual({
      archive: true,
    });
  });

  test.skipIf(!hasTerminals)('a search asks too; it says what the answer did', () => {
    const { stdout } = runAtTerminal(home, ['search', 'zebra'], '\n');
    expect(stdout).toContain('Transcripts may contain secrets. [Y/n]');
    expect(stdout).toContain('recall: the archive is on; to fill it now: recall index\n');
    expect(json('archive').isOn).toBe(true);
  });

  test.skipIf(!hasTerminals)('a command that was typed too early is not taken for an answer', () => {
    const { stdout } = runAtTerminal(home, ['search', 'zebra'], 'recall show 1\n');
    expect(stdout).toContain('Please answer y or n: ');
    expect(json('archive').isOn).toBe(false);
  });

  test.skipIf(!hasTerminals)('while there is nothing to keep, nothing is asked', () => {
    rmSync(join(home.claudeDir, 'projects'), { recursive: true });
    expect(runAtTerminal(home, ['index'], '\n').stdout).not.toContain('Keep a compressed copy');
    expect(existsSync(join(home.path, '.config/recall/config.json'))).toBe(false);
  });
});

describe('looking at it', () => {
  beforeEach(() => {
    run('archive', 'on');
    const days = (n: number) => (Date.now() - n * 86_400_000) / 1000;
    utimesSync(join(home.claudeDir, `${folder}.jsonl`), days(27), days(27));
    run('index');
  });

  test('what is kept, by project, and what will be deleted soon', () => {
    const { stdout } = run('archive');
    expect(stdout).toMatch(/kept +2 sessions, .* to 1\)/);
    expect(stdout).toMatch(/expiring +1 session within 7 days, all kept\n.* aaaaaaaa {2}kept {2}why does/);
    expect(stdout).toMatch(/\/home\/u\/shop +1 /);
    const status = json('archive');
    expect(status).toMatchObject({ schemaVersion: 2, isOn: true, path: archive(), sessions: 2, pending: 0 });
    expect(status.expiringSoon).toMatchObject([{ id, isKept: true }]);
    expect(status.transcriptBytes).toBeGreaterThan(status.bytes / 2);
  });

  test('verify names what is damaged; deleted, it is kept again', () => {
    expect(run('archive', 'verify')).toMatchObject({ code: 0, stderr: '' });
    const [name = ''] = segmentsOf(other);
    writeFileSync(join(archive(), name), 'not brotli');
    const { code, stdout } = run('archive', 'verify');
    expect(code).toBe(2);
    expect(stdout).toContain(`✗ ${join(archive(), name)}: it cannot be unpacked`);
    rmSync(join(archive(), name));
    expect(json('archive', 'verify').damages).toEqual([]);
    run('index');
    expect(segmentsOf(other)).toHaveLength(1);
    expect(run('archive', 'verify').code).toBe(0);
  });
});

describe('deleting from it', () => {
  beforeEach(() => {
    run('archive', 'on');
    run('index');
  });

  test('prune asks, deletes what fits, and it is not kept again unless it changes', () => {
    expect(run('archive', 'prune')).toMatchObject({ code: 2 });
    const refused = run('archive', 'prune', '--project', 'fence');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('recall archive prune --project fence --yes');
    expect(run('archive', 'prune', '--older-than', '100000', '--yes')).toMatchObject({ code: 1 });
    expect(run('archive', 'prune', '--project', 'fence', '--yes').stdout).toContain('pruned 1 session');
    expect(segmentsOf(other)).toEqual([expect.stringMatching(/\.jsonl\.\d+\.pruned$/)]);
    home.append(`${folder}.jsonl`, [userLine('more')]);
    run('index', '--rebuild');
    expect(segmentsOf(other)).toHaveLength(1);
    expect(json('archive')).toMatchObject({ sessions: 1, pending: 0 });
    home.append(`projects/-home-u-fence/${other}.jsonl`, [userLine('again')]);
    run('index');
    expect(segmentsOf(other).some((name) => name.endsWith('.br'))).toBe(true);
    expect(run('search', 'fence', '--json').stdout).toContain(other);
  });

  test('forget deletes a session from it with all that belongs to it, for good', () => {
    expect(run('forget', id, '--yes').code).toBe(0);
    expect(segmentsOf(id)).toEqual([]);
    run('index');
    expect(segmentsOf(id)).toEqual([]);
    expect(segmentsOf(other)).toHaveLength(1);
  });

  test('off --delete asks, and leaves nothing', () => {
    expect(run('archive', 'off', '--delete')).toMatchObject({ code: 2 });
    expect(segmentsOf(id)).not.toEqual([]);
    expect(run('archive', 'off', '--delete', '--yes').stdout).toContain('deleted');
    expect(existsSync(archive())).toBe(false);
    // There is nothing left to ask about.
    expect(run('archive', 'off', '--delete').stdout).toBe('the archive is off; nothing was kept\n');
  });
});

describe('as a source', () => {
  const call = toolUse('Bash', { command: 'grep okapi stripes.log' }, 'toolu_9');
  const output = { type: 'tool_result', tool_use_id: 'toolu_9', content: 'the giraffe has no stripes' };

  beforeEach(() => {
    home.append(`${folder}.jsonl`, [assistantLine([call]), userLine([output])]);
    home.write(`${folder}/subagents/agent-x1.meta.json`, {
      agentType: 'Explore',
      description: 'Seek the zebra',
    });
    run('archive', 'on');
    run('index');
  });

  test('passages of tools come from it when the transcript is gone', () => {
    rmSync(join(home.claudeDir, 'projects'), { recursive: true });
    const [hit] = json('search', 'giraffe').hits;
    expect(hit).toMatchObject({ id, restorable: 'archive' });
    expect(hit.matches[0]).toMatchObject({
      kind: 'tool-output',
      snippet: expect.stringContaining('«giraffe» has no stripes'),
    });
  });

  test('with index and transcripts lost, the sessions are read from it, once', () => {
    const before = json('show', id);
    rmSync(join(home.claudeDir, 'projects'), { recursive: true });
    for (const name of readdirSync(join(home.path, 'recall')))
      if (name.startsWith('recall.db')) rmSync(join(home.path, 'recall', name));
    const first = json('index');
    expect(first).toMatchObject({ fromArchive: 3, total: { sessions: 2 } });
    expect(json('index').fromArchive).toBe(0);
    const { resumable, restorable, resume, ...after } = json('show', id);
    expect({ resumable, restorable }).toEqual({ resumable: false, restorable: 'archive' });
    // Ids of messages are those of this index.
    const toMessages = (of: { messages: { id: number }[] }) => of.messages.map(({ id, ...rest }) => rest);
    const kept = { ...after, messages: toMessages(after as never) };
    const had = { ...before, messages: toMessages(before) };
    expect(kept).toEqual(Object.fromEntries(Object.keys(kept).map((key) => [key, had[key]])));
    expect(json('search', 'giraffe').hits[0].matches[0].snippet).toContain('«giraffe»');
    expect(json('list', '--subagents').sessions.map(({ title }: { title: string }) => title)).toContain(
      'Seek the zebra',
    );
    expect(run('restore', id).code).toBe(0);
    expect(run('index').code).toBe(0);
    expect(json('search', 'zebra').hits[0]).toMatchObject({ id, resumable: true });
    expect(readdirSync(archive()).filter((name) => name.startsWith('.unpacked'))).toEqual([]);
  });

  test('what was forgotten is not read from it, and what is there is read from disk', () => {
    run('forget', other, '--yes');
    for (const name of readdirSync(join(home.path, 'recall')))
      if (name.startsWith('recall.db')) rmSync(join(home.path, 'recall', name));
    expect(json('index')).toMatchObject({ fromArchive: 0 });
    expect(json('search', 'zebra').hits[0]).toMatchObject({ id });
  });
});
