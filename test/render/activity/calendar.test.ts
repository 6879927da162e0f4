// The picture of the days: every day in its place, month names above, never wider than the terminal.

import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { drawCalendar, drawHourBars } from '../../../src/render/activity.ts';
import { chooseColors } from '../../../src/render/colors.ts';
import { toPlain } from '../made-hits.ts';

const plain = chooseColors(false);
const dayMs = 86_400_000;
const dayOf = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10);
const draw = (messages: Record<string, number>, first: string, last: string, columns = 80) =>
  drawCalendar({ messages: new Map(Object.entries(messages)), first, last }, columns, plain);

describe('the calendar', () => {
  test('days are in their rows and columns, and the busiest is fullest', () => {
    const { lines, from } = draw(
      { '2026-10-06': 16, '2026-10-07': 1, '2026-10-11': 4, '2026-10-12': 9 },
      '2026-10-06',
      '2026-10-14',
    );
    expect(lines).toEqual([
      '    Oct',
      'Mon   ▓',
      '    █ ·',
      'Wed ░ ·',
      '    ·',
      'Fri ·',
      '    ·',
      'Sun ▒',
      '',
      '    ░ 1  ▒ 2–4  ▓ 5–9  █ 10–16 messages',
    ]);
    expect(from).toBe('2026-10-06');
  });

  test('one day alone is the busiest', () => {
    expect(draw({ '2026-10-06': 1 }, '2026-10-06', '2026-10-06').lines).toContain('    █');
  });

  test('months are above the week they start in and give way to each other', () => {
    const heading = (first: string, last: string, columns: number) => draw({}, first, last, columns).lines[0];
    expect(heading('2026-01-05', '2026-04-05', 80)).toBe('    Jan   Feb     Mar       Apr');
    expect(heading('2026-01-26', '2026-04-05', 80)).toBe('    Feb     Mar       Apr');
    expect(heading('2026-01-20', '2026-04-05', 80)).toBe('      Feb     Mar       Apr');
    expect(heading('2026-01-05', '2026-04-05', 20)).toBe('       Feb Mar  Apr');
    expect(heading('2026-01-05', '2026-04-05', 18)).toBe('       Feb Mar');
  });

  test('a narrow terminal shows the last weeks', () => {
    const { lines, from } = draw({ '2025-01-01': 7, '2026-10-06': 2 }, '2025-01-01', '2026-10-06', 24);
    expect(lines[1]).toHaveLength(24);
    expect(from).toBe('2026-05-25');
    expect(draw({}, '2020-01-01', '2026-10-06', 500).lines[1]).toHaveLength(4 + 53 * 2 - 1);
  });

  test('any days: the picture fits, shows each day once, and colour adds only colour', () => {
    const day = fc.integer({ min: 20_000, max: 20_800 });
    fc.assert(
      fc.property(
        fc.dictionary(day.map(dayOf), fc.integer({ min: 1, max: 5000 })),
        fc.tuple(day, day),
        fc.integer({ min: 12, max: 220 }),
        (messages, [a, b], columns) => {
          const [first, last] = [dayOf(Math.min(a, b)), dayOf(Math.max(a, b))];
          const { lines, from } = draw(messages, first, last, columns);
          for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(columns);
          const cells = lines
            .slice(1, 8)
            .flatMap((line) => [...line.slice(4)].filter((cell) => cell !== ' '));
          expect(cells).toHaveLength((Date.parse(last) - Date.parse(from)) / dayMs + 1);
          const active = Object.keys(messages).filter((each) => each >= from && each <= last);
          expect(cells.filter((cell) => cell !== '·')).toHaveLength(active.length);
          const coloured = drawCalendar(
            { messages: new Map(Object.entries(messages)), first, last },
            columns,
            chooseColors(true),
          );
          expect(coloured.lines.map((line) => toPlain(line).trimEnd())).toEqual(lines);
        },
      ),
    );
  });
});

test('hours: a bar for each, as wide as fits', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => (hour === 8 ? 80 : hour === 9 ? 10 : 0));
  expect(drawHourBars(hours, 30, plain)).toEqual([
    '    ········█▁··············',
    '    0     6     12    18',
  ]);
  for (const columns of [28, 52, 80, 200])
    for (const line of drawHourBars(hours, columns, plain))
      expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  expect(drawHourBars(hours, 80, plain)[0]).toContain('██ ▁▁');
});
