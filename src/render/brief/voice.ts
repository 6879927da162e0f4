// How an agent is told to go on: as a command line, or as a call of a tool.

import { maxListed } from '../../records.ts';

/** What the command line takes at most, and the tools. */
export const most = { limit: maxListed, budget: 200_000 } as const;
export const mostOfTools = { limit: 100, budget: 200_000 } as const;

export interface Voice {
  /** The same goes out as data, which has to keep to the budget too. */
  readonly sendsData: boolean;
  /** How to read a session, or what stands about one of its messages. */
  read(reference: string): string;
  /** How to get more than was asked for; nothing where there is no more to be asked for. */
  more(what: 'limit' | 'budget', value: number): string[];
}

/** `givenFlags` are to be repeated where recall is to be called again. */
export const toCommandVoice = (givenFlags: string): Voice => ({
  sendsData: false,
  read: (reference) => `recall show ${reference} --brief${givenFlags}`,
  more: (what, value) => (value > most[what] ? [] : [`--${what} ${value}`]),
});

export const toolVoice: Voice = {
  sendsData: true,
  read: (reference) => `read_session {"id": "${reference}"}`,
  more: (what, value) => (value > mostOfTools[what] ? [] : [`"${what}": ${value}`]),
};
