// When parsing finds something else in the same bytes, parserVersion has to rise, or the transcripts of everybody's index
// stay as the older parser read them. What the parser finds in each case of fixtures/cases is recorded beside this file.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeReader } from '../../../src/sources/claude/reader.ts';
import { claude } from '../../../src/sources/claude/source.ts';
import { toSearchedText } from '../../../src/text/tool-text.ts';
import { WordForms } from '../../../src/text/words.ts';

interface Recorded {
  readonly parserVersion: number;
  /** Digests of the bytes of each case, and of what was found in them. */
  readonly cases: Readonly<Record<string, { readonly bytes: string; readonly found: string }>>;
}

const { parserVersion } = claude;
const casesDir = 'fixtures/cases';
const recordPath = 'test/sources/claude/parsed-cases.json';
const command = 'RECORD_PARSING=1 npx vitest run test/sources/claude/parser-version.test.ts';

const toDigest = (parts: readonly (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
};

function digestCase(name: string) {
  const root = join(casesDir, name);
  const { files, sidecars } = claude.discover(root);
  const byPath = [...files, ...sidecars].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const bytes = byPath.flatMap(({ path }) => [path, readFileSync(join(root, path))]);
  const transcripts = files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((file) => {
      const { sizeBytes: _, mtimeMs: __, ctimeMs: ___, inode: ____, ...what } = file;
      const from = { bytes: 0, lines: 0, version: null };
      const job = { path: join(root, file.path), kind: file.kind } as const;
      const how = {
        sizeBytes: file.sizeBytes,
        from,
        fingerprint: null,
        isRedacting: false,
        keepsToolTexts: true,
      };
      const options = { forms: new WordForms(), shouldStop: () => false };
      const batches = [...claudeReader.read({ ...job, ...how }, options)].map((batch) => ({
        ...batch,
        toolTexts: batch.toolTexts.map((each) => ({ ...each, text: toSearchedText(each.text) })),
      }));
      return { what, batches };
    });
  const said = sidecars
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((file) => {
      const text = readFileSync(join(root, file.path), 'utf8');
      const said = claudeReader.parseSidecar(file, text);
      return { path: file.path, said: said === null ? null : { ...unsaid, ...said } };
    });
  // How a text is divided into words is not the parser's affair, the fingerprint is that of the bytes, which tools start
  // subagents shows in the ids that their calls keep, and Claude Code's file names say whose they are.
  const others = ['part', 'forms', 'fingerprint', 'subagentTools', 'identity'];
  const isOther = (key: string) => others.includes(key);
  const found = JSON.stringify([transcripts, said], (key, value) => (isOther(key) ? undefined : value));
  return { bytes: toDigest(bytes), found: toDigest([found]) };
}

function parseAll(): Recorded['cases'] {
  return Object.fromEntries(
    readdirSync(casesDir)
      .toSorted()
      .map((name) => [name, digestCase(name)]),
  );
}

/** What a sidecar leaves out is stored so. */
const unsaid = {
  customTitle: null,
  subagentType: null,
  subagentDescription: null,
  toolUseId: null,
  hints: [],
};

test('what is found in the cases changes only together with parserVersion', () => {
  const recorded = JSON.parse(readFileSync(recordPath, 'utf8')) as Recorded;
  const cases = parseAll();
  const changed = Object.entries(cases)
    .filter(([name, { bytes, found }]) => {
      const before = recorded.cases[name];
      return before !== undefined && before.bytes === bytes && before.found !== found;
    })
    .map(([name]) => name);
  if (recorded.parserVersion === parserVersion)
    expect(
      changed,
      `parsing finds something else in these cases: raise parserVersion in src/sources/claude/source.ts, then run: ${command}`,
    ).toEqual([]);
  if (process.env.RECORD_PARSING === '1')
    writeFileSync(recordPath, `${JSON.stringify({ parserVersion, cases }, null, 2)}\n`);
  else
    expect(
      { parserVersion, cases },
      `cases or parserVersion are newer than what is recorded; run: ${command}`,
    ).toEqual(recorded);
});
