// Lines of compressed transcripts are found by their places, as far as is held of them, and whatever is wrong costs the line.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadZstd } from '../../../src/sources/files/zstd.ts';
import { PackedLines, readFirstPackedLine } from '../../../src/sources/transcript/packed-lines.ts';
import { TempHome } from '../../support/home.ts';

const hasProgram = spawnSync('zstd', ['--version']).status === 0;
const home = new TempHome();
const path = join(home.path, 'rollout.jsonl.zst');
const lines = Array.from({ length: 3000 }, (_, n) =>
  Buffer.from(`{"n":${n},"text":"${'größer '.repeat(n % 90)}"}`),
);

beforeAll(async () => {
  await loadZstd();
  pack(Buffer.concat(lines.map((line) => Buffer.concat([line, Buffer.from('\n')]))), path);
});
afterAll(() => home.remove());

function pack(bytes: Buffer, to: string): void {
  const done = spawnSync('zstd', ['-qc'], { input: bytes, maxBuffer: 2 ** 30 });
  if (hasProgram) writeFileSync(to, done.stdout);
}

const places = lines.map((line, i) => ({
  lineFrom: lines.slice(0, i).reduce((sum, each) => sum + each.length + 1, 0),
  lineBytes: line.length,
}));

describe.runIf(hasProgram)('a line', () => {
  test('is found in whatever order lines are asked for, on disk and in a copy', () => {
    const packed = new PackedLines();
    const kept = { path, chunks: () => [readFileSync(path)] };
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(lines.length - 1), fc.boolean()), { maxLength: 6 }), (asked) => {
        for (const [n, isKept] of asked) {
          const place = places[n] as (typeof places)[number];
          const line = isKept ? packed.findKept(kept, place) : packed.findOnDisk(path, place);
          expect(line?.equals(lines[n] as Buffer)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('is none where it is further from the start than whoever asks can wait', () => {
    const packed = new PackedLines();
    const place = places[2500] as (typeof places)[number];
    const end = place.lineFrom + place.lineBytes;
    expect(packed.findOnDisk(path, { ...place, maxPackedBytes: end - 1 })).toBeNull();
    expect(packed.findOnDisk(path, { ...place, maxPackedBytes: end })?.equals(lines[2500] as Buffer)).toBe(
      true,
    );
  });

  test('of a damaged file is found before the damage, which is met once', () => {
    const packed = new PackedLines();
    const bytes = readFileSync(path);
    let opened = 0;
    const kept = {
      path: 'damaged.zst',
      chunks: () => {
        opened++;
        return [bytes.subarray(0, bytes.length - 200), Buffer.alloc(400, 7)];
      },
    };
    for (const n of [2999, 2999, 5, 2999]) {
      const found = packed.findKept(kept, places[n] as (typeof places)[number]);
      if (n === 2999) expect(found).toBeNull();
    }
    expect(opened).toBe(1);
  });

  test('is none where no line starts or ends', () => {
    const packed = new PackedLines();
    const { lineFrom, lineBytes } = places[50] as (typeof places)[number];
    for (const place of [
      { lineFrom: lineFrom + 1, lineBytes },
      { lineFrom, lineBytes: lineBytes + 1 },
      { lineFrom: 2 ** 33, lineBytes: 10 },
    ])
      expect(packed.findOnDisk(path, place)).toBeNull();
  });

  test('is none in a file that is damaged or gone, and found in the next', () => {
    const packed = new PackedLines();
    const broken = join(home.path, 'broken.zst');
    const bytes = readFileSync(path);
    writeFileSync(broken, Buffer.concat([bytes.subarray(0, 40), Buffer.alloc(400, 7)]));
    const place = places[2500] as (typeof places)[number];
    expect(packed.findOnDisk(broken, place)).toBeNull();
    expect(packed.findOnDisk(join(home.path, 'missing.zst'), place)).toBeNull();
    expect(packed.findOnDisk(path, place)?.equals(lines[2500] as Buffer)).toBe(true);
  });

  test('that is too far from the start is not read, and takes no more memory than what is held', () => {
    const large = join(home.path, 'large.zst');
    const part = Buffer.from(`{"text":"${'x'.repeat(1000)}"}\n`);
    const script = `for (let i = 0; i < 400; i++) process.stdout.write(Buffer.alloc(${part.length * 1000}, ${JSON.stringify(part.toString())}))`;
    const made = spawnSync('sh', ['-c', `"${process.execPath}" -e '${script}' | zstd -q -o "${large}"`]);
    expect(made.status).toBe(0);
    const packed = new PackedLines();
    const at = (n: number) => ({ lineFrom: n * part.length, lineBytes: part.length - 1 });
    const before = process.memoryUsage().rss;
    expect(packed.findOnDisk(large, at(350_000))).toBeNull();
    expect(packed.findOnDisk(large, at(50_000))?.length).toBe(part.length - 1);
    expect(process.memoryUsage().rss - before).toBeLessThan(250e6);
  });
});

test.runIf(hasProgram)('the first line is read without the rest', () => {
  const bytes = readFileSync(path);
  expect(readFirstPackedLine([bytes.subarray(0, bytes.length / 2)])?.toString()).toBe(lines[0]?.toString());
  expect(readFirstPackedLine([Buffer.from('no zstd')])).toBeNull();
});
