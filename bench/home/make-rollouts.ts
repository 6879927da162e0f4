// A home of Codex: rollouts as the program writes them, of which one part in ten is what the person sees and the rest what
// the model is given. The same seed gives the same files.

import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Filler } from './filler.ts';
import { Random } from './random.ts';
import { Vocabulary } from './vocabulary.ts';
import { Voice } from './voice.ts';

const instructionsChars = 20_000;

/** Returns how many files there are. */
export function makeRollouts(root: string, bytes: number, seed: number): number {
  const vocabulary = new Vocabulary(seed);
  const filler = new Filler(seed, vocabulary);
  const folder = join(root, 'sessions', '2026', '03', '05');
  mkdirSync(folder, { recursive: true });
  let files = 0;
  for (let written = 0; written < bytes; files++) {
    const random = new Random(seed, files);
    const id = random.uuid();
    const text = makeRollout(random, new Voice(random, vocabulary), filler, id);
    appendFileSync(join(folder, `rollout-2026-03-05T10-00-00-${id}.jsonl`), text);
    written += text.length;
  }
  return files;
}

function makeRollout(random: Random, voice: Voice, filler: Filler, id: string): string {
  const lines: string[] = [];
  const add = (type: string, payload: string) =>
    lines.push(
      `{"timestamp":"2026-03-05T10:00:00.000Z","ordinal":${lines.length},"type":"${type}","payload":${payload}}`,
    );
  const item = (value: object) =>
    add('event_msg', JSON.stringify({ type: 'item_completed', thread_id: id, item: value }));
  const raw = (role: string, chars: number) =>
    add(
      'response_item',
      `{"type":"message","role":"${role}","content":[{"type":"input_text","text":"${filler.output(random, chars)}"}]}`,
    );
  add(
    'session_meta',
    `{"id":"${id}","cwd":"/home/u/shop","cli_version":"0.166.0","thread_source":"user","base_instructions":{"text":"${filler.output(random, instructionsChars)}"},"git":{"branch":"main"}}`,
  );
  for (let turns = 1 + random.geometric(12); turns > 0; turns--) {
    raw('developer', 5000);
    add('world_state', `{"full":true,"state":{"text":"${filler.output(random, 4000)}"}}`);
    const prompt = voice.prompt(random.around(200));
    item({ type: 'UserMessage', id: random.uuid(), content: [{ type: 'text', text: prompt }] });
    for (let calls = random.geometric(4); calls > 0; calls--) {
      raw('assistant', random.around(2000));
      const command = ['/bin/bash', '-lc', `cat ${voice.path()}`];
      const output = JSON.parse(`"${filler.output(random, random.around(1500))}"`) as string;
      item({ type: 'CommandExecution', id: random.uuid(), command, exit_code: 0, aggregated_output: output });
      add('event_msg', '{"type":"token_count","info":null}');
    }
    const answer = voice.answer(random.around(600));
    item({ type: 'AgentMessage', id: random.uuid(), content: [{ type: 'Text', text: answer }] });
    if (random.chance(0.05))
      add('compacted', `{"message":"","replacement_history":[{"text":"${filler.output(random, 200_000)}"}]}`);
  }
  return `${lines.join('\n')}\n`;
}
