// Whatever happens to a file, and wherever keeping it is interrupted: what was kept can be read back, byte for byte.

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync as readFile,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keepFile } from '../../src/archive/keep-file.ts';
import {
  type CopyPlace,
  formatPrunedName,
  Listings,
  parseCopyName,
  type Segment,
  toArchiveRoot,
  toPlace,
} from '../../src/archive/layout.ts';
import { type Clean, readRange, readStretches } from '../../src/archive/segments.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recall-keep-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const small = 64;

function keep(
  place: CopyPlace,
  clean: Clean | null = null,
  { isTranscript = true, signal = new AbortController().signal } = {},
) {
  const options = {
    listings: new Listings(),
    isTranscript,
    hasLines: isTranscript,
    clean,
    segmentBytes: small,
    signal,
  };
  return keepFile(join(folder, 'source'), place, options);
}

function write(content: string): void {
  writeFileSync(join(folder, 'source'), content);
}

/** Every version that is kept, the newest first; throws where something is damaged. */
function contents(place: CopyPlace): string[] {
  return new Listings().find(place).versions.map((version) => {
    const bytes = [...readStretches(place, version)].map((stretch) => {
      if ('damage' in stretch) throw new Error(stretch.damage.reason);
      return stretch.bytes;
    });
    return Buffer.concat(bytes).toString();
  });
}

/** A line without its end may still change. */
const wholeLines = (versions: readonly string[]) =>
  new Set(versions.flatMap((text) => text.match(/[^\n]+(?=\n)/g) ?? []));

const newPlace = (machine: string): CopyPlace =>
  toPlace(toArchiveRoot(folder, machine, 'claude', '/home/maya/.claude'), 'a.jsonl');

const line = fc.string({ maxLength: 40 }).map((text) => `${JSON.stringify({ text })}\n`);
const lines = fc.array(line, { minLength: 1, maxLength: 8 }).map((all) => all.join(''));

type Change =
  | { readonly type: 'append'; readonly text: string }
  | { readonly type: 'rewrite'; readonly text: string }
  | { readonly type: 'cut'; readonly at: number }
  | { readonly type: 'edit'; readonly at: number };

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('append' as const), text: lines }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('append' as const), text: fc.string({ maxLength: 20 }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('rewrite' as const), text: lines }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('cut' as const),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('edit' as const),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
);

function apply(content: string, made: Change): string {
  if (made.type === 'append') return content + made.text;
  if (made.type === 'rewrite') return made.text;
  const at = Math.floor(made.at * content.length);
  return made.type === 'cut' ? content.slice(0, at) : `${content.slice(0, at)}#${content.slice(at + 1)}`;
}

/** The names that a run added, in the order in which they got their place, and then those that it deleted. */
function toSteps(
  before: readonly string[],
  after: readonly string[],
): { added: Segment[]; deleted: string[] } {
  const added = after
    .filter((name) => !before.includes(name))
    .flatMap((name) => parseCopyName(name)?.segment ?? [])
    .sort((a, b) => a.from - b.from);
  const [start] = added;
  if (
    start?.from === 0 &&
    start.version > 1 &&
    !before.some((name) => parseCopyName(name)?.segment?.version === start.version)
  )
    added.push(added.shift() as Segment);
  return { added, deleted: before.filter((name) => !after.includes(name)) };
}

const namesIn = (place: CopyPlace) => {
  mkdirSync(place.folder, { recursive: true });
  return readdirSync(place.folder);
};

