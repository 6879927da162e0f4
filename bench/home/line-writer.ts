// Writes the lines of one transcript with what is around every entry: the link to the entry before, ids, the
// working directory, the clock. What an entry says is the caller's.

import type { Random } from './random.ts';

export interface Origin {
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly cwd: string;
  readonly branch: string;
  readonly version: string;
  readonly model: string;
  readonly startMs: number;
}

export class LineWriter {
  readonly origin: Origin;
  readonly random: Random;
  /** Messages that an index takes in: what the person and the assistant said. */
  messages = 0;
  bytes = 0;
  nowMs: number;
  private readonly write: (line: string) => void;
  private readonly surroundings: string;
  private parentUuid = 'null';

  constructor(random: Random, origin: Origin, write: (line: string) => void) {
    this.random = random;
    this.origin = origin;
    this.write = write;
    this.nowMs = origin.startMs;
    const { cwd, sessionId, version, branch, agentId } = origin;
    const agent = agentId === null ? '' : `"agentId":"${agentId}",`;
    this.surroundings =
      `"isSidechain":${agentId !== null},"userType":"external","cwd":${JSON.stringify(cwd)},` +
      `"sessionId":"${sessionId}","version":"${version}","gitBranch":"${branch}",${agent}"slug":"calm-${sessionId.slice(0, 8)}",`;
  }

  /** An entry of the conversation, from its `"type":…` on. */
  entry(body: string): void {
    const uuid = `"${this.random.uuid()}"`;
    this.line(
      `{"parentUuid":${this.parentUuid},${this.surroundings}${body},"uuid":${uuid},"timestamp":"${this.tick()}"}`,
    );
    this.parentUuid = uuid;
  }

  /** An entry that only holds something beside the conversation: the attachment comes before everything else. */
  attachment(attachment: string): void {
    const { parentUuid } = this;
    const uuid = `"${this.random.uuid()}"`;
    const isSidechain = this.origin.agentId !== null;
    this.line(
      `{"parentUuid":${parentUuid},"isSidechain":${isSidechain},"attachment":${attachment},"type":"attachment","uuid":${uuid},"timestamp":"${this.tick()}"}`,
    );
    this.parentUuid = uuid;
  }

  /** An entry of the assistant, whose message says what it cost. */
  assistant(content: string): void {
    const { random, origin } = this;
    const usage = `{"input_tokens":${random.below(900)},"cache_creation_input_tokens":${random.below(20_000)},"cache_read_input_tokens":${random.below(150_000)},"cache_creation":{"ephemeral_5m_input_tokens":${random.below(20_000)},"ephemeral_1h_input_tokens":0},"output_tokens":${random.below(2000)},"service_tier":"standard"}`;
    const message = `{"model":"${origin.model}","id":"${random.serverId('msg')}","type":"message","role":"assistant","content":[${content}],"stop_reason":null,"stop_sequence":null,"usage":${usage}}`;
    this.entry(`"message":${message},"requestId":"${random.serverId('req')}","type":"assistant"`);
  }

  line(text: string): void {
    this.bytes += text.length + 1;
    this.write(`${text}\n`);
  }

  /** The time of the next entry: most follow within seconds. */
  tick(): string {
    this.nowMs += 200 + this.random.below(12_000);
    return new Date(this.nowMs).toISOString();
  }
}
