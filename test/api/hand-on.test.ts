// A session that is handed on: what comes out on the other side is the same conversation, without secrets and with paths that say
// nothing of whose they were; and a file that was tampered with changes nothing but what an import may change.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toShortener } from '../../src/api/hand-on/export.ts';
import { Recall } from '../../src/api/recall.ts';
import { formatSegmentName } from '../../src/archive/layout.ts';
import { toChecksum } from '../../src/archive/segments.ts';
import { UserError } from '../../src/errors.ts';
import { redact, toShortMarker } from '../../src/text/redact.ts';
import { assistantLine, at, type Line, TempHome, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';
import { runRecall } from '../support/program.ts';

const id = '5c0de5ca-1e00-4000-8000-00000000b0a7';
const secret = `ghp_${'k3Y9'.repeat(9)}`;

let maya: TempHome;
let bob: TempHome;
beforeEach(() => {
  [maya, bob] = [new TempHome(), new TempHome()];
});
afterEach(() => {
  for (const home of [maya, bob]) home.remove();
});

function write(lines: readonly Line[], home = maya): void {
  home.writeSession(id, lines, join(home.path, 'shop').replaceAll(/[^A-Za-z0-9]/g, '-'));
}

async function exportTo(path: string, request: Parameters<Recall['export']>[1] = {}): Promise<Buffer> {
  const recall = new Recall(toHost(maya));
  try {
    await recall.index();
    const { chunks } = await recall.export(id, { by: 'maya', ...request });
    const all: Buffer[] = [];
    for await (const chunk of chunks) all.push(chunk);
    writeFileSync(path, Buffer.concat(all));
    return Buffer.concat(all);
  } finally {
    recall.close();
  }
}

async function say(home: TempHome): Promise<(string | null)[][]> {
  const recall = new Recall(toHost(home));
  try {
    const { start } = await recall.read(id);
    const said: (string | null)[][] = [];
    for await (const { pieces } of recall.pages(start))
      for (const piece of pieces)
        if (piece.type === 'part' && piece.part.type === 'message') {
          const { role, text, timestamp } = piece.part.message;
          said.push([role, text, timestamp]);
        }
    return said;
  } finally {
    recall.close();
  }
}

const filesBelow = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, createHash('sha1').update(readFileSync(path)).digest('hex')]),
  );

test('what is imported is what was exported, redacted and with short paths', async () => {
  const word = fc.constantFrom(
    'walrus',
    'on ice',
    secret,
    `password=Hunter2${'x'.repeat(6)}9`,
    'HOME/shop',
    'HOME',
    'HOMEland',
  );
  const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const message = fc.record({
    isUser: fc.boolean(),
    text,
    cwd: fc.constantFrom('shop', 'shop/sub', 'other'),
  });
  const run = async (messages: readonly { isUser: boolean; text: string; cwd: string }[]) => {
    for (const home of [maya, bob]) home.remove();
    [maya, bob] = [new TempHome(), new TempHome()];
    const texts = messages.map((each) => each.text.replaceAll('HOME', maya.path));
    write(
      messages.map(({ isUser, cwd }, i) => {
        const about = { sessionId: id, cwd: join(maya.path, cwd), timestamp: at(i) };
        return isUser ? userLine(texts[i], about) : assistantLine(texts[i] as string, about);
      }),
    );
    const path = join(bob.path, 'x.tar');
    await exportTo(path);
    const recall = new Recall(toHost(bob));
    expect(await recall.import(path)).toMatchObject({ state: 'imported', by: 'maya', agent: 'claude', id });
    recall.close();
    const expected = texts.map((each, i) => [
      messages[i]?.isUser ? 'user' : 'assistant',
      redact(each, toShortMarker)
        .replaceAll(new RegExp(`${maya.path}(?![\\w-])`, 'g'), '~')
        .trim(),
      at(i),
    ]);
    expect(await say(bob)).toEqual(expected);
    for (const [file] of filesBelow(bob.path))
      if (file.endsWith('.br')) {
        const content = brotliDecompressSync(readFileSync(file)).toString();
        expect(content).not.toContain(secret);
        expect(content.replaceAll(`${maya.path}land`, '')).not.toContain(maya.path);
      }
  };
  await fc.assert(fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 6 }), run), { numRuns: 15 });
}, 60_000);

