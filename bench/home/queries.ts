// What to search a made home for: words that few sessions use, and words that nearly all use.

import type { Conversation } from './make-conversation.ts';

export interface Queries {
  /** One, two and three words, each the topic of one session. */
  readonly selective: readonly string[];
  readonly common: string;
}

/** Function words and words of the trade, all from the very head of the vocabulary. */
const common = 'the file and test error';

/** Of so many messages it is certain that they use all topics of their session. */
const enoughMessages = 30;

export class QueryPicker {
  private readonly selective: string[] = [];

  /** Takes a topic of a session about a quarter, half and three quarters through the home. */
  consider({ voice, messages, isGone }: Conversation, shareDone: number): void {
    const taken = this.selective.length;
    if (taken === 3 || shareDone < (taken + 1) / 4 || isGone || messages < enoughMessages) return;
    this.selective.push(voice.topics.slice(0, taken + 1).join(' '));
  }

  queries(): Queries {
    return { selective: this.selective, common };
  }
}
