// Makes the files of one conversation: its main transcript, unless Claude Code has deleted it, perhaps continued
// from another one, and the transcripts of its agents.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineWriter, type Origin } from './line-writer.ts';
import { makeAgent } from './make-agent.ts';
import { type Talk, writeMain } from './make-session.ts';
import { countTranscript, type Making } from './making.ts';
import type { Project } from './projects.ts';
import type { Random } from './random.ts';
import { newestVersion } from './request-lines.ts';
import { type ListedSession, writeCustomTitle } from './sidecars.ts';
import { writeSnapshot } from './talk-lines.ts';
import { TranscriptFile } from './transcript-file.ts';
import { Voice } from './voice.ts';

export interface Conversation {
  readonly voice: Voice;
  /** In its main transcript. */
  readonly messages: number;
  readonly isGone: boolean;
}

/** Four of five agent transcripts have outlived their parent's. */
const mainIsGone = 0.2;
const hasAgents = 0.09;
const isFork = 0.05;
const isEmpty = 0.14;
const hasCustomTitle = 0.03;

/** A few sessions are long and most are not; the mean is e^(sigma² / 2) of the median. */
const turnsSigma = 1.2;

export function makeConversation(
  making: Making,
  project: Project,
  random: Random,
  startMs: number,
): Conversation {
  const voice = new Voice(random, making.vocabulary);
  const origin = toOrigin(project, random, startMs, making.newest);
  const conversation = random.chance(mainIsGone)
    ? leaveHistory(making, project, origin, voice, random)
    : makeMain(making, project, origin, voice, random);
  const agents = conversation.isGone
    ? 1 + random.geometric(2.8)
    : random.chance(hasAgents)
      ? 1 + random.geometric(2)
      : 0;
  for (let n = 0; n < agents; n++) makeAgent(making, project, origin, random);
  return conversation;
}

function toOrigin(project: Project, random: Random, startMs: number, newest: number): Origin {
  return {
    sessionId: random.uuid(),
    agentId: null,
    cwd: project.cwd,
    branch: random.pick(project.branches),
    version: random.chance(newest) ? newestVersion : `2.1.${30 + random.below(200)}`,
    model: random.pick(['claude-opus-4-5-20251101', 'claude-sonnet-4-5-20250929']),
    startMs,
  };
}

/** Of a deleted session the history keeps the prompts, and sometimes the project's list its summary. */
function leaveHistory(
  making: Making,
  project: Project,
  origin: Origin,
  voice: Voice,
  random: Random,
): Conversation {
  const { sessionId, cwd, startMs } = origin;
  const prompts = Array.from({ length: 1 + random.geometric(1.5) }, () =>
    voice.prompt(random.logNormal(70, 1.2)),
  );
  prompts.forEach((display, i) => {
    making.typed.push({ display, timestampMs: startMs + i * 600_000, project: cwd, sessionId });
  });
  making.messages += prompts.length;
  project.sessions.push(toListed(origin, voice, prompts, startMs + 3_600_000));
  return { voice, messages: 0, isGone: true };
}

function makeMain(
  making: Making,
  project: Project,
  origin: Origin,
  voice: Voice,
  random: Random,
): Conversation {
  const { sessionId, cwd } = origin;
  const path = join(project.folder, `${sessionId}.jsonl`);
  const file = new TranscriptFile(path, random);
  const source = random.chance(isFork) ? project.mains.at(-1) : undefined;
  const copied = source === undefined ? 0 : copyLines(file, source.path);
  const startMs = source === undefined ? origin.startMs : source.modifiedAtMs + 3_600_000;
  const writer = new LineWriter(random, { ...origin, startMs }, file.append);
  const talk: Talk = { writer, voice, filler: making.filler, noise: making.noise };
  const prompts =
    random.chance(isEmpty) && source === undefined ? [] : writeMain(talk, toTurns(making, random));
  if (prompts.length === 0) writeSnapshot(writer, voice, 0);
  file.close(writer.nowMs);
  for (const display of prompts)
    making.typed.push({ display, timestampMs: writer.nowMs, project: cwd, sessionId });
  const messages = writer.messages + Math.round(copied * (source?.messagesPerLine ?? 0));
  project.mains.push({
    path,
    modifiedAtMs: writer.nowMs,
    messagesPerLine: messages / Math.max(1, file.lines),
  });
  project.sessions.push(toListed(origin, voice, prompts, writer.nowMs));
  countTranscript(making, file, messages);
  if (random.chance(hasCustomTitle)) {
    making.bytes += writeCustomTitle(join(project.folder, sessionId), voice.title(), writer.nowMs);
    making.sidecars++;
  }
  return { voice, messages, isGone: false };
}

function toTurns(making: Making, random: Random): number {
  const median = making.turns / Math.exp(turnsSigma ** 2 / 2);
  return Math.max(1, Math.round(random.logNormal(median, turnsSigma)));
}

/** The first half of another transcript, as it is: the same uuids, the other session's id. */
function copyLines(file: TranscriptFile, from: string): number {
  const lines = readFileSync(from, 'utf8').split('\n').slice(0, -1);
  const copied = lines.slice(0, Math.ceil(lines.length / 2));
  for (const line of copied) file.append(`${line}\n`);
  return copied.length;
}

function toListed(
  origin: Origin,
  voice: Voice,
  prompts: readonly string[],
  modifiedAtMs: number,
): ListedSession {
  const { sessionId, cwd, branch, startMs: createdAtMs } = origin;
  const firstPrompt = prompts[0] ?? 'No prompt';
  const messages = prompts.length;
  return {
    sessionId,
    cwd,
    branch,
    summary: voice.title(),
    firstPrompt,
    messages,
    createdAtMs,
    modifiedAtMs,
  };
}
