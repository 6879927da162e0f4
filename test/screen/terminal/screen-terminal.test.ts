// The terminal is left as it was found, whichever way the screen ends.

import { describe, expect, test } from 'vitest';
import { ScreenTerminal } from '../../../src/screen/terminal/screen-terminal.ts';
import { Emulator, FakeDevice } from '../emulator.ts';

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
