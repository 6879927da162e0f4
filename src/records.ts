// The vocabulary for what agents write: files, sessions, messages. Types, and the one list of each kind of thing; and how the
// facts of a session follow from those of its parts.

/** Claude Code first: it is the one that is named where nobody has a folder. */
export const agents = [
  'claude',
  'antigravity',
  'cline',
  'codex',
  'copilot',
  'crush',
  'cursor',
  'droid',
  'gemini',
  'grok',
  'hermes',
  'kilo',
  'kimi',
  'omp',
  'openclaw',
  'opencode',
  'pi',
  'qwen',
] as const;
export type AgentName = (typeof agents)[number];

export interface Root {
  readonly agent: AgentName;
  /** Absolute, without links. */
  readonly path: string;
}

/** Folders that a person has named; where there are any, no agent's default folders are used. */
export type GivenRoots = { readonly [Agent in AgentName]?: readonly string[] };

/** What a program sees of the machine when it is started. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly platform: string;
  readonly cwd: string;
}

export interface KindTraits {
  /** Shown in lists on its own; the others are shown under the session they belong to. */
  readonly isListed?: boolean;
  readonly isChild?: boolean;
  readonly isParent?: boolean;
  /** Written by the agent as a conversation of its own, which the agent can resume. */
  readonly isResumable?: boolean;
  /** In a row of a list, where it has to be short; empty where none is needed. */
  readonly mark: string;
  /** The name shown to people; empty where none is needed. */
  readonly label: string;
  /** Completes the sentence “<id> is …”. */
  readonly description: string;
}

export type SessionKind = 'main' | 'subagent' | 'transcript' | 'precompact' | 'history';
export const sessionKinds: Readonly<Record<SessionKind, KindTraits>> = {
  main: { isListed: true, isParent: true, isResumable: true, mark: '', label: '', description: 'a session' },
  subagent: {
    isChild: true,
    mark: 'subagent',
    label: 'subagent',
    description: 'a subagent whose session is gone',
  },
  transcript: {
    isListed: true,
    mark: 'exported',
    label: 'exported transcript',
    description: 'an exported transcript',
  },
  /** Saved before a compaction, or set aside before the transcript was written anew. */
  precompact: {
    isChild: true,
    mark: 'earlier state',
    label: 'earlier state of a session',
    description: 'an earlier state of a session',
  },
  /** What is left of a session whose transcript was deleted. */
  history: {
    isListed: true,
    isParent: true,
    mark: 'prompts only',
    label: 'prompts only, from the prompt history',
    description: 'known only from the prompt history',
  },
};

export const searchedParts = ['said', 'done'] as const;
export type SearchedPart = (typeof searchedParts)[number];

export const roles = ['user', 'assistant'] as const;
export type Role = (typeof roles)[number];

/** Whether a machine wrote the message, whatever its role says. */
export const messageKinds = {
  prompt: { isMachine: false },
  /** Typed while the assistant was busy. */
  queued: { isMachine: false },
  /** Arguments of a slash command. */
  command: { isMachine: false },
  /** A `!` command line. */
  shell: { isMachine: false },
  reply: { isMachine: false },
  /** What a subagent was asked to do. */
  task: { isMachine: true },
  /** Machine-written summary after a compaction. */
  recap: { isMachine: true },
} as const satisfies Readonly<Record<string, { readonly isMachine: boolean }>>;
export type MessageKind = keyof typeof messageKinds;

/** Lines of one transcript. Not more, because FTS5 stores the distance from one row id to the next: most of its size. */
export const maxSeq = 2 ** 20 - 1;
export const maxCallsPerLine = 64;

/** What stat reports about a file; together these show whether it may have changed. */
export type FileStamp = Readonly<Record<'sizeBytes' | 'mtimeMs' | 'ctimeMs' | 'inode', number>>;

/** A transcript found in a root, usually a file. `path` is relative to its root, with forward slashes. */
export interface TranscriptFile extends FileStamp {
  readonly path: string;
  readonly kind: SessionKind;
  readonly nativeId: string;
  /** Known from the directory for nested subagents; older flat ones name it in their content. */
  readonly parentNativeId: string | null;
  /** The name of the project's folder, null for stores that are not divided by project. */
  readonly slug: string | null;
  /** The agent's internal helpers, which repeat their parent's text: recorded, but never read. */
  readonly isMachinery: boolean;
}

