// How an answer tells an agent to continue: with a command line, or with a tool call.

import { maxListed } from '../../records.ts';
import { quoteForShell } from '../../text/printable.ts';

/** The largest values that the command line accepts, and those that the tools accept. */
export const maximums = { limit: maxListed, budget: 200_000 } as const;
export const toolMaximums = { limit: 100, budget: 200_000 } as const;

export interface Voice {
  /** The same content is also sent as data, which must keep to the budget too. */
  readonly sendsData: boolean;
  /** How to read a session, or what surrounds one of its messages. */
  read(reference: string, withSubagents?: boolean): string;
  /** How to read what matches in a session, in the output of tools as well. */
  readMatching(id: string, words: string): string;
  /** How a filter is given. */
  filter(name: string, value: string): string;
  /** How to raise a limit; empty if the value is larger than allowed. */
  more(what: 'limit' | 'budget', value: number): string[];
}

/** `--since "last week"`. */
export function toFlag(name: string, value: string): string {
  return `--${name} ${/\s/.test(value) ? `"${value}"` : value}`;
}

/** `givenFlags` are added to every suggested command. */
export const toCommandVoice = (givenFlags: string): Voice => ({
  sendsData: false,
  read: (reference, withSubagents) =>
    `recall show --brief ${reference}${withSubagents ? ' --subagents' : ''}${givenFlags}`,
  readMatching: (id, words) => `recall show --brief ${id} --match=${quoteForShell(words)}${givenFlags}`,
  filter: toFlag,
  more: (what, value) => (value > maximums[what] ? [] : [`--${what} ${value}`]),
});

export const toolVoice: Voice = {
  sendsData: true,
  read: (reference, withSubagents) =>
    `read_session {"id": "${reference}"${withSubagents ? ', "subagents": true' : ''}}`,
  readMatching: (id, words) => `read_session {"id": "${id}", "match": ${JSON.stringify(words)}}`,
  filter: (name, value) => `"${name}": ${JSON.stringify(value)}`,
  more: (what, value) => (value > toolMaximums[what] ? [] : [`"${what}": ${value}`]),
};
