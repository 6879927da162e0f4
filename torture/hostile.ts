// Text, names and ids made to write to the terminal, to break out of the command that open prints, to pass options to
// claude, or to reach outside of the Claude folder: none of them does.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../bench/home/random.ts';
import { assistantLine, TempHome, toJsonl, toolUse, userLine } from '../test/support/home.ts';
import { runRecall } from '../test/support/program.ts';
import type { Trials } from './tally.ts';
import { expectPlain } from './whole.ts';

export async function tortureHostile(trials: Trials): Promise<void> {
  await hostileText(trials);
  await hostileOpen(trials);
  await reachingOutside(trials);
}

const pieces = [
  '\x1b[2J\x1b[H',
  '\x1b]0;pwned\x07',
  '\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\',
  '\x1b]52;c;cm0gLXJm\x07',
  '\x1bP$q"p\x1b\\',
  '\x1b[6n',
  '\x9b31m',
  '\x90q\x9c',
  '\rrm -rf ~',
  '\b\b\b',
  '\x7f',
  '\0',
  '\u202egnp.exe',
  '\u2066\u2069',
  '\u200f',
  '\u2028',
  '\x0c\x0b',
  '\x1b[31m',
  '\ud83d',
  '\ufeff',
  'a\nb',
  '数据',
  'okapi ',
];

function hostile(random: Random): string {
  return `okapi ${Array.from({ length: 1 + random.below(5) }, () => random.pick(pieces)).join('')} okapi`;
}

/** Everything that moves, colours, hides or turns around, but the end of a line. */
const active = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

function expectHarmless(text: string, isColoured: boolean): void {
  const bare = isColoured ? text.replace(/\x1b\[\d*m/g, '') : text;
  const at = bare.search(active);
  assert.equal(at, -1, JSON.stringify(bare.slice(Math.max(0, at - 60), at + 60)));
}

/** In every place that a page could show. */
function writeHostileHome(home: TempHome, random: Random): void {
  const folder = `-home-${random.pick(pieces).replace(/[\0/]/g, '')}`;
  for (let n = 0; n < 4; n++) {
    const id = `${n}${random.pick(pieces).replace(/[\0/]/g, '')}${random.hex(4)}`;
    const extra = () => ({
      cwd: `/${hostile(random)}`,
      gitBranch: hostile(random),
      version: hostile(random),
    });
    home.writeSession(
      id,
      [
        userLine(hostile(random), extra()),
        assistantLine([
          { type: 'text', text: hostile(random) },
          toolUse(hostile(random), { file_path: hostile(random) }),
        ]),
        {
          type: random.pick(['ai-title', 'custom-title']),
          aiTitle: hostile(random),
          customTitle: hostile(random),
        },
        { type: 'last-prompt', lastPrompt: hostile(random) },
        { type: hostile(random), version: hostile(random) },
      ],
      folder,
    );
    home.append(`projects/${folder}/${id}.jsonl`, '{"torn\n');
    home.write(`projects/${folder}/${id}/subagents/agent-${n}.jsonl`, [userLine(hostile(random))]);
    home.write(`projects/${folder}/${id}/subagents/agent-${n}.meta.json`, {
      agentType: hostile(random),
      description: hostile(random),
    });
  }
  home.write('history.jsonl', [
    {
      display: hostile(random),
      sessionId: hostile(random),
      project: `/${hostile(random)}`,
      timestamp: 1772704800000,
    },
  ]);
}

export async function hostileText({ tally, seed, count }: Trials): Promise<void> {
  for (let i = 0; i < Math.ceil(count / 10); i++) {
    const random = new Random(seed, 71, i);
    const home = new TempHome();
    try {
      writeHostileHome(home, random);
      for (const args of [
        ['index', '--verbose'],
        ['search', 'okapi', '--explain', '--all'],
        ['search', 'okapi', '--subagents', '--color', 'always'],
        ['search', 'okapi', '--json'],
        ['search', 'okapy'],
        ['open', '1'],
        ['open', '1', '--json'],
        ['open', '2'],
        ['doctor'],
        ['doctor', '--json'],
        ['forget', '1'],
        ['forget', '2', '--yes'],
        ['forget', '3', '--yes', '--json'],
      ]) {
        await tally.attempt('hostile: text', `seed ${seed}, home ${i}, ${args.join(' ')}`, () => {
          const result = runRecall(home, args);
          expectPlain(result);
          expectHarmless(result.stdout + result.stderr, args.includes('always'));
        });
      }
    } finally {
      home.remove();
    }
  }
}

const breakouts = [
  "'",
  '"',
  '\\',
  "\\'",
  "'\\''",
  '$(touch pwned)',
  '`touch pwned`',
  '; touch pwned;',
  '\ntouch pwned\n',
  '&& touch pwned',
  '| tee pwned',
  '(touch pwned)',
  '> pwned',
  '$HOME',
  '!!',
  '{a,b}',
  '*',
  '~',
  ' ',
  '\t',
  '%s%n',
  '#',
  '-',
  '\x1b[31m',
  '数',
  'x',
];

const ids = [
  '--dangerously-skip-permissions',
  '-p',
  '$(touch pwned)',
  '; touch pwned',
  "'; touch pwned; '",
  '..',
  '\n',
];

const shells = ['sh', 'bash', 'zsh', 'fish'].filter((shell) => !spawnSync(shell, ['-c', 'true']).error);

/** The printed line, run by every shell there is: claude is started with that id, there, and nothing else happens. */
export async function hostileOpen({ tally, seed, count }: Trials): Promise<void> {
  const atATime = 20;
  for (let done = 0; done < count; done += atATime) {
    const random = new Random(seed, 72, done);
    const home = new TempHome();
    try {
      const bin = join(home.path, 'bin');
      mkdirSync(bin);
      writeFileSync(join(bin, 'claude'), '#!/bin/sh\nprintf "%s\\0" "$(pwd -P; printf x)" "$@"\n');
      chmodSync(join(bin, 'claude'), 0o755);
      const dirs: string[] = [];
      const last = Math.min(atATime, count - done);
      for (let n = 0; n < last; n++) {
        const name = Array.from({ length: 1 + random.below(6) }, () => random.pick(breakouts)).join('');
        const dir = join(home.path, 'dirs', `${name.slice(0, 60)}.`);
        mkdirSync(dir, { recursive: true });
        dirs.push(dir);
        const id = random.chance(0.5) ? random.uuid() : `${random.pick(ids).replaceAll('/', '')}${n}`;
        home.write(`projects/-p-${n}/${id}.jsonl`, toJsonl([userLine(`zebra${n}`, { cwd: dir })]));
      }
      runRecall(home, ['index', '--quiet']);
      for (let n = 0; n < last; n++) {
        const { hits } = JSON.parse(
          runRecall(home, ['search', '--no-refresh', '--json', `zebra${n}`]).stdout,
        );
        // Only a page with numbers says what a number means.
        runRecall(home, ['search', '--no-refresh', `zebra${n}`]);
        const { code, stdout } = runRecall(home, ['open', '1']);
        // An id that claude would take for an option has no line.
        if (code === 1) {
          await tally.attempt('hostile: ids without a line', `${JSON.stringify(hits[0].id)}`, () => {
            assert.equal(stdout, '');
            assert.match(hits[0].id, /^-|[\x00-\x1f]/);
          });
          continue;
        }
        for (const shell of shells) {
          await tally.attempt(`hostile: open in ${shell}`, `${JSON.stringify([dirs[n], hits[0].id])}`, () => {
            assert.equal(code, 0);
            const ran = spawnSync(shell, ['-c', stdout], {
              cwd: home.path,
              env: { PATH: `${bin}:/usr/bin:/bin`, HOME: join(home.path, 'bin') },
              encoding: 'utf8',
            });
            assert.equal(ran.stderr, '');
            assert.deepEqual(ran.stdout.split('\0'), [`${dirs[n]}\nx`, '-r', hits[0].id, '']);
            assert.ok(!hits[0].id.startsWith('-'));
            assert.deepEqual(findPwned(home.path), []);
          });
        }
      }
    } finally {
      home.remove();
    }
  }
  for (const shell of ['bash', 'zsh', 'fish'].filter((name) => !shells.includes(name)))
    tally.skip(`hostile: open in ${shell}`, `${shell} is not installed`);
}

function findPwned(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(^|\/)pwned$/.test(name),
  );
}

