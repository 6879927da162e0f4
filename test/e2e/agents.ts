// npm run e2e:agents [-- <agent>…]: runs whichever of the real agents are installed, in a temporary home and without a network.
// Each makes a session; recall indexes and finds it; the command that recall prints resumes it; and what the model is sent
// then holds the first question and its answer. Programs are looked for on PATH.

import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type AgentName, agents } from '../../src/records.ts';
import { TempHome } from '../support/home.ts';
import { startModel } from '../support/model-server.ts';
import { runRecall } from '../support/program.ts';
import { type RealAgent, realAgents } from './real-agents.ts';

const question = 'Where did we put the marmalade recipe?';
const answer = 'The marmalade recipe is in the quince folder.';
const later = 'And who wrote it down?';
const timeoutMs = 120_000;

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

async function tryAgent(agent: AgentName, real: RealAgent): Promise<string | null> {
  using home = new TempHome();
  const model = await startModel(answer);
  try {
    // Copies of the program may have been asked before, in another home.
    const cwd = join(home.path, 'pantry');
    mkdirSync(cwd);
    real.setUp(home.path, model.url);
    const env = { PATH: process.env.PATH ?? '', HOME: home.path, TERM: 'dumb', ...real.env(model.url) };
    const run = (args: readonly string[], where: string) => start(real.program, args, where, env);
    const asked = await run(real.ask(question), cwd);
    if (model.questions.length === 0) return `did not ask the model:\n${asked}`;

    const found = runRecall(home, ['search', 'marmalade', '--agent', agent, '--json']);
    const [hit] = (JSON.parse(found.stdout) as { hits: { id: string; firstPrompt: string }[] }).hits;
    if (hit === undefined) return 'recall did not find the session';
    if (!hit.firstPrompt.includes(question)) return `the first prompt is ${hit.firstPrompt}`;
    const opened = JSON.parse(runRecall(home, ['open', hit.id, '--json']).stdout) as {
      readonly resumable: boolean;
      readonly argv: readonly string[];
      readonly cwd: string | null;
    };
    if (!opened.resumable || opened.argv[0] !== real.program) return `recall open: ${JSON.stringify(opened)}`;

    const before = model.questions.length;
    const resumed = await run(real.resume(opened.argv, later), opened.cwd ?? home.path);
    const sent = model.questions.slice(before).find((body) => body.includes(later));
    if (sent === undefined) return `did not resume:\n${resumed}`;
    if (!sent.includes(question) || !sent.includes(answer)) return 'the model was not sent the earlier turns';

    const again = runRecall(home, ['search', 'wrote it down', '--agent', agent, '--json']);
    const same = (JSON.parse(again.stdout) as { hits: { id: string }[] }).hits.some(
      ({ id }) => id === hit.id,
    );
    return same ? null : 'recall did not find what was said after resuming';
  } finally {
    await model.close();
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

const wanted = process.argv.slice(2);
let failures = 0;
for (const agent of agents.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  const real = realAgents[agent];
  if (!isInstalled(real.program)) {
    console.log(`- ${agent}: not installed`);
    continue;
  }
  const fault = await tryAgent(agent, real).catch((error: unknown) => String(error));
  if (fault !== null) failures++;
  console.log(fault === null ? `✓ ${agent}: made, found, resumed` : `✗ ${agent}: ${fault}`);
}
process.exitCode = failures === 0 ? 0 : 1;
