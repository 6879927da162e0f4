// A home in which every agent has been used, each in its own folder, in directories that exist.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentName } from '../../src/records.ts';
import { makeDatabase, readFixture } from './agent-home.ts';
import { assistantLine, TempHome, userLine } from './home.ts';

/** Where each keeps its files when nobody says otherwise. */
export const usualPlaces = {
  antigravity: '.gemini/antigravity-cli',
  cline: '.cline',
  codex: '.codex',
  copilot: '.copilot',
  crush: '.local/share/crush',
  cursor: '.cursor',
  droid: '.factory',
  gemini: '.gemini',
  grok: '.grok',
  hermes: '.hermes',
  kilo: '.local/share/kilo',
  kimi: '.kimi-code',
  omp: '.omp/agent',
  openclaw: '.openclaw',
  opencode: '.local/share/opencode',
  pi: '.pi/agent',
  qwen: '.qwen',
} as const satisfies { readonly [Agent in Exclude<AgentName, 'claude'>]: string };

export const claudeSession = 'c1a0de00-0000-4000-8000-000000000001';

export class SevenHome extends TempHome {
  /** Where the sessions ran. */
  readonly shop = join(this.path, 'shop');

  constructor(agents = Object.keys(usualPlaces) as (keyof typeof usualPlaces)[]) {
    super();
    for (const name of ['shop', 'blog']) mkdirSync(join(this.path, name));
    this.writeSession(claudeSession, [
      userLine('Why does the voucher page load twice?', { cwd: this.shop }),
      assistantLine('The voucher page is fetched again by the router.', { cwd: this.shop }),
    ]);
    for (const agent of agents) this.fill(agent, join(this.path, usualPlaces[agent]));
  }

  /** Copies an agent's fixture to a folder, with the directories of this home in the place of maya's. */
  fill(agent: AgentName, folder: string): void {
    for (const [path, bytes] of readFixture(agent)) {
      const full = join(folder, path);
      mkdirSync(dirname(full), { recursive: true });
      const isText = !path.endsWith('.zst');
      writeFileSync(full, isText ? bytes.toString('utf8').replaceAll('/home/maya', this.path) : bytes);
      if (path.endsWith('.sql')) makeDatabase(folder, path);
    }
  }
}
