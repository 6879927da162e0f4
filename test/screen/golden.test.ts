// Screens of the demo home, as a person would see them.

import { cpSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TempHome } from '../support/home.ts';
import { indexHome } from '../support/index-home.ts';
import { Drive, type DriveOptions, keys } from './drive.ts';

const sizes = [
  { columns: 40, rows: 12 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
];

let home: TempHome;
beforeAll(async () => {
  home = new TempHome();
  cpSync('fixtures/demo-home', home.claudeDir, { recursive: true });
  await indexHome(home);
});
afterAll(() => home.remove());

async function withScreen(options: DriveOptions, use: (drive: Drive) => Promise<void>): Promise<void> {
  const drive = await Drive.open(home, options);
  try {
    await use(drive);
  } finally {
    drive.close();
  }
}

describe.each(sizes)('$columns × $rows', (size) => {
  const name = `${size.columns}x${size.rows}`;
  const golden = (what: string) => `golden/${what}-${name}.txt`;

  test('the first screen, a search, nothing found', async () => {
    await withScreen({ size }, async (drive) => {
      await expect(drive.toText()).toMatchFileSnapshot(golden('first'));
      await drive.press('jwt ', 'middlew', keys.down);
      await expect(drive.toText()).toMatchFileSnapshot(golden('search'));
      await drive.press(keys.esc, 'zyzzyva project:shop');
      await expect(drive.toText()).toMatchFileSnapshot(golden('nothing'));
    });
  });
});
