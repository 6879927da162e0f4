// What the page's server answers beyond the JSON of the commands (docs/json.md): types that server and page share.

import type { toStatsJson } from '../render/activity.ts';
import type { toDoctorJson } from '../render/doctor-report.ts';
import type { toSearchJson, toSessionJson } from '../render/json.ts';
import type { toFilesJson, toListJson, toProjectsJson } from '../render/sessions.ts';

export type Session = ReturnType<typeof toSessionJson>;

/** Text that matched is marked, the rest is not. */
export type Marked = readonly (readonly [text: string, isMatch: boolean])[];

export interface Counted {
  readonly value: string;
  readonly sessions: number;
}

export interface SearchPage extends Omit<ReturnType<typeof toSearchJson>, 'hits'> {
  readonly hits: readonly FoundSession[];
  /** What was understood, left out or not found, in sentences. */
  readonly notes: readonly string[];
  /** Why nothing was found, and what would widen the search. */
  readonly nothing: { readonly message: string; readonly hint: string } | null;
  readonly facets: Readonly<Record<'agents' | 'projects' | 'branches' | 'days', readonly Counted[]>> | null;
}

export interface FoundSession extends Session {
  readonly matchCount: number;
  readonly passages: readonly Passage[];
}

export interface Passage {
  /** The number of the message, to link to; null where only a name matched. */
  readonly position: number | null;
  readonly who: string;
  readonly subagentId: string | null;
  readonly tool: string | null;
  readonly isError: boolean;
  readonly text: Marked;
}

export interface HomePage extends ReturnType<typeof toListJson> {
  readonly now: string;
  readonly homeDir: string;
}

export interface ExpiringPage {
  readonly isOn: boolean;
  readonly days: number;
  readonly sessions: readonly {
    readonly id: string;
    readonly title: string | null;
    readonly deletedOn: string;
    readonly isKept: boolean;
  }[];
}

export interface Related {
  readonly id: string;
  readonly title: string;
}

export interface SessionPage {
  readonly session: Session;
  readonly title: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly toolCallCount: number;
  readonly isDeleted: boolean;
  /** What speaks against resuming it now. */
  readonly warning: string | null;
  readonly pullRequest: { readonly label: string; readonly url: string | null } | null;
  readonly owner: Related | null;
  readonly copies: readonly Related[];
  readonly subagents: readonly Related[];
  readonly messageCount: number;
  readonly prompts: readonly {
    readonly position: number;
    readonly timestamp: string | null;
    readonly text: string;
  }[];
  readonly matches: {
    readonly positions: readonly number[];
    readonly callLines: readonly number[];
    readonly isPartial: boolean;
  } | null;
}

export interface ShownCall {
  readonly line: number;
  readonly nth: number;
  readonly name: string;
  readonly target: string;
  readonly isError: boolean;
}

export type ShownPart =
  | {
      readonly type: 'turn';
      readonly speaker: string;
      readonly name: string;
      readonly timestamp: string | null;
      readonly position: number | null;
    }
  | {
      readonly type: 'message' | 'recap';
      readonly position: number;
      readonly line: number;
      readonly note: string;
      /** Made by the renderer of the HTML export: nothing in it is markup of a transcript. */
      readonly html: string;
      readonly hasImages: boolean;
    }
  | {
      readonly type: 'calls';
      readonly summary: string;
      readonly errors: number;
      readonly calls: readonly ShownCall[];
    }
  | {
      readonly type: 'subagent';
      readonly id: string;
      readonly name: string;
      readonly title: string;
      readonly messageCount: number;
    };

export interface MessagesPage {
  readonly parts: readonly ShownPart[];
}

export interface CallPage {
  readonly given: readonly { readonly name: string; readonly text: string }[];
  readonly output: string | null;
  readonly imageCount: number;
  readonly isCut: boolean;
}

export interface StatsPage extends ReturnType<typeof toStatsJson> {
  readonly agents: readonly Counted[];
  readonly today: string;
}

export type ProjectsPage = ReturnType<typeof toProjectsJson>;
export type FilesPage = ReturnType<typeof toFilesJson>;
export type HealthPage = ReturnType<typeof toDoctorJson>;

export interface ForgettablePage {
  readonly id: string;
  readonly title: string;
  readonly subagents: number;
  readonly warning: string;
}

export interface DonePage {
  readonly text: string;
  /** The command that resumes what was restored. */
  readonly command: string | null;
}

export interface Failure {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string };
}
