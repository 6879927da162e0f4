// npm run e2e:claude: the promise of the archive with the real Claude Code, against a model on loopback. A session is held,
// indexed, archived and deleted; recall finds it, brings it back, and the model is sent its earlier words again. The same for
// a session of which only the indexed text is left, for prompts alone, and with secrets taken out.
//
// Needs `claude` on the PATH, or its path in CLAUDE.

import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TempHome } from '../support/home.ts';
import { startModel } from '../support/model-server.ts';
import { runRecall } from '../support/program.ts';

const claude = process.env.CLAUDE ?? 'claude';
const version = spawnSync(claude, ['--version'], { encoding: 'utf8' });
if (version.status !== 0) {
  console.error('Claude Code is not installed here: put it on the PATH, or its path into CLAUDE');
  process.exit(1);
}
console.log(`Claude Code ${version.stdout.trim()}`);

const server = await startModel('The walrus answer.');
const home = new TempHome();
const project = join(home.path, 'shop');
mkdirSync(project);

async function runClaude(...args: string[]): Promise<string> {
  const env = {
    PATH: `${dirname(claude)}:${process.env.PATH}`,
    HOME: home.path,
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'x',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  const child = spawn(claude, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const code = await new Promise((done) => child.on('close', done));
  if (code !== 0) throw new Error(`claude ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

function recall(...args: string[]): string {
  const { code, stdout, stderr } = runRecall(home, args, { cwd: project });
  if (code !== 0) throw new Error(`recall ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

function check(isTrue: boolean, what: string): void {
  console.log(`${isTrue ? '✓' : '✗'} ${what}`);
  if (!isTrue) process.exitCode = 1;
}

const projects = join(home.claudeDir, 'projects');
const transcripts = () =>
  readdirSync(projects).flatMap((slug) =>
    readdirSync(join(projects, slug))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(projects, slug, name)),
  );

/** A session about this word, and its id. */
async function hold(word: string): Promise<{ id: string; path: string }> {
  const before = transcriptsOrNone();
  await runClaude('-p', `remember the ${word}`);
  const path = transcripts().find((each) => !before.includes(each)) ?? '';
  return { path, id: path.replace(/^.*\/|\.jsonl$/g, '') };
}

function transcriptsOrNone(): string[] {
  try {
    return transcripts();
  } catch {
    return [];
  }
}

/** What the model is sent when the session is resumed by the command that recall prints. */
async function resume(id: string, words: string): Promise<string> {
  recall('search', words);
  const found = JSON.parse(recall('search', words, '--json'));
  check(
    found.hits[0]?.resumable === false,
    `${id.slice(0, 8)}: gone, and restorable from ${found.hits[0]?.restorable}`,
  );
  const command = recall('open', '1', '--restore').trim();
  check(command === `cd '${project}' && claude -r ${id}`, `  open --restore prints: ${command}`);
  await runClaude('-r', id, '-p', 'what was it?');
  return server.questions.findLast((question) => question.includes('what was it?')) ?? '';
}

try {
  const kept = await hold('okapi');
  recall('archive', 'on');
  recall('index');
  const bytes = readFileSync(kept.path);
  rmSync(kept.path);
  recall('index');
  check(recall('search', 'okapi').includes('transcript deleted'), 'a deleted session is found');
  const sent = await resume(kept.id, 'okapi');
  check(
    sent.includes('remember the okapi') && sent.includes('what was it?'),
    '  the model is sent the earlier words',
  );
  check(
    readFileSync(kept.path).subarray(0, bytes.length).equals(bytes),
    '  the bytes are those that were deleted',
  );

  recall('archive', 'off');
  const lost = await hold('quokka');
  recall('index');
  rmSync(lost.path);
  recall('index');
  const rebuilt = await resume(lost.id, 'quokka');
  check(
    rebuilt.includes('remember the quokka') && rebuilt.includes('The walrus answer.'),
    '  rebuilt from text: the model is sent the earlier words',
  );
  recall('index', '--rebuild');
  const shown = recall('show', lost.id);
  check(
    shown.includes('remember the quokka') && shown.includes('what was it?'),
    '  and the index has old and new',
  );

  const id = 'cccccccc-0000-4000-8000-000000000003';
  appendFileSync(
    join(home.claudeDir, 'history.jsonl'),
    `${JSON.stringify({ display: 'remember the numbat', timestamp: Date.now() - 1e9, project, sessionId: id })}\n`,
  );
  recall('index');
  check(
    (await resume(id, 'numbat')).includes('remember the numbat'),
    '  rebuilt from prompts alone: the model is sent them',
  );

  recall('archive', 'on');
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const redacted = await hold(`token ${secret}`);
  recall('index', '--redact');
  rmSync(redacted.path);
  recall('index');
  const clean = await resume(redacted.id, 'remember token');
  check(clean.includes('remember the token [redacted github-token]'), '  with secrets taken out: it resumes');
  check(!clean.includes(secret), '  and the secret is not sent');
} finally {
  await server.close();
  home.remove();
}
