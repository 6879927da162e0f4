// Makes one session that went on for months in a single transcript, and in it, if asked for, lines as long as any that
// were reported: the output of a tool, and a prompt with a picture in it.

import { join } from 'node:path';
import { LineWriter } from './line-writer.ts';
import { writeMain } from './make-session.ts';
import { countTranscript, type Making } from './making.ts';
import type { Project } from './projects.ts';
import type { Random } from './random.ts';
import { writeResult } from './tool-lines.ts';
import { TranscriptFile } from './transcript-file.ts';
import { Voice } from './voice.ts';

/** Returns the transcript's path. */
export function makeLong(
  making: Making,
  project: Project,
  random: Random,
  bytes: number,
  lineBytes: number,
): string {
  const sessionId = random.uuid();
  const path = join(project.folder, `${sessionId}.jsonl`);
  const file = new TranscriptFile(path, random);
  const origin = {
    sessionId,
    agentId: null,
    cwd: project.cwd,
    branch: 'main',
    version: '2.1.200',
    model: 'claude-opus-4-5-20251101',
  };
  const writer = new LineWriter(random, { ...origin, startMs: Date.UTC(2026, 8, 1) }, file.append);
  const talk = {
    writer,
    voice: new Voice(random, making.vocabulary),
    filler: making.filler,
    noise: making.noise,
  };
  const fillTo = (end: number) => {
    while (writer.bytes < end) writeMain(talk, 1);
  };
  if (lineBytes > 0) {
    fillTo(bytes / 4);
    // The output is in the line twice.
    writeResult(writer, random.serverId('toolu'), making.filler.output(random, lineBytes / 2));
    fillTo(bytes / 2);
    const source = `{"type":"base64","media_type":"image/png","data":"${making.filler.signature(random, lineBytes)}"}`;
    const prompt = `{"type":"text","text":${JSON.stringify(talk.voice.prompt(80))}}`;
    writer.messages++;
    writer.entry(
      `"type":"user","message":{"role":"user","content":[${prompt},{"type":"image","source":${source}}]}`,
    );
  }
  fillTo(bytes);
  file.close(writer.nowMs);
  countTranscript(making, file, writer.messages);
  return path;
}
