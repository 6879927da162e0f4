// What is written, replayed by a terminal, is what should be shown, and nothing that is shown can act on the terminal; which is left
// as it was found, whichever way the screen ends.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clip } from '../../src/render/columns.ts';
import {
  type Frame,
  formatUpdate,
  jumpToColumn,
  removeControls,
  ScreenTerminal,
  type Size,
  withoutColor,
} from '../../src/screen/screen-terminal.ts';
import { toPrintableLine } from '../../src/text/printable.ts';
import { anyText } from '../render/made-hits.ts';
import { Emulator, FakeDevice } from './emulator.ts';

/** As the screen has it: no wrapping, and nothing that was there before. */
const opened = '\x1b[?1049h\x1b[?7l';

const anySize = fc.record({
  columns: fc.integer({ min: 20, max: 60 }),
  rows: fc.integer({ min: 5, max: 12 }),
});

/** Often the same as in another step, so that a part of a row stays. */
const someText = fc.oneof(anyText, fc.constantFrom('plain', 'text', 'redis queue', ''));

const anyStep = fc.record({
  size: fc.option(anySize, { nil: null, freq: 4 }),
  texts: fc.array(fc.tuple(someText, fc.constantFrom('1', '2', '7', '33', '36')), { maxLength: 12 }),
  hasCursor: fc.boolean(),
});

function drawScreen(
  { texts, hasCursor }: { texts: [string, string][]; hasCursor: boolean },
  size: Size,
): Frame {
  const half = Math.floor(size.columns / 2);
  const lines = texts.slice(0, size.rows).map(([text, style], i) => {
    const left = clip(toPrintableLine(text), half);
    const right =
      i % 3 < 2
        ? `${jumpToColumn(half)}│${clip(toPrintableLine(texts.at(-1 - i)?.[0] ?? ''), half - 1)}`
        : '';
    return `\x1b[${style}m${left}\x1b[m${right}`;
  });
  return { lines, cursor: hasCursor ? { row: texts.length % size.rows, column: half } : null };
}

describe('a frame', () => {
  test('changes, replayed, equal a full redraw, whatever was shown before and however the size changed', async () => {
    await fc.assert(
      fc.asyncProperty(anySize, fc.array(anyStep, { minLength: 1, maxLength: 5 }), async (first, steps) => {
        let size = first;
        let shown: Frame | null = null;
        const terminal = new Emulator(size);
        await terminal.write(opened);
        for (const step of steps) {
          if (step.size !== null) {
            size = step.size;
            terminal.resize(size);
            shown = null;
          }
          const frame = drawScreen(step, size);
          await terminal.write(formatUpdate(shown, frame, size));
          shown = frame;
          const fresh = new Emulator(size);
          await fresh.write(opened + formatUpdate(null, frame, size));
          const isCursorShown = frame.cursor !== null;
          const toSeen = (each: Emulator) => each.toCells().slice(0, isCursorShown ? undefined : -1);
          expect(toSeen(terminal)).toEqual(toSeen(fresh));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('that is the same writes nothing, and one row costs one row', () => {
    const size = { columns: 40, rows: 10 };
    const before: Frame = { lines: Array(10).fill('the same line'), cursor: { row: 0, column: 3 } };
    expect(formatUpdate(before, { ...before, lines: [...before.lines] }, size)).toBe('');
    const after = { ...before, lines: before.lines.with(4, 'another line') };
    const update = formatUpdate(before, after, size);
    expect(update).toContain('another line');
    expect(update).not.toContain('the same line');
    expect(update.startsWith('\x1b[?2026h')).toBe(true);
    expect(update.endsWith('\x1b[?2026l')).toBe(true);
  });

  test('of which one side changes costs that side', () => {
    const size = { columns: 40, rows: 1 };
    const toLine = (left: string, right: string): Frame => ({
      lines: [`${left}${jumpToColumn(20)}│ ${right}`],
      cursor: null,
    });
    const before = toLine('the left side', 'the right side');
    expect(formatUpdate(before, toLine('the left side', 'new'), size)).not.toContain('the left side');
    expect(formatUpdate(before, toLine('new', 'the right side'), size)).not.toContain('the right side');
    // Nobody knows how wide a terminal draws this, so it may have reached the right side.
    const family = toLine('👩‍👩‍👧', 'the right side');
    expect(formatUpdate(family, toLine('new', 'the right side'), size)).toContain('the right side');
  });

  test('lets nothing through that acts on the terminal', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(removeControls(text).replace(/\x1b\[[\d;]*[mG]/g, '')).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      }),
    );
    expect(removeControls('\x1b]52;c;aGk=\x07\x1b[2J\x1b[31mred\x1b[39m')).toBe(
      ']52;c;aGk=[2J\x1b[31mred\x1b[39m',
    );
  });

  test('without colour keeps what is not colour', () => {
    expect(withoutColor('\x1b[1m\x1b[36mtitle\x1b[39m\x1b[22m \x1b[92mnew\x1b[39m')).toBe(
      '\x1b[1mtitle\x1b[22m new',
    );
  });
});

const size = { columns: 30, rows: 8 };
const frame = { lines: ['\x1b[36mhello\x1b[39m'], cursor: { row: 0, column: 5 } };

async function replay(written: string): Promise<Emulator> {
  const terminal = new Emulator(size);
  await terminal.write('before\r\n');
  await terminal.write(written);
  return terminal;
}

describe('the terminal', () => {
  test.each([
    ['closed', (screen: ScreenTerminal) => screen.close()],
    ['restored by the device', (_: ScreenTerminal, device: FakeDevice) => device.restore()],
    [
      'stopped, continued and closed',
      (screen: ScreenTerminal, device: FakeDevice) => {
        device.restore();
        device.resume();
        screen.draw(frame);
        screen.close();
        device.restore();
      },
    ],
  ])('%s: as before', async (_, end) => {
    const device = new FakeDevice(size);
    const screen = new ScreenTerminal(device, true);
    screen.open(() => {});
    screen.draw(frame);
    const open = await replay(device.written);
    expect(open.isAlternate).toBe(true);
    expect(open.modes).toMatchObject({ bracketedPasteMode: true, wraparoundMode: false });
    expect(open.toText()).toBe('hello\n');
    expect(device.isRaw).toBe(true);
    end(screen, device);
    const closed = await replay(device.written);
    const untouched = await replay('');
    expect(closed.toCells()).toEqual(untouched.toCells());
    expect(closed.modes).toEqual(untouched.modes);
    expect(closed.isAlternate).toBe(false);
    expect(device.isRaw).toBe(false);
  });

  test('nothing is drawn once it is closed', () => {
    const device = new FakeDevice(size);
    const screen = new ScreenTerminal(device, true);
    screen.open(() => {});
    screen.close();
    const { length } = device.written;
    screen.draw(frame);
    screen.send('\x1b]52;c;\x07');
    expect(device.written.length).toBe(length);
    expect(device.isReleased).toBe(true);
  });

  test('NO_COLOR: no colour, but styles', () => {
    const device = new FakeDevice(size);
    const screen = new ScreenTerminal(device, false);
    screen.open(() => {});
    screen.draw({ lines: ['\x1b[7m\x1b[33mhit\x1b[39m\x1b[27m'], cursor: null });
    expect(device.written).toContain('\x1b[7mhit\x1b[27m');
  });
});
