// What goes wrong while the archive is written: killed at any step, no room, no permission, two at once. What was kept stays, and
// the next run completes it.

import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Recall } from '../../src/api/recall.ts';
import {
  eachCopy,
  formatSegmentName,
  parseCopyName,
  readArchiveRoots,
  type Segment,
} from '../../src/archive/layout.ts';
import { readStretches, toChecksum } from '../../src/archive/segments.ts';
import { redactionVersion } from '../../src/text/redact.ts';
import {
  asOrdinaryUser,
  giveAway,
  hasMounts,
  hasStrace,
  injecting,
  onSmallDisk,
  whyNoRights,
} from '../../torture/faults.ts';
import { assistantLine, TempHome, toJsonl, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';
import { finish, runRecall, startRecall } from '../support/program.ts';

const ids = Array.from({ length: 8 }, (_, n) => `${n}aaaaaaa-0000-4000-8000-000000000001`);
const pathOf = (id: string) => `projects/-home-u-shop/${id}.jsonl`;

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
  home.write('../.config/recall/config.json', { archive: true });
  for (const id of ids) home.writeSession(id, [userLine(`about ${id} ${'okapi '.repeat(50)}`)]);
});
afterEach(() => home.remove());

const archive = () => join(home.path, 'recall/archive');
const run = (...args: string[]) => runRecall(home, args);

/** What is kept, by path; throws where something is damaged. */
function kept(): Map<string, string> {
  const files = new Map<string, string>();
  for (const root of readArchiveRoots(archive()))
    for (const copy of eachCopy(root)) {
      const [version] = copy.versions;
      if (version === undefined) continue;
      const parts = [...readStretches(copy, version)].map((stretch) => {
        if ('damage' in stretch) throw new Error(stretch.damage.path);
        return stretch.bytes;
      });
      files.set(copy.path, Buffer.concat(parts).toString());
    }
  return files;
}

const onDisk = () =>
  new Map(ids.map((id) => [pathOf(id), readFileSync(join(home.claudeDir, pathOf(id)), 'utf8')]));

function expectWhole(): void {
  expect(kept()).toEqual(onDisk());
  const unfinished = (readdirSync(archive(), { recursive: true, encoding: 'utf8' }) as string[]).filter(
    (name) => name.includes('.new-'),
  );
  expect(unfinished).toEqual([]);
  expect(run('archive', 'verify').code).toBe(0);
}

test.skipIf(!hasStrace)(
  'kill -9 at any rename, flush or deletion: nothing kept is lost, and the next run completes it',
  () => {
    const calls = 'rename,renameat,renameat2,unlink,unlinkat,fsync';
    let before = new Map<string, string>();
    let killed = 0;
    for (const when of [1, 2, 3, 4, 5, 6, 7]) {
      for (const [n, id] of ids.entries()) {
        if (n % 3 === 0) home.append(pathOf(id), [userLine(`more, before the ${when}th call`)]);
        if (n % 3 === 1 && when % 2 === 1)
          home.writeSession(id, [userLine(`rewritten before the ${when}th call`)]);
      }
      // The index first, so that the calls are those of the archive.
      run('index', '--no-archive');
      const fault = `${calls}:signal=SIGKILL:when=${when}`;
      if (runRecall(home, ['index'], { via: injecting(fault) }).code !== 0) killed++;
      const [now, disk] = [kept(), onDisk()];
      for (const [path, text] of before) {
        const found = now.get(path) ?? '';
        expect(found === text || (disk.get(path) ?? '').startsWith(found)).toBe(true);
        expect(found.length > 0).toBe(true);
      }
      expect(run('index').code).toBe(0);
      expectWhole();
      before = kept();
    }
    expect(killed).toBeGreaterThan(4);
  },
);

test('two archivers at once', async () => {
  run('index', '--no-archive');
  const results = await Promise.all([1, 2, 3].map(() => finish(startRecall(home, ['index', '--json']))));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  const stopped = results.map(({ stdout }) => JSON.parse(stdout).archive.stoppedBy);
  expect(stopped.filter((reason) => reason !== 'busy')).toContain(null);
  run('index');
  expectWhole();
});

