// One run of a real agent in a home of its own: a session is made, found, resumed, deleted, brought back and resumed again.

import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentName } from '../../src/records.ts';
import type { TempHome } from '../support/home.ts';
import type { ModelServer } from '../support/model-server.ts';
import { runRecall } from '../support/program.ts';
import { tryRollouts } from './codex-rollouts.ts';
import type { RealAgent } from './real-agents.ts';

const question = 'Where did we put the marmalade recipe?';
export const answer = 'The marmalade recipe is in the quince folder.';
const secret = `ghp_${'k3Y9'.repeat(9)}`;
const later = `And who wrote it down? The token is ${secret}.`;
const timeoutMs = 120_000;

/** What went wrong. */
export type Fault = string | null;

/** A home with an agent that has its model there. */
export class Trial {
  private readonly agent: AgentName;
  private readonly real: RealAgent;
  readonly home: TempHome;
  /** What the model has to be sent whenever the session is resumed. */
  readonly said = [question, answer];
  private readonly model: ModelServer;
  private readonly cwd: string;

  constructor(agent: AgentName, real: RealAgent, home: TempHome, model: ModelServer) {
    this.agent = agent;
    this.real = real;
    this.home = home;
    this.model = model;
    // Copies of the program may have been asked before, in another home.
    this.cwd = join(home.path, 'pantry');
    mkdirSync(this.cwd);
    real.setUp(home.path, model.url);
  }

  async run(): Promise<Fault> {
    const asked = await this.start(this.real.ask(question));
    if (this.model.questions.length === 0) return `did not ask the model:\n${asked}`;
    const [hit] = this.search('marmalade');
    if (hit === undefined) return 'recall did not find the session';
    if (!hit.firstPrompt.includes(question)) return `the first prompt is ${hit.firstPrompt}`;
    return (await this.resume(hit.id)) ?? (await this.restore(hit.id)) ?? (await this.move(hit.id));
  }

  private async resume(id: string): Promise<Fault> {
    const fault = await this.open(id, [], later, this.said);
    if (fault !== null) return fault;
    const isSame = this.search('wrote it down').some((hit) => hit.id === id);
    return isSame ? null : 'recall did not find what was said after resuming';
  }

  /** Twice: from a copy as it was, and from one without the secret that was pasted. */
  private async restore(id: string): Promise<Fault> {
    const { store } = this.real;
    if (store === null) return null;
    runRecall(this.home, ['archive', 'on']);
    const rounds = [
      { args: ['index'], prompt: 'Is it still legible?', earlier: [...this.said, secret] },
      { args: ['index', '--redact'], prompt: 'May I copy it?', earlier: [...this.said, 'legible'] },
    ];
    for (const { args, prompt, earlier } of rounds) {
      const indexed = runRecall(this.home, args);
      if (indexed.code !== 0) return `recall ${args.join(' ')}: ${indexed.stderr}`;
      rmSync(join(this.home.path, store), { recursive: true });
      const refused = runRecall(this.home, ['open', id]);
      if (refused.code !== 1) return `recall opens what is deleted: ${refused.stdout}`;
      const fault = await this.open(id, ['--restore'], prompt, earlier);
      if (fault !== null) return `restored after recall ${args.join(' ')}: ${fault}`;
    }
    const sent = this.model.questions.findLast((body) => body.includes('May I copy it?'));
    return sent?.includes(secret) ? 'the secret was brought back' : null;
  }

  /** The same for what the program does with its files by itself; secrets may stay again, or compressed files would not be kept. */
  private async move(id: string): Promise<Fault> {
    if (this.agent !== 'codex') return null;
    runRecall(this.home, ['index', '--no-redact']);
    return tryRollouts(this, id);
  }

  /** Runs the command that recall prints; the model has to be sent what was said before. */
  async open(
    id: string,
    flags: readonly string[],
    prompt: string,
    earlier: readonly string[],
  ): Promise<Fault> {
    const printed = runRecall(this.home, ['open', id, ...flags, '--json']);
    if (printed.code !== 0) return `recall open: ${printed.stdout}${printed.stderr}`;
    const { argv, cwd } = JSON.parse(printed.stdout) as { argv: readonly string[]; cwd: string | null };
    const before = this.model.questions.length;
    const args = this.real.resume(argv, prompt);
    const where = cwd ?? this.home.path;
    const resumed = this.real.isTyped ? await this.type(args, prompt, where) : await this.start(args, where);
    const sent = this.model.questions.slice(before).find((body) => body.includes(prompt));
    if (sent === undefined) return `did not resume:\n${resumed}`;
    const missing = earlier.find((text) => !sent.includes(text));
    return missing === undefined ? null : `the model was not sent: ${missing}`;
  }

  private search(words: string): readonly { id: string; firstPrompt: string }[] {
    return JSON.parse(runRecall(this.home, ['search', words, '--agent', this.agent, '--json']).stdout).hits;
  }

  start(args: readonly string[], cwd = this.cwd): Promise<string> {
    return start(this.real.program, args, cwd, this.env);
  }

  /** On a terminal: the prompt is typed when the screen has come to rest, and the program ended after it was answered. */
  private async type(args: readonly string[], prompt: string, cwd: string): Promise<string> {
    const line = [this.real.program, ...args].map((word) => `'${word}'`).join(' ');
    const env = { ...this.env, TERM: 'xterm-256color' };
    const child = spawn('script', ['-qfec', line, '/dev/null'], { cwd, env, detached: true });
    let printed = '';
    child.stdout.on('data', (data) => {
      printed += data;
    });
    const isAsked = () => this.model.questions.some((body) => body.includes(prompt));
    // On a busy machine the screen is late, and swallows what was typed before.
    for (let tries = 0; tries < 4 && !isAsked(); tries++) {
      await sleep(8000);
      child.stdin.write(prompt);
      await sleep(1500);
      child.stdin.write('\r');
      for (let i = 0; i < 20 && !isAsked(); i++) await sleep(500);
    }
    await sleep(3000);
    process.kill(-(child.pid ?? 0));
    return printed.slice(-2000);
  }

  private get env(): Record<string, string> {
    const own = { PATH: process.env.PATH ?? '', HOME: this.home.path, TERM: 'dumb' };
    return { ...own, ...this.real.env(this.model.url) };
  }
}

/** What it printed. */
function start(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<string> {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        printed += data;
      });
    child.on('error', (error) => done(error.message));
    child.on('close', () => done(printed.slice(-2000)));
  });
}
