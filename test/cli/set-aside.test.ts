// Transcripts that Claude Code set aside: their text belongs to the session that they name, and nothing else follows from them.

import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assistantLine, TempHome, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const versions = [`${id}.jsonl.superseded-1793527200000`, `${id}.orphaned-1793527260000-0a1b2c3d.jsonl`];

let home: TempHome;
let project = '';
let folder = '';
beforeEach(() => {
  home = new TempHome();
  project = join(home.path, 'shop');
  mkdirSync(project);
  folder = `projects/${project.replace(/[^A-Za-z0-9]/g, '-')}`;
  const said = [
    userLine('why does the zebra queue stall', { cwd: project, uuid: 'u1' }),
    assistantLine([{ type: 'text', text: 'The lock.' }], { cwd: project, uuid: 'u2' }),
  ];
  home.write(`${folder}/${id}.jsonl`, [...said, userLine('thanks', { cwd: project, uuid: 'u3' })]);
  home.write(`${folder}/${versions[0]}`, [
    ...said,
    userLine('ask the pelican', { cwd: project, uuid: 'u4' }),
  ]);
  home.write(`${folder}/${versions[1]}`, [userLine('begin with the ibis', { cwd: project, uuid: 'u5' })]);
});
afterEach(() => home.remove());

const run = (...args: string[]) => runRecall(home, args, { cwd: home.path });
const json = (...args: string[]) => JSON.parse(run(...args, '--json').stdout);

test('what is new in them is found as a part of their session, which its id still names', () => {
  run('index', '--no-archive');
  for (const word of ['pelican', 'ibis']) {
    const { hits } = json('search', word);
    expect(hits).toMatchObject([{ id, copies: 0, resumable: true, resume: { argv: ['claude', '-r', id] } }]);
  }
  const [zebra, ...others] = json('search', 'zebra').hits;
  expect([zebra.id, zebra.matches.length, others]).toEqual([id, 1, []]);
  expect(json('list').sessions).toMatchObject([{ id, messageCount: 3 }]);
  expect(run('open', id.slice(0, 8)).stdout).toBe(`cd '${project}' && claude -r ${id}\n`);
  expect(run('open', 'superseded-1793527200000').stdout).toBe(`cd '${project}' && claude -r ${id}\n`);
  expect(json('doctor').findings.map(({ level }: { level: string }) => level)).not.toContain('problem');
});

test('the archive keeps them with their session, and restoring it brings its own transcript back', () => {
  run('archive', 'on');
  run('index');
  expect(json('archive')).toMatchObject({ sessions: 1, pending: 0 });
  for (const name of [`${id}.jsonl`, ...versions]) rmSync(join(home.claudeDir, folder, name));
  run('index');
  expect(run('restore', id.slice(0, 8)).code).toBe(0);
  expect(existsSync(join(home.claudeDir, folder, `${id}.jsonl`))).toBe(true);
  expect(run('open', id).stdout).toBe(`cd '${project}' && claude -r ${id}\n`);
  expect(json('search', 'pelican').hits).toMatchObject([{ id }]);
});

test('forgetting the session forgets them', () => {
  run('index', '--no-archive');
  expect(run('forget', id, '--yes').code).toBe(0);
  run('index', '--no-archive');
  expect(json('search', 'pelican ibis').hits).toEqual([]);
});
