// Makes a seeded Claude home shaped like real ones: a few per cent of the bytes are what was said, the rest is tool
// output, progress and envelopes. The same shape gives the same files.

import { relative } from 'node:path';
import { Filler } from './filler.ts';
import { type Conversation, makeConversation } from './make-conversation.ts';
import { makeLong } from './make-long.ts';
import type { Making } from './making.ts';
import { makeProject, type Project } from './projects.ts';
import { type Queries, QueryPicker } from './queries.ts';
import { Random } from './random.ts';
import { writeHistory, writeSessionsIndex } from './sidecars.ts';
import type { HomeShape } from './sizes.ts';
import { Vocabulary } from './vocabulary.ts';
import { Voice } from './voice.ts';

/** What the bench wants to know of a home without reading it. */
export interface HomeFacts {
  readonly shape: HomeShape;
  readonly transcripts: number;
  /** Transcripts, sidecars and the history. */
  readonly files: number;
  readonly bytes: number;
  /** About as many as are indexed: it does not know which lines were torn. */
  readonly messages: number;
  readonly queries: Queries;
  /** The long transcript, relative to the home. */
  readonly longTranscript: string | null;
}

const lastMs = Date.UTC(2026, 9, 31);
const spanMs = 2 * 365 * 86_400_000;

const hasSessionsIndex = 0.4;

export function makeHome(claudeDir: string, shape: HomeShape): HomeFacts {
  const random = new Random(shape.seed, 3);
  const vocabulary = new Vocabulary(shape.seed, shape.foreign);
  const filler = new Filler(shape.seed, vocabulary);
  const projects = Array.from({ length: shape.projects }, () => makeProject(claudeDir, vocabulary, random));
  const { noise, turns, newest } = shape;
  const making: Making = {
    ...{ vocabulary, filler, noise, turns, newest, typed: [] },
    ...{ transcripts: 0, sidecars: 0, bytes: 0, messages: 0 },
  };
  const picker = new QueryPicker();
  for (let n = 0; !isEnough(making, shape); n++) {
    const conversation = makeNth(making, projects, shape.seed, n);
    picker.consider(conversation, toShareDone(making, shape));
  }
  for (let n = 0; n < shape.lost; n++) loseNth(making, projects, shape.seed, n);
  const longPath = makeLongIfAny(making, projects, shape);
  finishProjects(making, projects, random);
  making.bytes += writeHistory(claudeDir, making.typed);
  return {
    ...{ shape, transcripts: making.transcripts, files: making.transcripts + making.sidecars + 1 },
    ...{ bytes: making.bytes, messages: making.messages, queries: picker.queries() },
    longTranscript: longPath === null ? null : relative(claudeDir, longPath),
  };
}

function isEnough(making: Making, shape: HomeShape): boolean {
  const wanted = shape.transcripts - (shape.longBytes > 0 ? 1 : 0);
  return making.transcripts >= wanted || (shape.messages > 0 && making.messages >= shape.messages);
}

function toShareDone(making: Making, shape: HomeShape): number {
  return shape.messages > 0 ? making.messages / shape.messages : making.transcripts / shape.transcripts;
}

function makeNth(making: Making, projects: readonly Project[], seed: number, n: number): Conversation {
  const random = new Random(seed, 4, n);
  // A day before the end at the latest, so that no session reaches into the future.
  const startMs = lastMs - 86_400_000 - random.below(spanMs);
  // A few projects hold most sessions.
  const project = projects[Math.floor(random.fraction() ** 2 * projects.length)] as Project;
  return makeConversation(making, project, random, startMs);
}

/** A session that was deleted long ago; what was typed in it is between what was typed in others that day. */
function loseNth(making: Making, projects: readonly Project[], seed: number, n: number): void {
  const random = new Random(seed, 6, n);
  const voice = new Voice(random, making.vocabulary);
  const sessionId = random.uuid();
  const startMs = lastMs - 60 * 86_400_000 - random.below(spanMs);
  for (let left = 1 + random.geometric(2); left > 0; left--) {
    const timestampMs = startMs + random.below(86_400_000);
    const display = voice.prompt(random.logNormal(70, 1.2));
    making.typed.push({ display, timestampMs, project: random.pick(projects).cwd, sessionId });
    making.messages++;
  }
}

function makeLongIfAny(making: Making, projects: readonly Project[], shape: HomeShape): string | null {
  const project = projects[0];
  if (shape.longBytes === 0 || project === undefined) return null;
  return makeLong(making, project, new Random(shape.seed, 5), shape.longBytes, shape.longLineBytes);
}

function finishProjects(making: Making, projects: readonly Project[], random: Random): void {
  for (const project of projects) {
    const listed = project.sessions.filter(() => random.chance(0.4));
    if (listed.length === 0 || !random.chance(hasSessionsIndex)) continue;
    making.bytes += writeSessionsIndex(project.folder, listed);
    making.sidecars++;
  }
}