/** Names and fields that point to a file outside: it is neither read nor named as a transcript. */
export async function reachingOutside({ tally }: Trials): Promise<void> {
  const home = new TempHome();
  try {
    const secret = 'pangolinsecret';
    const outside = join(home.path, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.jsonl'), toJsonl([userLine(secret)]));
    writeFileSync(join(outside, 'custom-title.json'), JSON.stringify({ customTitle: secret }));
    const up = ['../../../outside/secret', join(outside, 'secret'), '../outside/secret.jsonl', '..'];
    for (const [n, path] of up.entries()) {
      const fields = {
        sessionId: path,
        agentId: path,
        parentUuid: path,
        leafUuid: path,
        transcript_path: path,
      };
      home.writeSession(`inside-${n}`, [
        userLine('okapi', { ...fields, relocatedCwd: path, continuedIn: path }),
        { type: 'summary', summary: 'okapi', ...fields },
        { type: 'relocated', ...fields, cwd: path, newCwd: path },
      ]);
      home.write(`projects/-p-${n}/sessions-index.json`, {
        originalPath: path,
        entries: [{ ...fields, fullPath: path, projectPath: path, firstPrompt: 'okapi' }],
      });
      home.append('history.jsonl', [
        { display: 'okapi', sessionId: path, project: path, timestamp: 1772704800000 },
      ]);
    }
    for (const args of [
      ['index'],
      ['index', '--rebuild'],
      ['search', secret],
      ['doctor'],
      ['forget', '../../../outside/secret', '--yes'],
    ]) {
      await tally.attempt('hostile: reaching outside', args.join(' '), () => {
        const result = runRecall(home, args);
        expectPlain(result);
        assert.equal(result.code, args[0] === 'search' ? 1 : 0, result.stderr);
        assert.ok(existsSync(join(outside, 'secret.jsonl')));
        const found = runRecall(home, ['search', '--no-refresh', '--all', '--json', secret]);
        assert.equal(JSON.parse(found.stdout).total, 0);
      });
    }
  } finally {
    home.remove();
  }
}