/** What a transcript's own content says of its session; null where the name of its file is right. */
export interface Identity {
  readonly kind: SessionKind | null;
  readonly nativeId: string | null;
  readonly parentNativeId: string | null;
}

/** A small JSON file with information about sessions. */
export interface SidecarFile extends FileStamp {
  readonly path: string;
  readonly kind: string;
  readonly slug: string;
  /** The session it describes; null if it describes many. */
  readonly nativeId: string | null;
  /** The session whose folder it is in, if any. */
  readonly parentNativeId: string | null;
}

export interface MessageRecord {
  /** Line number in the transcript, from 1: the order of the conversation. */
  readonly seq: number;
  readonly uuid: string | null;
  readonly role: Role;
  readonly kind: MessageKind;
  /** ISO 8601 UTC with milliseconds. */
  readonly timestamp: string | null;
  readonly text: string;
  /** Subagent messages that old versions wrote into the main file. */
  readonly isSidechain: boolean;
}

export interface ToolCallRecord {
  readonly seq: number;
  /** Kept only where it is still needed: for calls without a result yet, and for those that started a subagent. */
  readonly toolUseId: string | null;
  readonly name: string;
  readonly target: string | null;
  readonly isError: boolean;
}

export interface ToolResult {
  readonly id: string;
  readonly isError: boolean;
}

/** The names of an agent's tools by what they do to the path that they are given; in lower case. */
export interface FileTools {
  readonly changing: readonly string[];
  readonly reading: readonly string[];
  /** They take commands and patterns, not paths. */
  readonly other: readonly string[];
}

/** A title that a transcript gives to the conversation that contains `leafUuid`, often in another file. */
export interface SummaryRecord {
  readonly seq: number;
  readonly leafUuid: string;
  readonly text: string;
}

/** What sessions-index.json says about one session; every field may be missing. */
export interface SessionHint {
  readonly nativeId: string;
  readonly firstPrompt: string | null;
  readonly summary: string | null;
  readonly customTitle: string | null;
  readonly createdAt: string | null;
  readonly modifiedAt: string | null;
  readonly branch: string | null;
  readonly projectPath: string | null;
  readonly prNumber: number | null;
  readonly prUrl: string | null;
  readonly prRepository: string | null;
}

/** What a small file beside a transcript says of its session, or of the subagent that the session is. */
export type SidecarFacts = Readonly<
  Record<'customTitle' | 'subagentType' | 'subagentDescription' | 'toolUseId', string | null>
>;

/** How the names of files start that `restore` is writing in an agent's folder, or has left there when it was killed. */
export const unfinishedPrefix = '.recall-';

export interface HistoryPrompt {
  readonly nativeId: string | null;
  readonly project: string | null;
  readonly timestamp: string | null;
  readonly kind: MessageKind;
  readonly text: string;
}

/**
 * A session that somebody has handed on is one of a machine with this name; its key starts so, and goes on with the time at which
 * it was handed on.
 */
export const importedMachine = 'imported';
export const importedPrefix = 'import-';

/** What a fact is that nobody says, and how that of two neighbouring stretches of a transcript is made of what each of them says. */
interface FactRule<Fact> {
  readonly unsaid: Fact;
  merge(earlier: Fact, later: Fact): Fact;
}

function rule<Fact>(unsaid: Fact, merge: FactRule<Fact>['merge']): FactRule<Fact> {
  return { unsaid, merge };
}

const first = rule<string | null>(null, (earlier, later) => earlier ?? later);
const last = rule<string | null>(null, (earlier, later) => later ?? earlier);
const lastNumber = rule<number | null>(null, (earlier, later) => later ?? earlier);
const earliest = rule<string | null>(null, (earlier, later) =>
  earlier !== null && later !== null && later < earlier ? later : (earlier ?? later),
);
const latest = rule<string | null>(null, (earlier, later) =>
  earlier !== null && later !== null && later > earlier ? later : (earlier ?? later),
);
/** Every one that is named, once. */
const all = rule<readonly string[]>([], unite);
const sum = rule(0, (earlier, later) => earlier + later);

