// npm run e2e:hand-on: a session with the real Claude Code or Codex is handed on, against a model on loopback. It is exported from
// one home, imported into another and continued there: the model is sent the earlier turns, and not the secret that was in them.
//
// Needs `claude` (or `codex`) on the PATH, or its path in CLAUDE (or CODEX). What is not there is named and left out.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TempHome } from '../support/home.ts';
import { type ModelServer, startModel } from '../support/model-server.ts';
import { runRecall } from '../support/program.ts';
import { type RealAgent, realAgents } from './real-agents.ts';

const answer = 'The walrus answer.';
const secret = `ghp_${'k3Y9'.repeat(9)}`;

function check(isTrue: boolean, what: string): void {
  console.log(`${isTrue ? '✓' : '✗'} ${what}`);
  if (!isTrue) process.exitCode = 1;
}

class Person {
  readonly home = new TempHome();
  readonly project: string;
  private readonly real: RealAgent;
  private readonly program: string;
  private readonly url: string;

  constructor(real: RealAgent, program: string, { url }: ModelServer, project: string) {
    [this.real, this.program, this.url] = [real, program, url];
    this.project = join(this.home.path, project);
    mkdirSync(this.project, { recursive: true });
    real.setUp(this.home.path, url);
  }

  async run(args: readonly string[], cwd = this.project): Promise<void> {
    const path = `${dirname(this.program)}:${process.env.PATH}`;
    const env = { PATH: path, HOME: this.home.path, TERM: 'dumb', ...this.real.env(this.url) };
    const child = spawn(this.program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    const code = await new Promise((done) => child.on('close', done));
    if (code !== 0) throw new Error(`${this.program} ${args.join(' ')} ended with ${code}:\n${output}`);
  }

  recall(...args: string[]): string {
    const { code, stdout, stderr } = runRecall(this.home, args, { cwd: this.home.path });
    if (code !== 0) throw new Error(`recall ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return stdout.trim();
  }
}

for (const agent of ['claude', 'codex'] as const) {
  const program = process.env[agent.toUpperCase()] ?? agent;
  const real = realAgents[agent] as RealAgent;
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (version.status !== 0) {
    console.log(`- ${agent} is not installed here: left out`);
    continue;
  }
  console.log(`${agent} ${version.stdout.trim()}`);
  const server = await startModel(answer);
  const maya = new Person(real, program, server, 'shop');
  const bob = new Person(real, program, server, 'work/our-shop');
  const sentWith = (words: string) => server.questions.findLast((question) => question.includes(words)) ?? '';
  try {
    await maya.run(real.ask(`remember the okapi; the token is ${secret}, in ${maya.project}/.env`));
    const [{ id }] = JSON.parse(maya.recall('search', 'okapi', '--json')).hits;
    const resumed = JSON.parse(maya.recall('open', id, '--json')).argv;
    await maya.run(real.resume(resumed, 'and the narwhal'));
    maya.recall('index');
    for (const range of [[], ['--range', '3-4']]) {
      const what = range.length === 0 ? 'whole' : 'the last two messages';
      const bundle = join(maya.home.path, `${range.length}.tar`);
      const reader = range.length === 0 ? bob : new Person(real, program, server, 'work/our-shop');
      const { takenOut } = JSON.parse(maya.recall('export', id, '--output', bundle, ...range, '--json'));
      if (range.length === 0)
        check(takenOut.kinds['github-token'] > 0, `${what}: what was taken out is counted`);
      check(JSON.parse(reader.recall('import', bundle, '--json')).id === id, `${what}: it is imported`);
      const { argv, cwd } = JSON.parse(
        reader.recall('open', id, '--restore', '--into', reader.project, '--json'),
      );
      await reader.run(real.resume(argv, 'what was it?'), cwd ?? reader.project);
      const sent = sentWith('what was it?');
      const isWhole = range.length === 0;
      check(
        sent.includes('and the narwhal') && sent.includes(answer),
        '  the model is sent the earlier turns',
      );
      check(sent.includes('remember the okapi') === isWhole, '  all of them, or those of the range');
      check(!sent.includes(secret), '  and not the secret');
      check(!sent.includes(maya.home.path), '  nor the home directory that it was in');
      reader.recall('index');
      const hits = JSON.parse(reader.recall('search', '"what was it"', '--json')).hits;
      check(hits.length === 1 && hits[0].id === id, '  what was said after it is found in the same session');
      if (reader !== bob) reader.home.remove();
    }
  } finally {
    await server.close();
    for (const { home } of [maya, bob]) home.remove();
  }
}
