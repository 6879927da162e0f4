// What is said of a reference that names more than one session.

import { expect, test } from 'vitest';
import { Recall } from '../../src/api/recall.ts';
import { TempHome, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';

// It was 50 however many there were.
test('how many sessions it could be, and some of them', async () => {
  using home = new TempHome();
  for (let i = 0; i < 60; i++)
    home.writeSession(`aaaaaaaa-0000-4000-8000-${String(i).padStart(12, '0')}`, [userLine(`prompt ${i}`)]);
  const recall = new Recall(toHost(home));
  try {
    await recall.index();
    const messageOf = async (ref: string) => (await recall.resume(ref).catch((error) => error)).message;
    const [first, ...candidates] = (await messageOf('aaaaaaaa')).split('\n');
    expect(first).toBe('aaaaaaaa could be any of 60 sessions, such as:');
    expect(candidates).toHaveLength(50);
    expect((await messageOf('aaaaaaaa-0000-4000-8000-00000000001')).split('\n')[0]).toBe(
      'aaaaaaaa-0000-4000-8000-00000000001 could be any of 10 sessions:',
    );
  } finally {
    recall.close();
  }
});
