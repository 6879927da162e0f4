// What the interactive screen shows after some words were typed into it, on a real terminal of tmux.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asShown, toSurroundings } from './demo-runs.mjs';

const size = ['-x', '100', '-y', '17'];

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

export async function toInteractiveScreen(home, words) {
  const { cwd, env } = toSurroundings(home);
  const tmux = (...args) =>
    spawnSync('tmux', ['-S', join(home, 'tmux'), ...args], { cwd, env, encoding: 'utf8' });
  tmux('-f', '/dev/null', 'new-session', '-d', ...size, 'recall');
  const until = async (isThere) => {
    for (let i = 0; i < 600; i++) {
      const text = tmux('capture-pane', '-p', '-t', '0').stdout;
      if (isThere(text)) return text;
      await sleep(50);
    }
    throw new Error(`the screen did not show ${words}`);
  };
  try {
    await until((text) => text.includes('sessions ·'));
    tmux('send-keys', '-t', '0', words);
    let before = '';
    let same = 0;
    // Answered and drawn, the preview too: with the order that only a search has, and the same for a second.
    const text = await until((now) => {
      const isAnswered = now.includes(`❯ ${words}`) && now.includes('best first');
      same = isAnswered && now === before ? same + 1 : 0;
      before = now;
      return same === 20;
    });
    return asShown(home, text)
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  } finally {
    // The server ends with the program, and that leaves nothing behind that is still being written.
    tmux('send-keys', '-t', '0', 'C-c');
    while (tmux('has-session', '-t', '0').status === 0) await sleep(50);
  }
}
