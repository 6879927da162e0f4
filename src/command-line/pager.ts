// Shows what is longer than the terminal in the person's pager.

import { spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { widthOf } from '../render/columns.ts';
import type { Context } from './context.ts';

/** The shell's exit codes for a program that cannot be run or found. */
const notStarted = [126, 127];

/** Shows the first screen while the rest is still being made. False if there is no pager; then nothing has been shown. */
export async function page(context: Context, pieces: AsyncIterable<string>): Promise<boolean> {
  const { env, platform } = context.at;
  const command = env.PAGER ?? (platform === 'win32' ? '' : 'less -R');
  if (command.trim() === '' || command.trim() === 'cat') return false;
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await takeScreen(iterator, context.stdout);
  if (!first.isMore) {
    context.print(first.text);
    return true;
  }
  return context.handOver(async () => {
    // As git does: less should show colours even if PAGER is set without flags.
    const pager = spawn(command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { LESS: 'R', ...env },
    });
    const ended = new Promise<number | null>((resolve) => {
      pager.on('error', () => resolve(notStarted[0] ?? null));
      pager.on('close', resolve);
    });
    try {
      await pipeline(async function* () {
        yield `${first.text}\n`;
        for (let next = await iterator.next(); !next.done; next = await iterator.next())
          if (next.value !== '') yield `${next.value}\n`;
      }, pager.stdin);
    } catch (error) {
      // The person has quit the pager.
      if (!/^(EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/.test((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
    return !notStarted.includes((await ended) ?? 0);
  });
}

async function takeScreen(iterator: AsyncIterator<string>, { rows, columns }: Context['stdout']) {
  const taken: string[] = [];
  let lines = 0;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    if (next.value === '') continue;
    taken.push(next.value);
    for (const line of next.value.split('\n'))
      lines += Math.max(1, Math.ceil(widthOf(line.replace(/\x1b\[\d+m/g, '')) / columns));
    // One row is for the prompt.
    if (lines > rows - 1) return { text: taken.join('\n'), isMore: true };
  }
  return { text: taken.join('\n'), isMore: false };
}
