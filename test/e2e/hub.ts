// npm run e2e:hub: several machines with the real Claude Code or Codex, against a model on loopback. A session is held on one machine,
// found and continued on another, with the earlier turns; and back on the first it is found with the new ones, and continued as a branch.
//
// Needs `claude` (or `codex`) on the PATH, or its path in CLAUDE (or CODEX). What is not there is named and left out.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TempHome } from '../support/home.ts';
import { type ModelServer, modelName, startModel } from '../support/model-server.ts';
import { runRecall } from '../support/program.ts';

const answer = 'The walrus answer.';

interface Agent {
  readonly name: string;
  readonly program: string;
  prepare(home: TempHome, url: string): Record<string, string>;
  ask(words: string): string[];
  resume(id: string, words: string): string[];
}

const agents: readonly Agent[] = [
  {
    name: 'claude',
    program: process.env.CLAUDE ?? 'claude',
    prepare: (_home, url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'x',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    ask: (words) => ['-p', words],
    resume: (id, words) => ['-r', id, '-p', words],
  },
  {
    name: 'codex',
    program: process.env.CODEX ?? 'codex',
    prepare: (home, url) => {
      mkdirSync(join(home.path, '.codex'), { recursive: true });
      const provider = `[model_providers.local]\nname = "local"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "LOCAL_KEY"\n`;
      writeFileSync(
        join(home.path, '.codex', 'config.toml'),
        `model = "${modelName}"\nmodel_provider = "local"\n${provider}`,
      );
      return { LOCAL_KEY: 'x' };
    },
    ask: (words) => ['exec', '--skip-git-repo-check', words],
    resume: (id, words) => ['exec', '--skip-git-repo-check', 'resume', id, words],
  },
];

function check(isTrue: boolean, what: string): void {
  console.log(`${isTrue ? '✓' : '✗'} ${what}`);
  if (!isTrue) process.exitCode = 1;
}

class TestMachine {
  readonly home = new TempHome();
  readonly name: string;
  private readonly agent: Agent;
  private readonly env: Record<string, string>;
  private readonly project: string;

  constructor(name: string, agent: Agent, server: ModelServer, project: string) {
    this.name = name;
    this.agent = agent;
    this.project = project;
    this.env = agent.prepare(this.home, server.url);
  }

  async run(args: readonly string[]): Promise<void> {
    const { program } = this.agent;
    const env = { PATH: `${dirname(program)}:${process.env.PATH}`, HOME: this.home.path, ...this.env };
    const child = spawn(program, args, { cwd: this.project, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    const code = await new Promise((done) => child.on('close', done));
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
  }

  recall(args: readonly string[], env: Record<string, string> = {}): string {
    const options = { cwd: this.project, env: { RECALL_MACHINE: this.name, ...env } };
    const { code, stdout, stderr } = runRecall(this.home, args, options);
    if (code !== 0) throw new Error(`recall ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return stdout.trim();
  }
}

for (const agent of agents) {
  const version = spawnSync(agent.program, ['--version'], { encoding: 'utf8' });
  if (version.status !== 0) {
    console.log(`- ${agent.name} is not installed here: left out`);
    continue;
  }
  console.log(`${agent.name} ${version.stdout.trim()}`);
  const server = await startModel(answer);
  const shared = new TempHome();
  const [project, hub] = [join(shared.path, 'shop'), join(shared.path, 'hub')];
  mkdirSync(project);
  const [laptop, desktop] = ['laptop', 'desktop'].map(
    (name) => new TestMachine(name, agent, server, project),
  ) as [TestMachine, TestMachine];
  const lastSent = (words: string) => server.questions.findLast((question) => question.includes(words)) ?? '';
  try {
    await laptop.run(agent.ask('remember the okapi'));
    laptop.recall(['hub', 'join', hub, '--yes']);
    desktop.recall(['hub', 'join', hub, '--yes'], { RECALL_HUB_KEY: laptop.recall(['hub', 'key']) });
    const [hit] = JSON.parse(desktop.recall(['search', 'okapi', '--json'])).hits;
    check(hit?.machine === 'laptop', 'what was said on the laptop is found on the desktop');
    const command = desktop.recall(['open', hit.id, '--restore']);
    check(command.includes(hit.id), `  open --restore prints: ${command}`);
    await desktop.run(agent.resume(hit.id, 'what was it?'));
    const sent = lastSent('what was it?');
    check(
      sent.includes('remember the okapi') && sent.includes(answer),
      '  and the model is sent the earlier turns',
    );

    desktop.recall(['index']);
    laptop.recall(['index']);
    const [back] = JSON.parse(laptop.recall(['search', '"what was it"', '--json'])).hits;
    check(back?.id === hit.id && back?.machine === 'desktop', 'back on the laptop the new turns are found');
    await laptop.run(agent.resume(hit.id, 'and the laptop asks'));
    const branch = JSON.parse(laptop.recall(['open', `${hit.id}@desktop`, '--restore', '--json'])).id;
    check(branch !== hit.id, '  continued on both, it comes as a branch');
    await laptop.run(agent.resume(branch, 'once more?'));
    const again = lastSent('once more?');
    check(
      again.includes('remember the okapi') && again.includes('what was it?'),
      '  which the program continues with all turns',
    );
    check(!again.includes('and the laptop asks'), '  and without those of the other');
  } finally {
    await server.close();
    for (const home of [laptop.home, desktop.home, shared]) home.remove();
  }
}
