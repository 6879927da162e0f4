// What Codex does with rollouts beside writing them, each deleted and brought back: compressed (by the zstd program, as Codex does it
// with old ones), archived, and forked, where the fork is refused without the rollout that it continues.

import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runRecall } from '../support/program.ts';
import type { Fault, Trial } from './trial.ts';

export async function tryRollouts(trial: Trial, id: string): Promise<Fault> {
  return (
    (await tryCompressed(trial, id)) ?? (await tryArchived(trial, id)) ?? (await tryForked(trial, id)) ?? null
  );
}

const folders = ['sessions', 'archived_sessions'];

function listRollouts({ home }: Trial): string[] {
  const root = join(home.path, '.codex');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }) as string[];
  return names.filter((name) => name.includes('rollout-')).map((name) => join(root, name));
}

/** Keeps everything, and deletes it. */
function lose({ home }: Trial): void {
  runRecall(home, ['index']);
  for (const folder of folders) rmSync(join(home.path, '.codex', folder), { recursive: true, force: true });
}

async function tryCompressed(trial: Trial, id: string): Promise<Fault> {
  const path = listRollouts(trial).find((each) => each.includes(id)) ?? '';
  if (spawnSync('zstd', ['-q', '--rm', path]).status !== 0) return null;
  lose(trial);
  const fault = await trial.open(id, ['--restore'], 'And after compressing?', trial.said);
  return fault === null ? null : `compressed: ${fault}`;
}

async function tryArchived(trial: Trial, id: string): Promise<Fault> {
  await trial.start(['archive', id]);
  lose(trial);
  const { code, stderr } = runRecall(trial.home, ['open', id, '--restore']);
  if (code !== 1 || !stderr.includes(`codex unarchive ${id}`)) return `archived: ${stderr}`;
  await trial.start(['unarchive', id]);
  const fault = await trial.open(id, [], 'And after archiving?', trial.said);
  return fault === null ? null : `archived: ${fault}`;
}

async function tryForked(trial: Trial, id: string): Promise<Fault> {
  const before = new Set(listRollouts(trial));
  const printed = await trial.start(['exec', 'fork', '--skip-git-repo-check', id, 'A fork of it']);
  const made = listRollouts(trial).find((path) => !before.has(path));
  const fork = /rollout-.{19}-(.+)\.jsonl$/.exec(made ?? '')?.[1];
  if (fork === undefined) return `did not fork:\n${printed}`;
  lose(trial);
  const fault = await trial.open(fork, ['--restore'], 'And after forking?', [...trial.said, 'A fork of it']);
  return fault === null ? null : `forked: ${fault}`;
}
