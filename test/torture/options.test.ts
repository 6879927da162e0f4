import { describe, expect, test } from 'vitest';
import { defaultCounts, parseOptions, shortCounts } from '../../torture/options.ts';
import { toFindingText, toTable } from '../../torture/report.ts';
import { Tally } from '../../torture/tally.ts';

describe('parseOptions', () => {
  test('without flags every kind, as often as it says', () => {
    expect(parseOptions([])).toEqual({
      only: [
        'kill',
        'together',
        'files',
        'disk',
        'damage',
        'lines',
        'queries',
        'hostile',
        'privacy',
        'forget',
        'archive',
      ],
      seed: 1,
      counts: defaultCounts,
      data: [],
    });
  });

  test('some kinds, another seed, fewer trials', () => {
    const args = ['--only', 'queries,kill', '--seed', '7', '--count', '20', '--data', 'a', '--data', 'b'];
    expect(parseOptions(args)).toMatchObject({
      only: ['kill', 'queries'],
      seed: 7,
      counts: { kill: 20, queries: 20 },
      data: ['a', 'b'],
    });
    expect(parseOptions(['--short']).counts).toEqual(shortCounts);
  });

  test('what makes no sense is said', () => {
    expect(() => parseOptions(['--only', 'everything'])).toThrow('unknown kind everything');
    expect(() => parseOptions(['--count', 'many'])).toThrow('--count wants a number');
  });
});

describe('a tally', () => {
  test('counts trials, keeps what was found and goes on', async () => {
    const tally = new Tally();
    await tally.attempt('a check', 'first', () => {});
    await tally.attempt('a check', 'second', () => {
      throw new Error('it broke\nbadly');
    });
    await tally.attempt('a check', 'third', async () => {});
    tally.count('a check', 100);
    tally.skip('another', 'no such thing here');
    expect(tally.findings).toEqual([{ check: 'a check', trial: 'second', what: 'it broke\nbadly' }]);
    expect(tally.findings.map(toFindingText)).toEqual(['FOUND a check: second\n  it broke\n  badly']);
    expect(toTable(tally.checks)).toMatch(
      /^check {4}tried {2}found {3}time\na check {4}103 {6}1 {2}0\.0 s\nanother {6}– {6}– {6}– {2}not tried: no such thing here$/,
    );
  });
});