describe('what is signed', () => {
  const thinking = (text: string) => ({ type: 'thinking', thinking: text, signature: 'c2ln' });
  const importedLines = () =>
    [...filesBelow(bob.path).keys()]
      .filter((file) => file.endsWith('.br'))
      .flatMap((file) => brotliDecompressSync(readFileSync(file)).toString().trim().split('\n'));

  test('stays as it is, or is left out with a secret or a path: edited, it would be refused', async () => {
    const sound = thinking('a walrus');
    write([
      userLine('hello', { sessionId: id, cwd: join(maya.path, 'shop') }),
      assistantLine([sound, { type: 'text', text: 'one' }]),
      assistantLine([thinking(`it is ${secret}`), { type: 'text', text: 'two' }]),
      assistantLine([thinking(`in ${maya.path}/shop`), { type: 'text', text: 'three' }]),
    ]);
    const path = join(bob.path, 'x.tar');
    await exportTo(path);
    const recall = new Recall(toHost(bob));
    await recall.import(path);
    recall.close();
    const contents = importedLines().map((line) => JSON.parse(line).message.content);
    expect(contents.slice(1)).toEqual([
      [sound, { type: 'text', text: 'one' }],
      [{ type: 'text', text: 'two' }],
      [{ type: 'text', text: 'three' }],
    ]);
  });
});

test('the home directory is shortened in every way it is written, and nothing that only looks like it', () => {
  const shorten = toShortener(['/home/maya', 'C:\\Users\\maya', '/root']);
  const cases: [string, string][] = [
    ['cd /home/maya/shop', 'cd ~/shop'],
    ['"cwd":"/home/maya"', '"cwd":"~"'],
    ['file:///home/maya/x', 'file://~/x'],
    ['{"a":"one\\n/home/maya/x"}', '{"a":"one\\n~/x"}'],
    ['\\u001b[32m/home/maya/x', '\\u001b[32m~/x'],
    ['"\\/home\\/maya\\/x"', '"~\\/x"'],
    ['"C:\\\\Users\\\\maya\\\\x"', '"~\\\\x"'],
    ['C:/Users/maya/x', '~/x'],
    ['.claude/projects/-home-maya-shop/a.jsonl', '.claude/projects/--shop/a.jsonl'],
    ['/home/maya2/x /mnt/home/maya/x /home/maya-old', '/home/maya2/x /mnt/home/maya/x /home/maya-old'],
    ['npm --root x; src/root/index.ts', 'npm --root x; src/root/index.ts'],
    ['ls /root/.ssh', 'ls ~/.ssh'],
  ];
  for (const [before, after] of cases) expect(shorten(before)).toBe(after);
});

test('one that is here is not doubled; a newer export takes the place of an older import', async () => {
  const first = [
    userLine('the walrus', { sessionId: id, timestamp: at(1) }),
    assistantLine('on ice', { timestamp: at(2) }),
  ];
  write(first);
  const [older, newer] = [join(bob.path, 'older.tar'), join(bob.path, 'newer.tar')];
  await exportTo(older);
  write([...first, userLine('and a narwhal', { timestamp: at(3) })]);
  const mayas = new Recall(toHost(maya, { now: () => new Date('2026-11-17T12:00:00.000Z') }));
  await mayas.index();
  const { chunks } = await mayas.export(id, { by: 'maya' });
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  writeFileSync(newer, Buffer.concat(all));
  expect(await mayas.import(older)).toMatchObject({ state: 'present' });
  mayas.close();
  const bobs = new Recall(toHost(bob));
  const states: string[] = [];
  for (const path of [older, older, newer, newer, older]) states.push((await bobs.import(path)).state);
  expect(states).toEqual(['imported', 'present', 'updated', 'present', 'present']);
  const { sessions } = await bobs.list({ all: true });
  expect(sessions.map(({ session }) => [session.nativeId, session.messageCount, session.importedOn])).toEqual(
    [[id, 3, '2026-11-17']],
  );
  expect(
    readdirSync(join(bob.path, 'recall', 'archive')).filter((name) => name.startsWith('import-')),
  ).toHaveLength(1);
  bobs.close();
});

