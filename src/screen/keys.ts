// The one list of keys: the screen obeys it, and its footer, its help and the manual are made from it.

export interface Binding<Action extends string> {
  /** As terminal/decode-keys.ts names them. */
  readonly keys: readonly string[];
  /** As people name them. */
  readonly label: string;
  readonly does: string;
  readonly action: Action;
  /** For the footer; undefined if it is not worth the room. */
  readonly brief?: string;
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export const listKeys = [
  { keys: ['up', 'ctrl-p'], label: '↑ Ctrl-P', does: 'the session above', action: 'up' },
  { keys: ['down', 'ctrl-n'], label: '↓ Ctrl-N', does: 'the session below', action: 'down' },
  { keys: ['page-up'], label: 'PgUp', does: 'a page up', action: 'page-up' },
  { keys: ['page-down'], label: 'PgDn', does: 'a page down', action: 'page-down' },
  { keys: ['home'], label: 'Home', does: 'the first session', action: 'first' },
  { keys: ['end'], label: 'End', does: 'the last session', action: 'last' },
  {
    keys: digits.map((digit) => `alt-${digit}`),
    label: 'Alt-1 … Alt-9',
    does: 'the session with that number',
    action: 'pick',
  },
  {
    keys: ['enter'],
    label: 'Enter',
    does: 'resume the session in its directory (with --print: print the command); a deleted one is restored first, after a question',
    action: 'resume',
    brief: 'resume',
  },
  {
    keys: ['ctrl-v', 'alt-v'],
    label: 'Ctrl-V',
    does: 'read the conversation on the whole screen',
    action: 'read',
    brief: 'read',
  },
  {
    keys: ['tab'],
    label: 'Tab',
    does: 'search everywhere, in this project with its work trees, or in this directory and below',
    action: 'scope',
    brief: 'scope',
  },
  { keys: ['shift-tab'], label: 'Shift-Tab', does: 'the same, the other way round', action: 'scope-back' },
  {
    keys: ['ctrl-t'],
    label: 'Ctrl-T',
    does: 'choose a filter: project, time, who said it …',
    action: 'filter',
    brief: 'filter',
  },
  { keys: ['ctrl-r'], label: 'Ctrl-R', does: 'best or newest first', action: 'sort', brief: 'order' },
  {
    keys: ['shift-up', 'alt-up'],
    label: 'Shift-↑',
    does: 'scroll the preview up (also Alt-↑)',
    action: 'preview-up',
  },
  {
    keys: ['shift-down', 'alt-down'],
    label: 'Shift-↓',
    does: 'scroll the preview down (also Alt-↓)',
    action: 'preview-down',
  },
  { keys: ['alt-n'], label: 'Alt-N', does: 'the next match in the preview', action: 'next-match' },
  { keys: ['alt-p'], label: 'Alt-P', does: 'the previous match in the preview', action: 'previous-match' },
  {
    keys: ['ctrl-y'],
    label: 'Ctrl-Y',
    does: 'copy the resume command, also over ssh',
    action: 'copy',
    brief: 'copy',
  },
  {
    keys: ['ctrl-o'],
    label: 'Ctrl-O',
    does: 'print the resume command on standard output and leave',
    action: 'print',
  },
  {
    keys: ['ctrl-x'],
    label: 'Ctrl-X',
    does: 'remove the session from the index for good, after a question',
    action: 'forget',
  },
  { keys: ['f1', 'alt-?'], label: '?', does: 'this help (F1 while there is text)', action: 'help' },
  { keys: ['esc'], label: 'Esc', does: 'clear the query, then leave', action: 'escape' },
  { keys: ['ctrl-c'], label: 'Ctrl-C', does: 'leave', action: 'interrupt' },
] as const satisfies readonly Binding<string>[];

/** Of the menu of filters. */
export const menuKeys = [
  { keys: ['enter', 'right', 'tab'], label: 'Enter', does: 'choose it', action: 'choose', brief: 'choose' },
  { keys: ['esc', 'left', 'ctrl-t'], label: 'Esc', does: 'back', action: 'back', brief: 'back' },
] as const satisfies readonly Binding<string>[];

/** Of the question about a session that cannot be resumed. */
export const restoreKeys = [
  {
    keys: ['enter', 'y'],
    label: 'Enter y',
    does: 'restore it, then resume it, copy or print the command, as you had asked for',
    action: 'restore',
    brief: 'restore',
  },
  {
    keys: ['v', 'ctrl-v', 'alt-v'],
    label: 'v Ctrl-V',
    does: 'read the conversation instead',
    action: 'read',
    brief: 'read it',
  },
  { keys: ['esc', 'n'], label: 'Esc', does: 'back to the list', action: 'back', brief: 'back' },
] as const satisfies readonly Binding<string>[];

export const readerKeys = [
  { keys: ['j', 'down', 'enter', 'ctrl-n'], label: 'j ↓', does: 'a line down', action: 'down' },
  { keys: ['k', 'up', 'ctrl-p'], label: 'k ↑', does: 'a line up', action: 'up' },
  {
    keys: [' ', 'page-down', 'ctrl-d', 'ctrl-f'],
    label: 'Space PgDn',
    does: 'a page down',
    action: 'page-down',
  },
  { keys: ['b', 'page-up', 'ctrl-u', 'ctrl-b'], label: 'b PgUp', does: 'a page up', action: 'page-up' },
  { keys: ['J'], label: 'J', does: 'the next message', action: 'next-message', brief: 'message' },
  { keys: ['K'], label: 'K', does: 'the message before', action: 'previous-message' },
  { keys: ['g', 'home'], label: 'g', does: 'the start', action: 'first' },
  { keys: ['G', 'end'], label: 'G', does: 'the end', action: 'last' },
  { keys: ['/'], label: '/', does: 'find text in the conversation', action: 'find', brief: 'find' },
  {
    keys: ['n'],
    label: 'n',
    does: 'the next place that was found, or the next match of the query',
    action: 'next-match',
    brief: 'next',
  },
  { keys: ['N'], label: 'N', does: 'the place before', action: 'previous-match' },
  {
    keys: ['t'],
    label: 't',
    does: 'each tool call on its own line, or not',
    action: 'tools',
    brief: 'tools',
  },
  {
    keys: ['a'],
    label: 'a',
    does: 'with what subagents said, or without',
    action: 'subagents',
    brief: 'subagents',
  },
  { keys: ['y'], label: 'y', does: 'copy the message at the top', action: 'copy', brief: 'copy' },
  {
    keys: ['e'],
    label: 'e',
    does: 'export to a file: .md, .html, .json or text',
    action: 'export',
    brief: 'export',
  },
  { keys: ['?', 'f1'], label: '?', does: 'this help', action: 'help' },
  { keys: ['q', 'esc', 'ctrl-v'], label: 'q Esc', does: 'back to the list', action: 'back', brief: 'back' },
  { keys: ['ctrl-c'], label: 'Ctrl-C', does: 'leave recall', action: 'interrupt' },
] as const satisfies readonly Binding<string>[];

/** Whatever is on the screen stays there. */
export const anywhereKeys = [
  { keys: ['ctrl-l'], label: 'Ctrl-L', does: 'draw the screen again', action: 'redraw' },
  { keys: ['ctrl-z'], label: 'Ctrl-Z', does: 'back to the shell; fg returns', action: 'suspend' },
] as const satisfies readonly Binding<string>[];

/** Keys of the line that is typed; edit-line.ts has them. */
export const editingKeys: readonly (readonly [label: string, does: string])[] = [
  ['Ctrl-A Ctrl-E', 'the start, the end of the line'],
  ['← → Ctrl-B Ctrl-F', 'a character back, forward'],
  ['Alt-B Alt-F', 'a word back, forward'],
  ['Ctrl-W Alt-D', 'delete the word before, after'],
  ['Ctrl-U Ctrl-K', 'delete to the start, to the end'],
];

export type ListAction = (typeof listKeys)[number]['action'];
export type RestoreAction = (typeof restoreKeys)[number]['action'];
export type ReaderAction = (typeof readerKeys)[number]['action'];

export function findAction<Action extends string>(
  bindings: readonly Binding<Action>[],
  key: string,
): Action | undefined {
  return bindings.find(({ keys }) => keys.includes(key))?.action;
}
