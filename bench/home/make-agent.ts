// Makes the transcript of one agent and the note beside it; a third of them are Claude Code's own machinery.

import { join } from 'node:path';
import { LineWriter, type Origin } from './line-writer.ts';
import { type Talk, writeAgent, writeMachinery } from './make-session.ts';
import { countTranscript, type Making } from './making.ts';
import type { Project } from './projects.ts';
import type { Random } from './random.ts';
import { writeAgentMeta } from './sidecars.ts';
import { TranscriptFile } from './transcript-file.ts';
import { Voice } from './voice.ts';

const isMachinery = 0.33;

/** Older versions put them beside their parent's transcript. */
const isFlat = 0.04;

export function makeAgent(making: Making, project: Project, parent: Origin, random: Random): void {
  const isOwn = random.chance(isMachinery);
  const agentId = isOwn
    ? `${random.pick(['acompact', 'aprompt_suggestion', 'aside_question'])}-${random.hex(6)}`
    : `a${random.hex(16)}`;
  const folder = random.chance(isFlat) ? project.folder : join(project.folder, parent.sessionId, 'subagents');
  const voice = new Voice(random, making.vocabulary);
  const file = new TranscriptFile(join(folder, `agent-${agentId}.jsonl`), random);
  const writer = new LineWriter(random, { ...parent, agentId }, file.append);
  const talk: Talk = { writer, voice, filler: making.filler, noise: making.noise };
  if (isOwn) writeMachinery(talk);
  else writeAgent(talk);
  file.close(writer.nowMs);
  countTranscript(making, file, writer.messages);
  if (isOwn) return;
  making.bytes += writeAgentMeta(join(folder, `agent-${agentId}.meta.json`), voice.title(), writer.nowMs);
  making.sidecars++;
}