describe('no room, no permission', () => {
  test('stops when the disk is nearly full, without harm to the index, and goes on when there is room', async () => {
    const spaces = [
      { freeBytes: 0.9e9, totalBytes: 1e10 },
      { freeBytes: 4e10, totalBytes: 1e12 },
    ];
    for (const space of spaces) {
      const recall = new Recall(toHost(home, { readSpace: () => space }));
      const { archive: report, total } = await recall.index();
      recall.close();
      expect(total.sessions).toBe(ids.length);
      expect(report).toMatchObject({ sessions: 0, pendingFiles: ids.length, stoppedBy: { type: 'space' } });
    }
    const recall = new Recall(toHost(home));
    expect((await recall.index()).archive).toMatchObject({ sessions: ids.length, stoppedBy: null });
    recall.close();
    expectWhole();
  });

  test.skipIf(!hasMounts)('on a small disk: says so and what to do, exit 2', () => {
    const small = join(home.path, 'small');
    mkdirSync(small);
    const { code, stderr } = runRecall(home, ['index', '--archive', small], {
      via: onSmallDisk(small, '1m'),
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^recall: only .* free on the disk, so 8 files not archived; the index is up to date\n {2}try: /,
    );
    expect(JSON.parse(run('search', 'okapi', '--json').stdout).total).toBe(ids.length);
  });

  test('a folder that may not be written to: says so, and the index is up to date', () => {
    if (whyNoRights(home) !== null) return;
    runRecall(home, ['index'], asOrdinaryUser);
    home.append(pathOf(ids[0] ?? ''), [userLine('one more okapi')]);
    giveAway(home.path);
    const folders = (readdirSync(archive(), { recursive: true, encoding: 'utf8' }) as string[])
      .map((name) => join(archive(), name))
      .filter((path) => statSync(path).isDirectory());
    for (const path of folders) chmodSync(path, 0o500);
    const { code, stderr } = runRecall(home, ['index'], asOrdinaryUser);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^recall: the archive cannot be written \(.*permission denied\)/);
    expect(runRecall(home, ['search', 'one more okapi', '--json'], asOrdinaryUser).stdout).toContain(ids[0]);
    for (const path of folders) chmodSync(path, 0o700);
  });
});

