// The homes that can be made, by name, and what each is for.

export interface HomeShape {
  readonly seed: number;
  /** Transcripts of any kind; sidecars come on top. */
  readonly transcripts: number;
  readonly projects: number;
  /** Turns of a main session, on average. */
  readonly turns: number;
  /** How much there is of what is never indexed: 1 as in real homes. */
  readonly noise: number;
  /** Stops when so many messages were made, whatever the number of transcripts; 0 for no such limit. */
  readonly messages: number;
  /** One more session in one long transcript, to which a line can be appended; 0 for none. */
  readonly longBytes: number;
  /** The length of two lines in it: the output of a tool, and a prompt with a picture; 0 for none. */
  readonly longLineBytes: number;
  /** The share of sessions that are in Chinese, Japanese or Russian. */
  readonly foreign: number;
  /** The share of sessions that are written as Claude Code 2.1.325 does, most of whose lines are about its own requests. */
  readonly newest: number;
  /** Sessions of which only the prompt history is left. */
  readonly lost: number;
}

const ordinary = {
  ...{ seed: 7, turns: 3.4, noise: 1, messages: 0, longBytes: 100e6, longLineBytes: 0 },
  ...{ foreign: 0.05, newest: 0.1, lost: 0 },
} as const;

export const sizes = {
  /** For CI: seconds. */
  small: { ...ordinary, transcripts: 150, projects: 6, turns: 1.6, longBytes: 2e6 },
  /** As a person has it who does not work in English, after a year. */
  medium: {
    ...ordinary,
    transcripts: 3000,
    projects: 30,
    turns: 5.3,
    foreign: 0.35,
    newest: 0.25,
    lost: 4000,
  },
  /** Years of heavy use. */
  large: { ...ordinary, transcripts: 28_000, projects: 160, turns: 3 },
  /** What no reader may hold in memory at once. */
  giant: { ...ordinary, transcripts: 20, projects: 3, longBytes: 500e6, longLineBytes: 64e6 },
} as const satisfies Readonly<Record<string, HomeShape>>;

export type SizeName = keyof typeof sizes;

/** A home to be searched: as many messages as asked for, and little else. */
export function toSearchShape(messages: number): HomeShape {
  const transcripts = Number.MAX_SAFE_INTEGER;
  const projects = Math.max(5, Math.round(messages / 5000));
  return { ...ordinary, transcripts, projects, turns: 12, noise: 0.02, messages, longBytes: 0, newest: 0 };
}

export function isSizeName(name: string): name is SizeName {
  return Object.hasOwn(sizes, name);
}
