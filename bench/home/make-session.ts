// The lines of one whole transcript: a main session of some turns, an agent with its one task, or Claude Code's own
// machinery, which repeats its parent.

import type { Filler } from './filler.ts';
import type { LineWriter } from './line-writer.ts';
import { newestVersion, writeOpening, writeRequest } from './request-lines.ts';
import {
  writeAnswer,
  writeAttachment,
  writeCommand,
  writeCompaction,
  writeLastPrompt,
  writePrompt,
  writeQueued,
  writeSnapshot,
  writeThinking,
  writeTitle,
  writeTurnEnd,
} from './talk-lines.ts';
import { writeToolCall } from './tool-lines.ts';
import type { Voice } from './voice.ts';

export interface Talk {
  readonly writer: LineWriter;
  readonly voice: Voice;
  readonly filler: Filler;
  /** How much there is of what is never indexed: 1 as in real homes, near 0 for homes made to be searched. */
  readonly noise: number;
}

/** Tool calls between one prompt and the next, on average. */
const stepsPerTurn = 6.5;
const stepsPerAgent = 10;

/** Returns what was typed, for history.jsonl. */
export function writeMain(talk: Talk, turns: number): string[] {
  const { writer, voice } = talk;
  const typed: string[] = [];
  const title = voice.title();
  writeOpening(talk);
  if (writer.random.chance(0.1)) writeCommand(writer, voice);
  for (let turn = 0; turn < turns; turn++) {
    typed.push(writeTurn(talk, turn));
    writeTitle(writer, title);
    if (turn % 25 === 24) writeCompaction(writer, voice);
  }
  return typed;
}

function writeTurn(talk: Talk, turn: number): string {
  const { writer, voice, filler, noise } = talk;
  const { random } = writer;
  const prompt = voice.prompt(random.logNormal(70, 1.2));
  if (random.chance(0.6 * noise)) writeSnapshot(writer, voice, Math.min(turn, 12));
  // Newer versions queue every prompt: it is written twice and was typed once.
  if (writer.origin.version === newestVersion) {
    writeQueued(writer, prompt);
    writer.messages--;
  }
  writePrompt(writer, prompt);
  writeSteps(talk, random.geometric(stepsPerTurn));
  if (random.chance(0.15)) {
    writeQueued(writer, voice.prompt(random.logNormal(60, 1)));
    writeSteps(talk, 2);
  }
  writeAnswer(writer, voice.answer(random.logNormal(300, 1.1)));
  writeLastPrompt(writer, prompt);
  if (random.chance(0.4 * noise)) writeTurnEnd(writer);
  if (random.chance(0.8 * noise)) writeAttachment(writer, filler);
  return prompt;
}

function writeSteps(talk: Talk, steps: number): void {
  const { writer, voice, filler, noise } = talk;
  const { random } = writer;
  for (let step = 0; step < steps; step++) {
    writeRequest(talk);
    if (random.chance(0.24 * noise)) writeThinking(writer, filler);
    if (random.chance(0.68)) writeAnswer(writer, voice.answer(random.logNormal(80, 1.4)));
    writeToolCall(writer, voice, filler, noise);
    if (random.chance(0.08 * noise)) writeAttachment(writer, filler);
  }
}

export function writeAgent(talk: Talk): void {
  const { writer, voice } = talk;
  const { random } = writer;
  writeOpening(talk);
  writePrompt(writer, voice.prompt(random.logNormal(300, 0.7)));
  writeSteps(talk, random.geometric(stepsPerAgent));
  writeAnswer(writer, voice.answer(random.logNormal(900, 0.8)));
}

/** Nothing of it is indexed, which its length shows: a recap of all that its parent said. */
export function writeMachinery(talk: Talk): void {
  const { writer, voice } = talk;
  writePrompt(writer, '[SUGGESTION MODE: Suggest what the user might naturally type next.]');
  writeSteps(talk, writer.random.geometric(stepsPerAgent));
  writeAnswer(writer, voice.answer(2000));
  writer.messages = 0;
}
