// The lines of one tool call: the call, the progress reported meanwhile, and the result, which Claude Code writes
// twice, as the model sees it and as the tool gave it. Together they are two thirds of all bytes.

import type { Filler } from './filler.ts';
import type { LineWriter } from './line-writer.ts';
import type { Voice } from './voice.ts';

/** Of every tool: how often it is called, and its input as JSON. */
const tools: readonly (readonly [share: number, name: string, input: (call: Call) => string])[] = [
  [
    0.35,
    'Bash',
    ({ voice }) => json({ command: `npm test -- ${voice.path()}`, description: voice.prompt(30) }),
  ],
  [0.25, 'Read', ({ voice, cwd }) => json({ file_path: `${cwd}/${voice.path()}`, offset: 1, limit: 200 })],
  [
    0.18,
    'Edit',
    (call) =>
      `{"file_path":${json(`${call.cwd}/${call.voice.path()}`)},"old_string":"${call.cut(350)}","new_string":"${call.cut(450)}"}`,
  ],
  [0.1, 'Grep', ({ voice }) => json({ pattern: voice.identifier(), path: 'src', output_mode: 'content' })],
  [
    0.05,
    'Write',
    (call) => `{"file_path":${json(`${call.cwd}/${call.voice.path()}`)},"content":"${call.cut(2500)}"}`,
  ],
  [0.05, 'TodoWrite', ({ voice }) => json({ todos: [{ content: voice.prompt(40), status: 'pending' }] })],
  [
    0.02,
    'Task',
    ({ voice }) => json({ description: voice.title(), subagent_type: 'Explore', prompt: voice.prompt(400) }),
  ],
];

interface Call {
  readonly voice: Voice;
  readonly cwd: string;
  readonly cut: (chars: number) => string;
}

const json = JSON.stringify;

/** Half of all results are short and a few are huge: up to the megabyte that was seen. */
const outputMedianChars = 190;
const outputSigma = 2.3;
const maxOutputChars = 500_000;

const progressPerCall = 1.1;

/** `noise` scales what is never indexed: 1 is as in real homes, 0 leaves the bare call and result. */
export function writeToolCall(writer: LineWriter, voice: Voice, filler: Filler, noise: number): void {
  const { random, origin } = writer;
  const cut = (chars: number) => filler.output(random, 1 + random.logNormal(chars * 0.6 * noise, 1));
  const [name, input] = pickTool(random.fraction());
  const id = random.serverId('toolu');
  const call = input({ voice, cwd: origin.cwd, cut });
  writer.assistant(`{"type":"tool_use","id":"${id}","name":"${name}","input":${call}}`);
  for (let left = random.geometric(progressPerCall * noise + 1e-9); left > 0; left--)
    writeProgress(writer, filler, voice, id);
  const chars = Math.min(maxOutputChars, random.logNormal(outputMedianChars, outputSigma) * noise);
  writeResult(writer, id, filler.output(random, chars));
}

export function writeResult(writer: LineWriter, id: string, output: string): void {
  const isError = writer.random.chance(0.05);
  const result = `{"tool_use_id":"${id}","type":"tool_result","content":"${output}","is_error":${isError}}`;
  const own = `{"stdout":"${output}","stderr":"","interrupted":false,"isImage":false}`;
  writer.entry(
    `"type":"user","message":{"role":"user","content":[${result}]},"toolUseResult":${own},"sourceToolAssistantUUID":"${writer.random.uuid()}"`,
  );
}

function pickTool(fraction: number): readonly [string, (call: Call) => string] {
  let left = fraction;
  for (const [share, name, input] of tools) {
    left -= share;
    if (left < 0) return [name, input];
  }
  return ['Read', ({ voice }) => json({ file_path: voice.path() })];
}

function writeProgress(writer: LineWriter, filler: Filler, voice: Voice, id: string): void {
  const draw = writer.random.fraction();
  const data =
    draw < 0.55
      ? hookProgress()
      : draw < 0.8
        ? bashProgress(writer, filler)
        : agentProgress(writer, filler, voice);
  writer.entry(`"type":"progress","data":${data},"toolUseID":"${id}","parentToolUseID":"${id}"`);
}

function hookProgress(): string {
  return '{"type":"hook_progress","hookEvent":"PreToolUse","hookName":"PreToolUse:Bash","command":"~/.claude/hooks/scripts/before-tool.sh pre"}';
}

function bashProgress(writer: LineWriter, filler: Filler): string {
  const output = filler.output(writer.random, Math.min(20_000, writer.random.logNormal(150, 1.3)));
  return `{"type":"bash_progress","output":"${output}","fullOutput":"${output}","elapsedTimeSeconds":2,"totalLines":9}`;
}

/** Holds whole messages of the agent, twice: what looks like talk and is none. */
function agentProgress(writer: LineWriter, filler: Filler, voice: Voice): string {
  const { random } = writer;
  const output = filler.output(random, Math.min(20_000, random.logNormal(500, 1.2)));
  const message = `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"${random.serverId('toolu')}","content":"${output}"}]},"uuid":"${random.uuid()}","timestamp":"${writer.tick()}"}`;
  return `{"message":${message},"normalizedMessages":[${message}],"type":"agent_progress","prompt":${json(voice.prompt(80))},"agentId":"a${random.hex(7)}"}`;
}