/** A new fact is a line here, the place in a parser that finds it (`facts` of an entry), and a column. */
const sessionFacts = {
  parentNativeId: first,
  firstCwd: first,
  lastCwd: last,
  relocatedCwd: last,
  continuedIn: last,
  branchedFrom: last,
  originalCwd: last,
  branch: last,
  versions: all,
  models: all,
  createdAt: earliest,
  modifiedAt: latest,
  firstPrompt: first,
  lastPrompt: last,
  customTitle: last,
  agentName: last,
  aiTitle: last,
  tag: last,
  prNumber: lastNumber,
  prUrl: last,
  prRepository: last,
  compactionCount: sum,
};
export type SessionFacts = {
  readonly [Fact in keyof typeof sessionFacts]: (typeof sessionFacts)[Fact]['unsaid'];
};

export const noFacts = Object.fromEntries(
  Object.entries(sessionFacts).map(([fact, { unsaid }]) => [fact, unsaid]),
) as unknown as SessionFacts;

const factNames = Object.keys(sessionFacts) as (keyof SessionFacts)[];

/** merge(facts(a), facts(b)) = facts(a + b), so a transcript that grew costs only its new lines. */
export function mergeFacts(earlier: SessionFacts, later: Partial<SessionFacts>): SessionFacts {
  const merged = { ...earlier };
  addFacts(merged, later);
  return merged;
}

type SessionFactsDraft = { -readonly [Fact in keyof SessionFacts]: SessionFacts[Fact] };

/** The same without a copy of what was said earlier: every line has a time, and there are millions of lines. */
export function addFacts(draft: SessionFactsDraft, later: Partial<SessionFacts>): void {
  const facts: Record<keyof SessionFacts, unknown> = draft;
  for (const fact of factNames) {
    const said = later[fact];
    if (said === undefined || said === null) continue;
    const { merge } = sessionFacts[fact] as FactRule<unknown>;
    facts[fact] = merge(facts[fact], said);
  }
}

/** Versions and models of one session that are kept; nobody uses so many, but a broken file may name any number. */
const maxNames = 100;

function unite(earlier: readonly string[], later: readonly string[]): readonly string[] {
  if (later.length === 0 || earlier.length >= maxNames) return earlier;
  const added = later.filter((item) => !earlier.includes(item));
  return added.length === 0 ? earlier : [...earlier, ...added].slice(0, maxNames);
}

export type TitleSource =
  | 'yours'
  | 'sidecar'
  | 'custom-title'
  | 'agent-name'
  | 'ai-title'
  | 'index-custom-title'
  | 'index-summary'
  | 'summary'
  | 'description'
  | 'first-prompt'
  | 'none';

/** What a person says of a session. */
export interface Labels {
  readonly name: string | null;
  readonly isStarred: boolean;
  /** Also the one that the agent itself gave it. */
  readonly tags: readonly string[];
  readonly notes: readonly Note[];
}

export interface Note {
  /** The uuid of the message that it is about, or `#` and its line where it has none; null for the session as a whole. */
  readonly message: string | null;
  /** The number of that message; null where the session no longer has it. */
  readonly position: number | null;
  readonly text: string;
}

/** One label as it is kept, exported and carried to other machines. `value` is null for one that was taken away. */
export interface LabelEntry {
  readonly agent: AgentName;
  readonly id: string;
  readonly message: string | null;
  /** `name`, `star`, `note`, or `tag:` and the tag. */
  readonly field: string;
  readonly value: string | null;
  readonly changedAt: string;
}

/** How a tag is written and compared: one word in lower case, without a comma. */
export function toTag(text: string): string {
  return text
    .trim()
    .replace(/^#+/, '')
    .replace(/[\s,]+/g, '-')
    .toLowerCase();
}

/** The most results that one list can have, and how many it has where nobody says. */
export const maxListed = 1000;
export const defaultLimits = { search: 10, list: 20, files: 20, projects: 20 } as const;

export type Progress = Readonly<Record<'filesDone' | 'filesTotal' | 'bytesDone' | 'bytesTotal', number>>;

export type FailedFile = Readonly<Record<'path' | 'reason', string>>;