describe('an archive that cannot be used', () => {
  const lines = (text: string) => text.trimEnd().split('\n');

  /** Also its lock, which only a run that could write has left. */
  function makeReadOnly(): void {
    rmSync(join(archive(), '.lock'), { force: true });
    giveAway(home.path);
    for (const folder of [archive(), ...foldersOf(archive())]) chmodSync(folder, 0o500);
  }

  function makeWritable(): void {
    for (const folder of [archive(), ...foldersOf(archive())]) chmodSync(folder, 0o700);
  }

  const foldersOf = (path: string) =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name));

  test('may only be read: indexing, searching and reading go on, and it is named', () => {
    if (whyNoRights(home) !== null) return;
    const asUser = (...args: string[]) => runRecall(home, args, asOrdinaryUser);
    asUser('index');
    home.append(pathOf(ids[0] ?? ''), [userLine('one more okapi')]);
    makeReadOnly();
    const { code, stderr } = asUser('index');
    expect(code).toBe(2);
    expect(lines(stderr)[0]).toMatch(
      /^recall: the archive cannot be written \(.*recall\/archive.*: permission denied\)/,
    );
    expect(stderr).not.toMatch(/internal error/);
    expect(asUser('search', 'one more okapi', '--json').stdout).toContain(ids[0]);
    const doctor = asUser('doctor');
    expect(doctor.code).toBe(2);
    expect(doctor.stdout).toMatch(/✗ the archive cannot be written\n +.*recall\/archive: permission denied/);
    // With the index lost, and the transcripts too.
    for (const path of [home.indexPath, `${home.indexPath}.last`])
      rmSync(path, { recursive: true, force: true });
    rmSync(join(home.claudeDir, 'projects/-home-u-shop'), { recursive: true });
    const again = asUser('index');
    expect(again.code).toBe(2);
    expect(again.stdout).toContain('8 transcripts from the archive');
    expect(again.stderr).not.toMatch(/internal error/);
    expect(JSON.parse(asUser('search', 'okapi', '--json').stdout).total).toBe(ids.length);
    expect(asUser('restore', ids[1] ?? '').code).toBe(0);
    expect(asUser('archive', 'verify').code).toBe(0);
    expect(readdirSync(join(home.path, 'recall')).filter((name) => name.includes('unpacked'))).toEqual([]);
    makeWritable();
    expect(asUser('index').code).toBe(0);
  });

  test('a file is in its place', () => {
    mkdirSync(join(home.path, 'recall'), { recursive: true });
    writeFileSync(archive(), 'not a folder');
    const { code, stderr } = run('index');
    expect(code).toBe(2);
    expect(lines(stderr)[0]).toMatch(
      /^recall: the archive cannot be written \(.*recall\/archive: not a directory\)/,
    );
    expect(JSON.parse(run('search', 'okapi', '--json').stdout).total).toBe(ids.length);
    const doctor = run('doctor');
    expect(doctor.code).toBe(2);
    expect(doctor.stdout).toMatch(/✗ the archive cannot be written\n +.*recall\/archive: not a directory/);
    expect(run('forget', ids[0] ?? '', '--yes').code).toBe(0);
    for (const args of [['archive'], ['archive', 'verify']])
      expect(run(...args).stderr).not.toMatch(/internal error/);
    rmSync(archive());
    expect(run('index').code).toBe(0);
    expect(readFileSync(home.indexPath).length).toBeGreaterThan(0);
  });

  test('may not even be read: it is named, and everything else goes on', () => {
    if (whyNoRights(home) !== null) return;
    const asUser = (...args: string[]) => runRecall(home, args, asOrdinaryUser);
    asUser('index');
    giveAway(home.path);
    chmodSync(archive(), 0o000);
    for (const args of [['index', '--rebuild'], ['doctor'], ['archive'], ['archive', 'verify']]) {
      const { code, stdout, stderr } = asUser(...args);
      expect([args, stderr]).toEqual([args, expect.not.stringMatching(/internal error/)]);
      if (args[0] !== 'archive' || args[1] === 'verify') expect([args, code]).toEqual([args, 2]);
      expect(stdout + stderr).toMatch(/recall\/archive.*permission denied/);
    }
    expect(JSON.parse(asUser('search', 'okapi', '--json').stdout).total).toBe(ids.length);
    chmodSync(archive(), 0o700);
  });
});

describe('segments that unpack to very much', () => {
  const id = ids[0] ?? '';
  const transcript = () => join(home.claudeDir, pathOf(id));

  /** In the place of the session's own copy: a stream of spaces, named so that it fits. */
  function plant(bytes: number, stated: number): string {
    const packed = brotliCompressSync(Buffer.alloc(bytes, 32));
    const name = readdirSync(archive(), { recursive: true, encoding: 'utf8' }).find(
      (each) => each.endsWith('.br') && each.includes(id),
    );
    const own = join(archive(), name ?? '');
    const segment = parseCopyName(basename(own))?.segment as Segment;
    const path = join(dirname(own), formatSegmentName(`${id}.jsonl`, { ...segment, from: 0, to: stated }));
    rmSync(own);
    writeFileSync(path, packed);
    return path;
  }

  test.each([
    ['more than a segment may hold', 100e6, 1.2e9],
    ['more than its name says', 8e6, 8000],
    ['more than 200 times its size', 4e6, 4e6],
  ])('%s: refused and named', (_, bytes, stated) => {
    run('index');
    const path = plant(bytes, stated);
    const verify = run('archive', 'verify');
    expect(verify.code).toBe(2);
    expect(verify.stdout).toContain(basename(path));
    if (stated > 1e6) {
      const doctor = run('doctor');
      expect(doctor.code).toBe(2);
      expect(doctor.stdout).toContain(pathOf(id));
    }
    rmSync(transcript());
    run('index', '--no-archive');
    const restore = run('restore', id, '--json');
    expect(restore.stdout + restore.stderr).toContain(basename(path));
  });

  test('what recall itself packs very tightly is not refused', () => {
    home.writeSession(id, [userLine('y '.repeat(3_000_000))]);
    run('index');
    const expected = readFileSync(transcript());
    expect(run('archive', 'verify').code).toBe(0);
    rmSync(transcript());
    run('index');
    expect(run('restore', id).code).toBe(0);
    expect(readFileSync(transcript()).equals(expected)).toBe(true);
  });
});

