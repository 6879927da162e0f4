// The homes the bench measures: the same every time, and shaped like those people have.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { keepHome } from '../../../bench/home/keep-home.ts';
import { type HomeFacts, makeHome } from '../../../bench/home/make-home.ts';
import { sizes, toSearchShape } from '../../../bench/home/sizes.ts';

interface Line {
  readonly type?: string;
  readonly uuid?: string;
  readonly cwd?: string;
  readonly timestamp?: string;
  readonly message?: { readonly content?: unknown };
}

const folder = mkdtempSync(join(tmpdir(), 'recall-bench-home-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shape = { ...sizes.small, transcripts: 240, longBytes: 300_000 };
const home = join(folder, 'home');
const facts = makeHome(home, shape);
const names = readdirSync(home, { recursive: true, encoding: 'utf8' }).sort();
const transcripts = names.filter((name) => name.startsWith('projects') && name.endsWith('.jsonl'));
const mains = transcripts.filter((name) => !basename(name).startsWith('agent-'));
const read = (name: string) => readFileSync(join(home, name), 'utf8');

function parseLines(text: string): Line[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}

describe('makeHome', () => {
  test('the same shape gives the same bytes, dates and facts, wherever it is', () => {
    const again = join(folder, 'again');
    expect(makeHome(again, shape)).toEqual(facts);
    expect(readdirSync(again, { recursive: true, encoding: 'utf8' }).sort()).toEqual(names);
    for (const name of names) {
      const [one, other] = [statSync(join(home, name)), statSync(join(again, name))];
      if (one.isDirectory()) continue;
      expect(other.mtimeMs).toBe(one.mtimeMs);
      expect(readFileSync(join(again, name)).equals(readFileSync(join(home, name)))).toBe(true);
    }
  });

  test('counts what it has made', () => {
    const files = names.map((name) => statSync(join(home, name))).filter((stat) => stat.isFile());
    expect(facts.files).toBe(files.length);
    expect(facts.transcripts).toBe(transcripts.length);
    expect(facts.bytes).toBe(files.reduce((sum, stat) => sum + stat.size, 0));
  });

  test('about half of the transcripts are main sessions, and a third of the agents machinery', () => {
    const machinery = transcripts.filter((name) =>
      /agent-a(compact|prompt_suggestion|side_question)-/.test(name),
    );
    expect(mains.length / transcripts.length).toBeGreaterThan(0.3);
    expect(mains.length / transcripts.length).toBeLessThan(0.6);
    const agents = transcripts.length - mains.length;
    expect(machinery.length / agents).toBeGreaterThan(0.2);
    expect(machinery.length / agents).toBeLessThan(0.45);
  });

  test('a project folder is named after the working directory', () => {
    for (const name of mains) {
      const cwd = parseLines(read(name)).find((line) => line.cwd !== undefined)?.cwd;
      if (cwd !== undefined) expect(name.split('/')[1]).toBe(cwd.replace(/[^A-Za-z0-9]/g, '-'));
    }
  });

  test('a transcript is as old as its last entry', () => {
    for (const name of mains.slice(0, 20)) {
      const last = parseLines(read(name)).findLast((line) => line.timestamp !== undefined)?.timestamp;
      if (last === undefined) continue;
      expect(Math.abs(statSync(join(home, name)).mtimeMs - Date.parse(last))).toBeLessThan(120_000);
    }
  });

  test('hardly any of the bytes are what was said', () => {
    const texts = transcripts.map(read);
    const said = texts.flatMap(parseLines).reduce((sum, line) => sum + toSaidBytes(line), 0);
    const share = said / texts.reduce((sum, text) => sum + text.length, 0);
    expect(share).toBeGreaterThan(0.015);
    expect(share).toBeLessThan(0.08);
  });

  test('lines are mostly short, and a few are very long', () => {
    const lengths = transcripts.flatMap((name) =>
      read(name)
        .split('\n')
        .map((line) => line.length),
    );
    lengths.sort((a, b) => a - b);
    const at = (share: number) => lengths[Math.floor(lengths.length * share)] ?? 0;
    expect(at(0.5)).toBeGreaterThan(600);
    expect(at(0.5)).toBeLessThan(1300);
    expect(at(0.99)).toBeGreaterThan(8000);
    expect(at(0.99)).toBeLessThan(50_000);
  });

  test('some sessions continue others, with the same uuids', () => {
    const seen = new Map<string, string>();
    const forks = new Set<string>();
    for (const name of mains) {
      for (const { uuid } of parseLines(read(name))) {
        if (uuid !== undefined && (seen.get(uuid) ?? name) !== name) forks.add(name);
        if (uuid !== undefined) seen.set(uuid, name);
      }
    }
    expect(forks.size).toBeGreaterThan(0);
    expect(forks.size / mains.length).toBeLessThan(0.15);
  });

  test('selective queries are topics of few sessions, in one, two and three words', () => {
    const { selective, common } = facts.queries;
    expect(selective.map((query) => query.split(' ').length)).toEqual([1, 2, 3]);
    const said = mains.map((name) => parseLines(read(name)).map(toSaid).join('\n').toLowerCase());
    const holding = (query: string) =>
      said.filter((text) => query.split(' ').every((word) => text.includes(word))).length;
    for (const query of selective) {
      expect(holding(query)).toBeGreaterThan(0);
      expect(holding(query)).toBeLessThan(6);
    }
    expect(holding(common)).toBeGreaterThan(mains.length / 4);
  });
});

test('a home made to be searched has as many messages as asked for', () => {
  const made = makeHome(join(folder, 'searched'), toSearchShape(5000));
  expect(made.messages).toBeGreaterThanOrEqual(5000);
  expect(made.messages).toBeLessThan(6000);
  expect(made.bytes / made.messages).toBeLessThan(6000);
});

test('a kept home is used again, and one of another shape is made anew', () => {
  const kept = join(folder, 'kept');
  const small = { ...shape, transcripts: 4, longBytes: 0 };
  const first = keepHome(kept, small);
  const history = join(first.claudeDir, 'history.jsonl');
  const { ino } = statSync(history);
  expect(keepHome(kept, small).facts).toEqual(first.facts);
  expect(statSync(history).ino).toBe(ino);
  const other: HomeFacts = keepHome(kept, { ...small, seed: 8 }).facts;
  expect(other.shape.seed).toBe(8);
  expect(other.queries).toBeDefined();
});

test('a giant home has one long transcript with a line of the asked length', () => {
  const giant = { ...shape, transcripts: 3, longBytes: 2_000_000, longLineBytes: 500_000 };
  const { longTranscript } = makeHome(join(folder, 'giant'), giant);
  const lines = readFileSync(join(folder, 'giant', longTranscript ?? ''), 'utf8').split('\n');
  expect(lines.filter((line) => line.length >= 500_000).length).toBeGreaterThanOrEqual(2);
});

function toSaid({ type, message }: Line): string {
  if (type !== 'user' && type !== 'assistant') return '';
  const content = message?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block: { readonly text?: string }) => block.text ?? '').join('\n');
}

function toSaidBytes(line: Line): number {
  return Buffer.byteLength(toSaid(line));
}