interface Entry {
  readonly name: string;
  readonly bytes: Buffer;
}

function readTar(tar: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let from = 0; tar[from] !== 0; ) {
    const name = tar.toString('latin1', from, from + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', from + 124, from + 135), 8);
    entries.push({ name, bytes: tar.subarray(from + 512, from + 512 + size) });
    from += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}

/** With checksums that are right: who tampers with a bundle makes them anew. */
function writeTar(entries: readonly Entry[], header: Partial<Record<number, string>> = {}): Buffer {
  const sums = entries
    .filter(({ name }) => !name.endsWith('SHA256SUMS'))
    .map(
      ({ name, bytes }) => `${createHash('sha256').update(bytes).digest('hex')}  ${name.split('/').at(-1)}\n`,
    );
  const all = entries.map((each) =>
    each.name.endsWith('SHA256SUMS') ? { ...each, bytes: Buffer.from(sums.join('')) } : each,
  );
  const blocks = all.flatMap(({ name, bytes }, i) => {
    const head = Buffer.alloc(512);
    const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
    const fields = {
      0: name,
      100: '0000644\0',
      108: '0000000\0',
      116: '0000000\0',
      124: octal(bytes.length, 11),
    };
    const more = {
      136: octal(0, 11),
      148: ' '.repeat(8),
      156: '0',
      257: 'ustar\x0000',
      ...(i === 0 ? header : {}),
    };
    for (const [place, text] of Object.entries({ ...fields, ...more }))
      head.write(text ?? '', Number(place), 'latin1');
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
    return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

test('a secret in the name of a branch is taken out', async () => {
  write([userLine('the walrus', { sessionId: id, timestamp: at(1), gitBranch: `try-${secret}` })]);
  expect((await exportTo(join(bob.path, 'x.tar'))).includes(secret)).toBe(false);
});

describe('a file that was tampered with', () => {
  let sound: Buffer;
  let path: string;
  let recall: Recall;
  beforeEach(async () => {
    write([
      userLine('the walrus', { sessionId: id, timestamp: at(1), cwd: join(maya.path, 'shop') }),
      assistantLine('on ice', { timestamp: at(2) }),
    ]);
    maya.write(
      `projects/${join(maya.path, 'shop').replaceAll(/[^A-Za-z0-9]/g, '-')}/${id}/subagents/agent-a1.jsonl`,
      [userLine('a narwhal', { sessionId: id, agentId: 'a1', isSidechain: true })],
    );
    path = join(bob.path, 'x.tar');
    sound = await exportTo(path);
    recall = new Recall(toHost(bob));
    await recall.index();
  });
  afterEach(() => recall.close());

  /** Nothing but the archive, the index and the labels may be different; and nothing is there of what is refused. */
  async function tryImport(tar: Buffer): Promise<'refused' | 'taken'> {
    writeFileSync(path, tar);
    const own = join(bob.path, 'recall');
    const outside = () =>
      [...filesBelow(bob.path)].filter(([file]) => !file.startsWith(own) && file !== path);
    const archive = () => (existsSync(join(own, 'archive')) ? [...filesBelow(join(own, 'archive'))] : []);
    const before = outside();
    const [archived] = [archive()];
    try {
      await recall.import(path);
      expect(outside()).toEqual(before);
      return 'taken';
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
      expect(outside()).toEqual(before);
      expect(archive()).toEqual(archived);
      return 'refused';
    }
  }

  const edit = (change: (manifest: Record<string, never>) => unknown) =>
    writeTar(
      readTar(sound).map((each) => {
        if (!each.name.endsWith('manifest.json')) return each;
        const manifest = JSON.parse(each.bytes.toString());
        return { ...each, bytes: Buffer.from(JSON.stringify(change(manifest) ?? manifest)) };
      }),
    );

  test('that is not changed is taken', async () => {
    expect(writeTar(readTar(sound)).equals(sound)).toBe(true);
    expect(await tryImport(sound)).toBe('taken');
  });

  test('in any byte is refused', async () => {
    const byte = fc.record({ place: fc.nat(sound.length - 1), change: fc.integer({ min: 1, max: 255 }) });
    const cut = fc.record({ length: fc.nat(sound.length - 1) });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 9, arbitrary: byte }, { weight: 1, arbitrary: cut }),
        async (how) => {
          const changed = Buffer.from('length' in how ? sound.subarray(0, how.length) : sound);
          if ('place' in how) changed[how.place] = (changed[how.place] ?? 0) ^ how.change;
          expect(await tryImport(changed)).toBe('refused');
        },
      ),
      { numRuns: Number(process.env.RECALL_MUTATIONS ?? 300) },
    );
  }, 900_000);

  const hostilePath = fc.constantFrom(
    '../../../x.jsonl',
    '/etc/cron.d/x.jsonl',
    `projects/../../${id}.jsonl`,
    `projects/-x/${id}.jsonl/../../../y`,
    `projects/-x/..\\..\\${id}.jsonl`,
    'settings.json',
    `projects/-x/${id}.jsonl`,
    `projects//${id}.jsonl`,
    `projects/${'x'.repeat(4000)}/${id}.jsonl`,
    '',
  );
  const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
    hostilePath,
    fc.constantFrom(
      null,
      -1,
      1e15,
      0.5,
      true,
      [],
      {},
      'codex',
      '__proto__',
      '\0',
      '0001.br',
      'manifest.json',
      id,
    ),
    fc.string({ maxLength: 12 }),
  );

  test('in its manifest, with checksums that are right, changes nothing outside', async () => {
    const places = ['agent', 'id', 'by', 'exportedAt', 'cwd', 'files', 'labels', 'recallBundle', 'title'];
    const ofFile = ['path', 'bytes', 'lines', 'parts', 'modifiedAtMs', 'entry', 'name'];
    const run = async (changes: readonly { place: string; nth: number; value: unknown }[]) => {
      const tar = edit((manifest: Record<string, unknown>) => {
        for (const { place, nth, value } of changes) {
          const file = (manifest.files as Record<string, unknown>[])?.[nth];
          const part = (file?.parts as Record<string, unknown>[])?.[0];
          if (places.includes(place)) manifest[place] = value;
          else if (place === 'entry' || place === 'name') Object.assign(part ?? {}, { [place]: value });
          else Object.assign(file ?? {}, { [place]: value });
        }
      });
      if ((await tryImport(tar)) === 'refused') return;
      const before = filesBelow(bob.path);
      const way = { into: bob.path, dryRun: false };
      await recall.archive.restore(id, way).catch((error) => expect(error).toBeInstanceOf(UserError));
      const added = [...filesBelow(bob.path).keys()].filter(
        (file) => !before.has(file) && !file.startsWith(join(bob.path, 'recall')),
      );
      for (const file of added) expect(file).toContain(join(bob.claudeDir, 'projects/'));
    };
    const change = fc.record({
      place: fc.constantFrom(...places, ...ofFile),
      nth: fc.nat(1),
      value: hostileValue,
    });
    await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), run), {
      numRuns: Number(process.env.RECALL_MUTATIONS ?? 200),
    });
  }, 900_000);

  test.each([
    ['a link', { 156: '2', 157: '/etc/passwd' }],
    ['a hard link', { 156: '1', 157: '../../.bashrc' }],
    ['a directory', { 156: '5' }],
    ['a name with a prefix', { 345: '../../..' }],
    ['the rights of root', { 100: '0004755\0' }],
  ])('to have %s is refused', async (_what, header) => {
    expect(await tryImport(writeTar(readTar(sound), header))).toBe('refused');
  });

  test.each([
    '../../../x.br',
    '/tmp/x.br',
    'recall-session/../x.br',
    'recall-session/0001.sh',
    'recall-session/0002.br',
  ])('to have an entry %s is refused', async (name) => {
    const [first, ...rest] = readTar(sound) as [Entry, ...Entry[]];
    expect(await tryImport(writeTar([{ ...first, name }, ...rest]))).toBe('refused');
    expect(await tryImport(writeTar([first, { name, bytes: Buffer.from('x') }, ...rest]))).toBe('refused');
  });

  test('to unpack to very much is refused before it is unpacked', async () => {
    const bomb = Buffer.alloc(8 * 1024 * 1024, ' ');
    const name = formatSegmentName(`${id}.jsonl`, {
      ...{ version: 1, from: 0, to: bomb.length, checksum: toChecksum(bomb) },
      ...{ fingerprint: '0'.repeat(16), redactionVersion: 3 },
    });
    const [, ...rest] = readTar(
      edit((manifest: Record<string, never>) => {
        const [file] = manifest.files as unknown as {
          parts: { name: string }[];
          bytes: number;
          lines: number;
        }[];
        Object.assign(file?.parts[0] ?? {}, { name });
        Object.assign(file ?? {}, { bytes: bomb.length, lines: 0 });
      }),
    );
    const first = { name: 'recall-session/0001.br', bytes: brotliCompressSync(bomb) };
    expect(first.bytes.length).toBeLessThan(1000);
    await expect(async () => {
      writeFileSync(path, writeTar([first, ...rest]));
      await recall.import(path);
    }).rejects.toThrow('more than 200 times its size');
  });

  test.each([
    ['of no kind', { field: 'colour' }],
    ['of another type', { value: { star: 1 } }],
    ['so late that nobody could ever change it', { changedAt: '9999-12-31T23:59:59.999Z' }],
    ['at the end of all time', { changedAt: '+275760-09-13T00:00:00.000Z' }],
  ])('to have a label %s is refused, as a file', async (_what, change) => {
    const label = { agent: 'claude', id, message: null, field: 'name', value: 'x', changedAt: at(1) };
    const withLabel = (each: object) =>
      edit((manifest: Record<string, unknown>) => ({ ...manifest, labels: [each] }));
    writeFileSync(path, withLabel({ ...label, ...change }));
    await expect(recall.import(path)).rejects.toMatchObject({ code: 'bad-bundle' });
    expect(await tryImport(withLabel(label))).toBe('taken');
  });

  test('to say control characters says none to the terminal', () => {
    const nasty = 'x \x1b]0;owned\x07\x1b[2J\r\x9b31m \u202e$(y)\n';
    const label = (field: string, message: string | null = null) => ({
      ...{ agent: 'claude', id, message, field, value: nasty, changedAt: at(1) },
    });
    const labels = [
      label('name'),
      label('star'),
      label('tag:\x1b[2J\u202e'),
      label('note'),
      label('note', nasty),
    ];
    writeFileSync(
      path,
      edit((manifest: Record<string, unknown>) => ({
        ...{
          ...manifest,
          by: nasty,
          title: nasty,
          branch: nasty,
          remote: nasty,
          commit: nasty,
          cwd: `/${nasty}`,
          labels,
        },
      })),
    );
    const ref = id.slice(0, 8);
    const into = ['--restore', '--into', bob.path, '--dry-run'];
    for (const args of [
      ['import', path],
      ['import', path],
      ['list', '--columns', 'all'],
      ['search', 'walrus'],
      ['show', ref],
      ['open', ref],
      ['open', ref, ...into],
      ['labels'],
      ['stats'],
      ['hub'],
    ]) {
      const { stdout, stderr } = runRecall(bob, args);
      expect([args, stdout + stderr]).toEqual([
        args,
        expect.not.stringMatching(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/),
      ]);
      expect(stderr).not.toContain('internal error');
    }
  });

  test('a folder or a pipe in its place is refused', async () => {
    mkdirSync(join(bob.path, 'folder.tar'));
    symlinkSync(join(bob.path, 'nowhere'), join(bob.path, 'link.tar'));
    for (const name of ['folder.tar', 'link.tar', 'missing.tar'])
      await expect(recall.import(join(bob.path, name))).rejects.toThrow('cannot be imported');
  });
});
