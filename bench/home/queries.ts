// What to search a made home for: words that few sessions use, and words that nearly all use.

import type { Conversation } from './make-conversation.ts';

export interface Queries {
  /** One, two and three words, each the topic of one session. */
  readonly selective: readonly string[];
  readonly common: string;
}

/** Function words and words of the trade, all from the very head of the vocabulary. */
const common = 'the file and test error';

/** So many messages are certain to use all topics of their session. */
const enoughMessages = 30;

export class QueryPicker {
  /** The session to look for in each third of the home. */
  private readonly sought: Conversation[] = [];

  /** Takes the first that is long enough, or else the longest. */
  consider(conversation: Conversation, shareDone: number): void {
    if (conversation.isGone) return;
    const third = Math.min(2, Math.floor(shareDone * 3));
    const found = this.sought[third]?.messages ?? 0;
    if (found < enoughMessages && conversation.messages > found) this.sought[third] = conversation;
  }

  queries(): Queries {
    const selective = Object.values(this.sought).map(({ voice }, i) =>
      voice.topics.slice(0, i + 1).join(' '),
    );
    return { selective, common };
  }
}
