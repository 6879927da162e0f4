// Shows pieces in the person's pager if they do not fit on the screen. The pager gets the first screen while
// the rest is still being made.

import { type ChildProcess, spawn } from 'node:child_process';
import { widthOf } from '../render/columns.ts';
import type { Context } from './context.ts';

const defaultPager = 'less -R';
/** The shell's exit codes for a program that cannot be run or found. */
const notStarted = [126, 127];

/** False if there is no pager; then nothing has been shown. */
export async function page(context: Context, pieces: AsyncIterable<string>): Promise<boolean> {
  const { env, platform } = context.at;
  const command = env.PAGER ?? (platform === 'win32' ? '' : defaultPager);
  if (command.trim() === '' || command.trim() === 'cat') return false;
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await takeScreen(iterator, context);
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
    await feed(pager, first.text, iterator);
    return !notStarted.includes((await ended) ?? 0);
  });
}

async function takeScreen(
  iterator: AsyncIterator<string>,
  context: Context,
): Promise<{ readonly text: string; readonly isMore: boolean }> {
  const { rows, columns } = context.stdout;
  const taken: string[] = [];
  let lines = 0;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    if (next.value === '') continue;
    taken.push(next.value);
    for (const line of next.value.split('\n'))
      lines += Math.max(1, Math.ceil(widthOf(toPlain(line)) / columns));
    // One row is for the prompt.
    if (lines > rows - 1) return { text: taken.join('\n'), isMore: true };
  }
  return { text: taken.join('\n'), isMore: false };
}

function toPlain(line: string): string {
  return line.replace(/\x1b\[\d+m/g, '');
}

/** Until there are no more pieces, or the person quits the pager. */
async function feed(pager: ChildProcess, first: string, iterator: AsyncIterator<string>): Promise<void> {
  const { stdin } = pager;
  if (stdin === null) return;
  let isOpen = true;
  let wake = () => {};
  const close = () => {
    isOpen = false;
    wake();
  };
  stdin.on('error', close);
  stdin.on('close', close);
  stdin.on('drain', () => wake());
  const write = async (text: string) => {
    if (stdin.write(`${text}\n`) || !isOpen) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  await write(first);
  for (let next = await iterator.next(); !next.done && isOpen; next = await iterator.next())
    if (next.value !== '') await write(next.value);
  stdin.end();
}
