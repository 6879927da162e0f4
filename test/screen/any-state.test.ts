// Whatever text sessions hold and however small the terminal is: every line fits, nothing acts on the terminal, and no colour is
// used that only suits a dark or a light background.

import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { Results } from '../../src/screen/questions.ts';
import { markFound } from '../../src/screen/reader.ts';
import type { Size } from '../../src/screen/screen-terminal.ts';
import { buildFirstState, firstAsked, type ScreenSetting, type State } from '../../src/screen/state.ts';
import { update } from '../../src/screen/update.ts';
import { drawScreen } from '../../src/screen/view.ts';
import { anyText, hit } from '../render/made-hits.ts';

const now = new Date('2026-11-16T12:00:00.000Z');
const surroundings: ScreenSetting = {
  homeDir: '/home/maya',
  directories: { project: '/home/maya/\x1b[31mshop', directory: '/home/maya/shop' },
  verb: 'resume',
};

const anyRestorable = fc.constantFrom('archive' as const, 'text' as const, null);

const anyRow = fc
  .record({ title: anyText, project: anyText, branch: anyText, restorable: anyRestorable })
  .map(({ restorable, ...made }) => {
    const { session, copies, resumption } = hit(made);
    const gone = { obstacle: 'transcript-deleted', isResumable: false, restorable } as const;
    return { session, copies, resumption: { ...resumption, ...gone }, bestId: null };
  });

const anyResults = fc
  .record({
    rows: fc.array(anyRow, { maxLength: 6 }),
    isByDay: fc.boolean(),
    understood: fc.constant({
      tier: 'any',
      corrections: [],
      completeHits: 0,
      time: null,
      filters: { only: {}, without: {} },
    } as const),
  })
  .map(
    ({ rows, isByDay, understood }): Results => ({
      ...{
        of: firstAsked,
        rows,
        isByDay,
        understood,
        total: rows.length,
        isTotalExact: true,
        terms: [],
        currentId: null,
      },
      emptiness: rows.length > 0 ? null : { isIndexEmpty: false, sessions: 3, messages: 9, blame: null },
    }),
  );

const anySize = fc.record({
  columns: fc.integer({ min: 1, max: 130 }),
  rows: fc.integer({ min: 1, max: 40 }),
});
const fronts = ['', '\x16', '?', '\x14', '\x18', 'x', '\x0f', '\x0fy'];

function toState(results: Results, size: Size, query: string, front: string): State {
  const type = (state: State, text: string) =>
    update(state, {
      type: 'key',
      key:
        text < ' '
          ? { type: 'key', name: `ctrl-${String.fromCharCode(text.charCodeAt(0) + 96)}` }
          : { type: 'text', text },
      now,
    }).state;
  const first = buildFirstState(size, now, results);
  const typed = query === '' ? first : type(first, query);
  const answered = { ...results, of: { ...firstAsked, query: typed.line.text } };
  return [...(front || 'x')].reduce(type, { ...typed, results: answered });
}

/** Styles that suit any background: no colour by number, no black, white or grey. */
const allowed = /^(?:\d{1,2};)?(?:[0-4]|7|2[1-47]|3[1-69]|92)?$/;

describe('any state', () => {
  test('fits, and nothing active is drawn', () => {
    fc.assert(
      fc.property(anyResults, anySize, anyText, fc.constantFrom(...fronts), (results, size, query, front) => {
        const { lines, cursor } = drawScreen(toState(results, size, query, front), surroundings);
        expect(lines.length).toBeLessThanOrEqual(Math.max(size.rows, 3));
        for (const line of lines) {
          const styles = [...line.matchAll(/\x1b\[([\d;]*)m/g)].map(([, style]) => style ?? '');
          expect(styles.filter((style) => !allowed.test(style))).toEqual([]);
          const plain = line.replace(/\x1b\[[\d;]*[mG]/g, '');
          expect(plain).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
        }
        if (cursor !== null) {
          expect(cursor.column).toBeLessThan(Math.max(1, size.columns));
          expect(cursor.row).toBeLessThan(Math.max(3, size.rows));
        }
        // Narrower terminals cut what is too long; from here on nothing is lost.
        if (size.columns < 20) return;
        for (const line of lines) {
          const [left = '', right] = line.split(/\x1b\[\d+G/);
          const toWidth = (text: string) => stringWidth(text.replace(/\x1b\[[\d;]*m/g, ''));
          expect(toWidth(left), left).toBeLessThanOrEqual(size.columns);
          if (right !== undefined) expect(toWidth(right)).toBeLessThanOrEqual(size.columns);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('what was found is marked without touching anything else', () => {
    expect(markFound('a \x1b[1mbold\x1b[22m word', 'd w')).toBe('a \x1b[1mbol\x1b[7md\x1b[22m w\x1b[27mord');
    expect(markFound('nothing here', 'x')).toBe('nothing here');
    fc.assert(
      fc.property(anyText, anyText, (line, text) => {
        const plain = line.replace(/\x1b/g, '');
        expect(markFound(plain, text).replace(/\x1b\[2?7m/g, '')).toBe(plain);
      }),
    );
  });
});
