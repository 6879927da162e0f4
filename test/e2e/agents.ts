// npm run e2e:agents [-- <agent>…]: runs whichever of the real agents are installed, in a temporary home and without a network.
// Each makes a session; recall indexes and finds it; the command that recall prints resumes it; and what the model is sent
// then holds the first question and its answer. Then its sessions are deleted, brought back from the archive and resumed, with
// secrets and without. Programs are looked for on PATH.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type AgentName, agents } from '../../src/records.ts';
import { TempHome } from '../support/home.ts';
import { startModel } from '../support/model-server.ts';
import { type RealAgent, realAgents } from './real-agents.ts';
import { answer, type Fault, Trial } from './trial.ts';

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

async function tryAgent(agent: AgentName, real: RealAgent): Promise<Fault> {
  using home = new TempHome();
  const model = await startModel(answer);
  try {
    const trial = new Trial(agent, real, home, model);
    try {
      return await trial.run();
    } finally {
      if (real.finish !== undefined) await trial.start(real.finish);
    }
  } finally {
    await model.close();
  }
}

const wanted = process.argv.slice(2);
let failures = 0;
for (const agent of agents.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  const real = realAgents[agent];
  if (real === undefined) console.log(`- ${agent}: only its files are known`);
  if (real === undefined) continue;
  if (!isInstalled(real.program)) {
    console.log(`- ${agent}: not installed`);
    continue;
  }
  const fault = await tryAgent(agent, real).catch((error: unknown) => String(error));
  if (fault !== null) failures++;
  console.log(
    fault === null
      ? `✓ ${agent}: made, found, resumed${real.store === null ? '' : ', deleted, restored, resumed'}`
      : `✗ ${agent}: ${fault}`,
  );
}
process.exitCode = failures === 0 ? 0 : 1;
