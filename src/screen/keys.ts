// The one list of keys: the screen obeys it, and its footer, its help and the manual are made from it.

import { chooseColors } from '../render/colors.ts';
import { pad, widthOf, wrap } from '../render/columns.ts';

export type KeyDescription = Pick<Binding<string>, 'label' | 'does'>;

export interface Binding<Action extends string> {
  /** As decode-keys.ts names them. */
  readonly keys: readonly string[];
  readonly label: string;
  readonly does: string;
  readonly action: Action;
  /** For the footer; undefined if it is not worth the room. */
  readonly brief: string | undefined;
}

type KeyRow<Action> = readonly [readonly string[], label: string, Action, does: string, brief?: string];

function buildBindings<const Action extends string>(rows: readonly KeyRow<Action>[]): Binding<Action>[] {
  return rows.map(([keys, label, action, does, brief]) => ({ keys, label, action, does, brief }));
}

export const listKeys = buildBindings([
  [['up', 'ctrl-p'], '↑ Ctrl-P', 'up', 'the session above'],
  [['down', 'ctrl-n'], '↓ Ctrl-N', 'down', 'the session below'],
  [['page-up'], 'PgUp', 'page-up', 'a page up'],
  [['page-down'], 'PgDn', 'page-down', 'a page down'],
  [['home'], 'Home', 'first', 'the first session'],
  [['end'], 'End', 'last', 'the last session'],
  [[...'123456789'].map((digit) => `alt-${digit}`), 'Alt-1 … Alt-9', 'pick', 'the session with that number'],
  [
    ['enter'],
    'Enter',
    'resume',
    'resume the session in its directory (with --print: print the command); a deleted one is restored first, after a question',
    'resume',
  ],
  [['ctrl-v', 'alt-v'], 'Ctrl-V', 'read', 'read the conversation on the whole screen', 'read'],
  [
    ['tab'],
    'Tab',
    'scope',
    'search everywhere, in this project with its work trees, or in this directory and below',
    'scope',
  ],
  [['shift-tab'], 'Shift-Tab', 'scope-back', 'the same, the other way round'],
  [['ctrl-t'], 'Ctrl-T', 'filter', 'choose a filter: project, time, who said it …', 'filter'],
  [['ctrl-r'], 'Ctrl-R', 'sort', 'best or newest first', 'order'],
  [['shift-up', 'alt-up'], 'Shift-↑', 'preview-up', 'scroll the preview up (also Alt-↑)'],
  [['shift-down', 'alt-down'], 'Shift-↓', 'preview-down', 'scroll the preview down (also Alt-↓)'],
  [['alt-n'], 'Alt-N', 'next-match', 'the next match in the preview'],
  [['alt-p'], 'Alt-P', 'previous-match', 'the previous match in the preview'],
  [['ctrl-y'], 'Ctrl-Y', 'copy', 'copy the resume command, also over ssh', 'copy'],
  [['ctrl-o'], 'Ctrl-O', 'print', 'print the resume command on standard output and leave'],
  [['alt-s'], 'Alt-S', 'star', 'give the session a star, or take it away', 'star'],
  [['alt-r'], 'Alt-R', 'name', 'give it a name of yours; an empty one takes it away', 'name'],
  [['alt-t'], 'Alt-T', 'tags', 'edit its tags, with commas between them', 'tags'],
  [['alt-c'], 'Alt-C', 'note', 'write a note on it; an empty one takes it away', 'note'],
  [['ctrl-x'], 'Ctrl-X', 'forget', 'remove the session from the index for good, after a question'],
  [['f1', 'alt-?'], '?', 'help', 'this help (F1 while there is text)'],
  [['esc'], 'Esc', 'escape', 'clear the query, then leave'],
  [['ctrl-c'], 'Ctrl-C', 'interrupt', 'leave'],
]);

export const menuKeys = buildBindings([
  [['enter', 'right', 'tab'], 'Enter', 'choose', 'choose it', 'choose'],
  [['esc', 'left', 'ctrl-t'], 'Esc', 'back', 'back', 'back'],
]);

export const restoreKeys = buildBindings([
  [
    ['enter', 'y'],
    'Enter y',
    'restore',
    'restore it, then resume it, copy or print the command, as you had asked for',
    'restore',
  ],
  [['v', 'ctrl-v', 'alt-v'], 'v Ctrl-V', 'read', 'read the conversation instead', 'read it'],
  [['esc', 'n'], 'Esc', 'back', 'back to the list', 'back'],
]);