describe('secrets', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const id = ids[0] ?? '';
  const thinking = { type: 'thinking', thinking: `the token is ${secret}`, signature: 'c2ln' };
  const harmless = { type: 'thinking', thinking: 'nothing here', signature: 'c2ln' };

  const names = () => readdirSync(archive(), { recursive: true, encoding: 'utf8' });
  const everything = () =>
    (readdirSync(archive(), { recursive: true, encoding: 'utf8' }) as string[])
      .filter((name) => name.endsWith('.br'))
      .map((name) => brotliDecompressSync(readFileSync(join(archive(), name))).toString())
      .join('\n');

  test('turned on later, they are taken out of what is kept; it is still JSON that resumes', () => {
    const lines = [
      userLine(`use ${secret}, please`),
      assistantLine([thinking]),
      assistantLine([harmless, thinking, { type: 'text', text: 'Done.' }]),
    ];
    home.writeSession(id, lines);
    home.write(`projects/-home-u-shop/${id}/tool-results/toolu_1.txt`, `line one\n${secret}\n`);
    run('index');
    expect(everything()).toContain(secret);
    rmSync(join(home.claudeDir, 'projects/-home-u-shop'), { recursive: true });
    expect(run('index', '--redact').code).toBe(0);
    expect(everything()).not.toContain(secret);
    expect(run('archive', 'verify').code).toBe(0);
    const text = kept().get(pathOf(id)) ?? '';
    expect(text.length).toBe(toJsonl(lines).length);
    const [first, second, third] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first.message.content).toBe('use [redacted github-token], please');
    expect(second.message.content).toEqual([{ type: 'text', text: '[redacted]' }]);
    expect(third.message.content).toEqual([harmless, { type: 'text', text: 'Done.' }]);
    expect(run('restore', id).code).toBe(0);
    expect(readFileSync(join(home.claudeDir, pathOf(id)), 'utf8')).toBe(text);
  });

  test('are taken out of what a run has kept that was killed before it could say so', () => {
    run('index', '--redact');
    const snapshot = join(archive(), names().find((name) => name.endsWith('.snapshot')) ?? '');
    const before = readFileSync(snapshot);
    home.writeSession(id, [userLine(`use ${secret}, please`)]);
    run('index', '--no-redact');
    writeFileSync(snapshot, before);
    rmSync(join(home.claudeDir, pathOf(id)));
    expect(everything()).toContain(secret);
    expect(run('index', '--redact').code).toBe(0);
    expect(everything()).not.toContain(secret);
  });

  test('are looked for again in copies that older rules have cleaned', () => {
    home.writeSession(id, [userLine(`use ${secret}, please`)]);
    run('index');
    rmSync(join(home.claudeDir, pathOf(id)));
    run('index', '--redact');
    const isOwn = (name: string) => name.endsWith('.br') && name.includes(id);
    // As if the rules of the version before had not known it.
    const bytes = Buffer.from(toJsonl([userLine(`use ${secret}, please`)]));
    const [name = ''] = names().filter(isOwn);
    const folder = dirname(join(archive(), name));
    const segment = parseCopyName(basename(name))?.segment as Segment;
    const facts = {
      ...segment,
      to: bytes.length,
      checksum: toChecksum(bytes),
      redactionVersion: redactionVersion - 1,
    };
    rmSync(join(archive(), name));
    writeFileSync(join(folder, formatSegmentName(`${id}.jsonl`, facts)), brotliCompressSync(bytes));
    expect(everything()).toContain(secret);
    expect(run('index').code).toBe(0);
    expect(everything()).not.toContain(secret);
    expect(
      names()
        .filter(isOwn)
        .map((own) => parseCopyName(basename(own))?.segment?.redactionVersion),
    ).toEqual([redactionVersion]);
  });

  test('from the first run on, and what is added is cleaned, too', () => {
    home.writeSession(id, [userLine(`use ${secret}`)]);
    run('index', '--redact');
    home.append(pathOf(id), [userLine(`and ${secret} again`)]);
    run('index');
    expect(everything()).not.toContain(secret);
    expect(everything()).toContain('and [redacted github-token] again');
    run('index', '--rebuild');
    expect(JSON.parse(run('index', '--json').stdout).archive.addedBytes).toBe(0);
  });
});