describe('a file and its changes', () => {
  test('any sequence of appends, rewrites, cuts and kills gives the same bytes, and no line is lost', async () => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.array(fc.record({ made: change, kill: fc.option(fc.double({ min: 0, max: 1, noNaN: true })) }), {
          maxLength: 8,
        }),
        async (first, changes) => {
          const place = newPlace(`p${n++}`);
          let content = first;
          let kept = '';
          const everKept = new Set<string>();
          for (const { made, kill } of [
            { made: { type: 'append', text: '' } as Change, kill: null },
            ...changes,
          ]) {
            content = apply(content, made);
            write(content);
            const before = namesIn(place);
            const copy = `${place.folder}-before`;
            cpSync(place.folder, copy, { recursive: true });
            await keep(place);
            if (content !== '') {
              expect(contents(place)[0]).toBe(content);
              kept = content;
            }
            for (const each of wholeLines(contents(place))) everKept.add(each);
            if (kill !== null) {
              const { added, deleted } = toSteps(before, namesIn(place));
              const step = Math.floor(kill * (added.length + deleted.length + 1));
              for (const { name } of added.slice(0, step)) cpSync(join(place.folder, name), join(copy, name));
              for (const name of deleted.slice(0, Math.max(0, step - added.length))) rmSync(join(copy, name));
              writeFileSync(join(copy, '.new-0123456789ab'), 'half a segm');
              const [newest = ''] = contents({ ...place, folder: copy });
              if (step === 0 && before.length > 0) expect(newest).not.toBe('');
              rmSync(place.folder, { recursive: true });
              cpSync(copy, place.folder, { recursive: true });
              // The next run finds what the killed one has left, and finishes it.
              await keep(place);
              if (content !== '') expect(contents(place)[0]).toBe(content);
            }
            rmSync(copy, { recursive: true });
            const held = wholeLines(contents(place));
            for (const each of everKept) expect(held).toContain(each);
          }
          expect(contents(place)[0] ?? '').toBe(kept);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('at every step of a rewrite the old version counts, until the new one is whole', async () => {
    const place = newPlace('steps');
    const [old, fresh] = ['old line\n'.repeat(40), 'new line\n'.repeat(40)];
    write(old);
    await keep(place);
    const before = namesIn(place);
    const copy = `${place.folder}-before`;
    cpSync(place.folder, copy, { recursive: true });
    write(fresh);
    await keep(place);
    const { added } = toSteps(before, namesIn(place));
    expect(added.length).toBeGreaterThan(3);
    for (const [i, { name }] of added.entries()) {
      expect(contents({ ...place, folder: copy })[0]).toBe(old);
      cpSync(join(place.folder, name), join(copy, name));
      if (i === added.length - 1) expect(contents({ ...place, folder: copy })).toEqual([fresh, old]);
    }
  });

  test('a new version gets the name of its start last, so that the old one counts until then', async () => {
    const place = newPlace('start');
    const [old, fresh] = ['old line\n'.repeat(40), '"new line"\n'.repeat(40)];
    write(old);
    await keep(place);
    write(fresh);
    const found = new Set<string | undefined>();
    const interrupt = new AbortController();
    const look: Clean = (bytes) => {
      found.add(contents(place)[0]);
      if (namesIn(place).some((name) => parseCopyName(name)?.segment?.version === 2)) interrupt.abort();
      return bytes;
    };
    await expect(keep(place, look, { signal: interrupt.signal })).rejects.toThrow();
    expect(contents(place)).toEqual([old]);
    expect(namesIn(place).filter((name) => name.startsWith('.'))).toEqual([]);
    await keep(place, look);
    expect([...found]).toEqual([old]);
    expect(contents(place)).toEqual([fresh]);
  });

  test('many small additions leave few segments, and nothing changed writes nothing', async () => {
    const place = newPlace('many');
    let content = '';
    for (let i = 0; i < 60; i++) {
      content += `${i}\n`;
      write(content);
      await keep(place);
    }
    expect(namesIn(place).length).toBeLessThan(14);
    const before = namesIn(place);
    expect(await keep(place)).toEqual({ bytes: 0, addedBytes: 0, isChecked: true });
    expect(namesIn(place)).toEqual(before);
  });

  test('an older version goes when the new one holds every line of it, and a sidecar keeps only the newest', async () => {
    const place = newPlace('older');
    write('one\ntwo\n');
    await keep(place);
    write('zero\none\ntwo\n');
    await keep(place);
    expect(contents(place)).toEqual(['zero\none\ntwo\n']);
    write('two\n');
    await keep(place);
    expect(contents(place)).toEqual(['two\n', 'zero\none\ntwo\n']);
    const sidecar = newPlace('sidecar');
    for (const text of ['{"title":"long"}', '{"title":""}']) {
      write(text);
      await keep(sidecar, null, { isTranscript: false });
    }
    expect(contents(sidecar)).toEqual(['{"title":""}']);
  });

  test('a last line without its end may be half of one: it stands for no line of an older version', async () => {
    const place = newPlace('half');
    write('one\ntwo\n');
    await keep(place);
    write('zero\none\ntwo');
    await keep(place);
    expect(contents(place)).toEqual(['zero\none\ntwo', 'one\ntwo\n']);
    write('zero\none\ntwo hundred\n');
    await keep(place);
    expect(contents(place)).toEqual(['zero\none\ntwo hundred\n', 'one\ntwo\n']);
    const torn = newPlace('torn');
    write('one\ntw');
    await keep(torn);
    write('zero\none\n');
    await keep(torn);
    expect(contents(torn)).toEqual(['zero\none\n', 'one\ntw']);
  });

  test('a file whose copy was pruned is kept again only when its size has changed', async () => {
    const place = newPlace('pruned');
    write('one\n');
    namesIn(place);
    writeFileSync(join(place.folder, formatPrunedName(place.stem, 4)), '');
    expect(await keep(place)).toMatchObject({ bytes: 0, addedBytes: 0 });
    write('one\ntwo\n');
    expect(await keep(place)).toMatchObject({ bytes: 8 });
  });

  test('every segment is one complete brotli stream, and names in their order give the file', async () => {
    const place = newPlace('plain');
    const content = Array.from({ length: 50 }, (_, i) => `line ${i}\n`).join('');
    write(content);
    await keep(place);
    const packed = namesIn(place)
      .sort()
      .map((name) => brotliDecompressSync(readFile(join(place.folder, name))));
    expect(Buffer.concat(packed).toString()).toBe(content);
    const [version] = new Listings().find(place).versions;
    expect(version && readRange(place, version, 60, 210)?.toString()).toBe(content.slice(60, 210));
    expect(version && readRange(place, version, 60, 1e6)).toBe(null);
  });
});

describe('secrets', () => {
  const clean: Clean = (bytes) => Buffer.from(bytes.toString().replaceAll('secret', '***'));

  test('are taken out without moving a byte, in every piece and every later run', async () => {
    const place = newPlace('secrets');
    write('{"a":"plain"}\n{"a":"secret"}\n');
    await keep(place);
    write('{"a":"plain"}\n{"a":"secret"}\n{"b":"secret"}\n{"torn":"sec');
    await keep(place, clean);
    expect(contents(place)).toEqual(['{"a":"plain"}\n{"a":"***"}   \n{"b":"***"}   \n']);
    write('{"a":"plain"}\n{"a":"secret"}\n{"b":"secret"}\n{"torn":"secret"}\n');
    await keep(place, clean);
    expect(contents(place)).toEqual(['{"a":"plain"}\n{"a":"***"}   \n{"b":"***"}   \n{"torn":"***"}   \n']);
  });

  test('a line that is too long to be looked through is left out', async () => {
    const place = newPlace('long');
    const long = `{"a":"${'secret '.repeat(40)}"}\n`;
    write(`{"b":1}\n${long}{"c":2}\n`);
    await keep(place, clean);
    const [kept = ''] = contents(place);
    const [first, second = '', third] = kept.split('\n');
    expect([first, second.trim(), third]).toEqual(['{"b":1}', '{"type":"redacted"}', '{"c":2}']);
    expect(second.length).toBe(long.length - 1);
  });

  test('nothing of such a line is kept where it has no end', async () => {
    const place = newPlace('endless');
    write(`{"b":1}\n{"a":"${'secret '.repeat(40)}`);
    await keep(place, clean);
    expect(contents(place).join('')).toContain('{"b":1}\n');
    expect(contents(place).join('')).not.toContain('sec');
  });

  test('half a line is not kept at all, however little there is', async () => {
    const place = newPlace('little');
    write('{"torn":"secr');
    await keep(place, clean);
    expect(namesIn(place)).toEqual([]);
  });

  test('a line that is not JSON takes no other with it', async () => {
    const place = newPlace('other');
    write('not JSON\n\n{"a":"secret"}\n{"b":"secret"}');
    await keep(place, clean);
    expect(contents(place)).toEqual(['not JSON\n\n{"a":"***"}   \n{"b":"***"}   ']);
  });

  test('are taken out of a file without lines as well', async () => {
    const place = newPlace('whole');
    write('one secret\nand another secret');
    await keep(place, clean, { isTranscript: false });
    expect(contents(place)).toEqual(['one ***\nand another ***      ']);
  });

  test('what would become longer is not written', async () => {
    const place = newPlace('longer');
    write('{"a":1}\n');
    await expect(keep(place, (bytes) => Buffer.concat([bytes, bytes]))).rejects.toThrow('longer');
    expect(namesIn(place)).toEqual([]);
  });
});