export const readerKeys = buildBindings([
  [['j', 'down', 'enter', 'ctrl-n'], 'j ↓', 'down', 'a line down'],
  [['k', 'up', 'ctrl-p'], 'k ↑', 'up', 'a line up'],
  [[' ', 'page-down', 'ctrl-d', 'ctrl-f'], 'Space PgDn', 'page-down', 'a page down'],
  [['b', 'page-up', 'ctrl-u', 'ctrl-b'], 'b PgUp', 'page-up', 'a page up'],
  [['J'], 'J', 'next-message', 'the next message', 'message'],
  [['K'], 'K', 'previous-message', 'the previous message'],
  [['g', 'home'], 'g', 'first', 'the start'],
  [['G', 'end'], 'G', 'last', 'the end'],
  [['/'], '/', 'find', 'find text in the conversation', 'find'],
  [['n'], 'n', 'next-match', 'the next match of what was found, or of the query', 'next'],
  [['N'], 'N', 'previous-match', 'the previous match'],
  [['t'], 't', 'tools', 'tool calls one by one, or in a line', 'tools'],
  [['a'], 'a', 'subagents', 'with what subagents said, or without', 'subagents'],
  [['y'], 'y', 'copy', 'copy the message at the top', 'copy'],
  [['e'], 'e', 'export', 'export to a file: .md, .html, .json or text', 'export'],
  [['?', 'f1'], '?', 'help', 'this help'],
  [['q', 'esc', 'ctrl-v'], 'q Esc', 'back', 'back to the list', 'back'],
  [['ctrl-c'], 'Ctrl-C', 'interrupt', 'leave recall'],
]);

export const anywhereKeys = buildBindings([
  [['ctrl-l'], 'Ctrl-L', 'redraw', 'draw the screen again'],
  [['ctrl-z'], 'Ctrl-Z', 'suspend', 'back to the shell; fg returns'],
]);

/** Keys of the line, for help and manual; edit-line.ts acts on them. */
export const editingKeys: readonly KeyDescription[] = [
  { label: 'Ctrl-A Ctrl-E', does: 'the start, the end of the line' },
  { label: '← → Ctrl-B Ctrl-F', does: 'a character back, forward' },
  { label: 'Alt-B Alt-F', does: 'a word back, forward' },
  { label: 'Ctrl-W Alt-D', does: 'delete the word before, after' },
  { label: 'Ctrl-U Ctrl-K', does: 'delete to the start, to the end' },
];

export type ListAction = (typeof listKeys)[number]['action'];
export type RestoreAction = (typeof restoreKeys)[number]['action'];

export function findAction<Action extends string>(bindings: readonly Binding<Action>[], key: string) {
  return bindings.find(({ keys }) => keys.includes(key))?.action;
}

const colors = chooseColors(true);

/** The sections of help, with the one for what is on the screen first. */
export function formatHelp(isReader: boolean, columns: number): string[] {
  const list = formatSection('The list', listKeys, columns);
  const editing = formatSection('The line you type', editingKeys, columns);
  const restoring = formatSection('Choosing a session that was deleted', restoreKeys, columns);
  const anywhere = formatSection('Anywhere', anywhereKeys, columns);
  const reader = formatSection('Reading a conversation', readerKeys, columns);
  const query = wrap(
    'Words, "a phrase", pre*, -not, a OR b, project:name, since:7d, role:user: everything that recall search understands. See recall help query.',
    Math.max(10, columns - 2),
  ).map((line) => `  ${line}`);
  const sections = isReader
    ? [reader, anywhere, list, restoring, editing]
    : [list, anywhere, restoring, editing, reader];
  return [...sections.flatMap((section) => [...section, '']), colors.bold('What you can type'), ...query];
}

function formatSection(heading: string, entries: readonly KeyDescription[], columns: number): string[] {
  const labelColumns = Math.min(20, Math.max(...entries.map(({ label }) => widthOf(label))) + 2);
  const room = columns - labelColumns - 2;
  return [
    colors.bold(heading),
    ...entries.flatMap(({ label, does }) => {
      // Below its key where there is no room beside it.
      if (room < 20) {
        const lines = wrap(does, Math.max(8, columns - 4)).map((line) => `    ${line}`);
        return [`  ${colors.cyan(label)}`, ...lines];
      }
      const [first = '', ...rest] = wrap(does, room);
      const lines = rest.map((line) => `${' '.repeat(labelColumns + 2)}${line}`);
      return [`  ${colors.cyan(pad(label, labelColumns))}${first}`, ...lines];
    }),
  ];
}
