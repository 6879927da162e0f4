// Hits made from arbitrary text, including text that an attacker would use.

import fc from 'fast-check';
import type { FoundHit, Head, ListedSession, Resumption } from '../../src/api/answers.ts';
import type { SessionInfo } from '../../src/api/list.ts';
import type { ToolText } from '../../src/store/word-index.ts';

const nasty = fc.constantFrom(
  '\x1b[31mred\x1b[0m',
  '\x1b]0;title\x07',
  '\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\',
  '\x1bP1;2q\x1b\\',
  '\x9b2J',
  '\x9d0;x\x9c',
  '\r\n',
  '\r',
  '\t',
  '\b\b\b',
  '\u202egnp.exe',
  '\u2066x\u2069',
  '\u200f',
  '\u2028',
  '\0',
  'redis',
  '数据库连接池',
  '한국어',
  '👩‍👩‍👧‍👦',
  '🎉',
  '🇩🇪',
  'e\u0301\u0302\u0303',
  'ﷺ',
  'x'.repeat(200),
);

/** Any text at all, often with escape sequences and with wide and combined characters. */
export const anyText = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.constant(' ')), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join(''));

interface Made {
  readonly title?: string;
  readonly project?: string;
  readonly branch?: string;
  readonly subagentType?: string;
  readonly text?: string;
  readonly toolText?: Partial<ToolText>;
}

export function hit({
  title = 'a title',
  project = '/home/maya/shop',
  branch = 'main',
  subagentType,
  text = 'redis',
  toolText: someToolText,
}: Made): FoundHit {
  const session: SessionInfo = {
    id: 1,
    agent: 'claude',
    isOfSeveral: false,
    nativeId: 'aaaaaaaa-0000-4000-8000-000000000001',
    kind: 'main',
    parentNativeId: null,
    ownerId: 1,
    conversationId: 1,
    title,
    labels: { name: null, isStarred: false, tags: [], notes: [] },
    titleSource: 'ai-title',
    summary: null,
    firstPrompt: text,
    project,
    branch,
    branchedFrom: null,
    subagentType: null,
    subagentDescription: null,
    prNumber: null,
    prRepository: null,
    createdAt: '2026-10-01T10:00:00.000Z',
    modifiedAt: '2026-10-01T12:00:00.000Z',
    messageCount: 12,
    toolCallCount: 4,
    textChars: 3000,
    slug: null,
    firstCwd: project,
    lastCwd: null,
    relocatedCwd: null,
    isDeleted: false,
    machine: null,
    owner: null,
    importedOn: null,
  };
  const subagent =
    subagentType === undefined ? null : { ...session, kind: 'subagent' as const, subagentType };
  const message = {
    id: 7,
    sessionId: 1,
    uuid: null,
    role: 'user' as const,
    kind: 'prompt',
    timestamp: '2026-10-01T11:00:00.000Z',
    text,
    isSidechain: false,
  };
  const toolText: ToolText | null =
    someToolText === undefined
      ? null
      : {
          id: 9,
          sessionId: 1,
          messageId: 7,
          kind: 'tool-input',
          timestamp: null,
          tool: 'Bash',
          target: 'npm test',
          isError: false,
          text,
          ...someToolText,
        };
  return {
    session,
    copies: 2,
    resumption: resumptionOf(session),
    score: 0.5,
    parts: null,
    matchCount: 1,
    matches: [{ message, subagent, toolText, call: null, position: null }],
  };
}

/** For a session whose transcript and directory still exist. */
function resumptionOf({ nativeId, kind, project }: SessionInfo): Resumption {
  return {
    nativeId,
    kind,
    program: 'Claude Code',
    resume: { cwd: project, argv: ['claude', '-r', nativeId], command: `claude -r ${nativeId}` },
    obstacle: null,
    isResumable: true,
    first: null,
    restorable: null,
    goneDirectory: null,
    lacking: [],
    env: null,
    live: null,
    machine: null,
    owner: null,
    transcriptPath: `/home/maya/.claude/projects/-home-maya-shop/${nativeId}.jsonl`,
  };
}

/** The head of a conversation that consists of this session only. */
export function headOf({ session, resumption }: ListedSession): Head {
  return {
    session,
    resumption,
    details: { models: [], toolCallCount: 0, compactionCount: 0, continuedIn: null, prUrl: null },
    copies: 0,
    copyNames: [],
    subagentCount: 0,
    histories: [],
    owner: null,
  };
}

/** Without the codes for colour and bold; any other sequence stays and would be noticed. */
export function toPlain(text: string): string {
  return text.replace(/\x1b\[\d+m/g, '');
}
