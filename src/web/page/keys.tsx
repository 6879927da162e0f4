// The keys of the page, taken from the one list that the screen obeys: what they are, and what they do here. In a list they choose
// a session, in a conversation they scroll and jump.

import { findAction, listKeys, readerKeys } from '../../screen/keys.ts';
import { goToEnd, goToMatch, goToMessage, showsCalls, warnOfFind } from './conversation.tsx';
import { dialog } from './dialogs.tsx';
import { copyShown, exportShown } from './session.tsx';
import { choose, copyChosen } from './sessions.tsx';
import { place } from './state.ts';

type ReaderAction = (typeof readerKeys)[number]['action'];
type Actions = { readonly [Action in ReaderAction]?: () => void };

const lineHeight = 60;

function focus(id: string): void {
  const input = document.getElementById(id) as HTMLInputElement | null;
  input?.focus();
  input?.select();
}

function goBack(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement) activeElement.blur();
  else window.history.back();
}

const inLists: Actions = {
  down: () => choose(document.activeElement?.id === 'box' ? 0 : 1),
  up: () => choose(-1),
  first: () => choose('first'),
  last: () => choose('last'),
  find: () => focus('box'),
  copy: copyChosen,
  help: showHelp,
  back: goBack,
};
const inConversations: Actions = {
  down: () => window.scrollBy(0, lineHeight),
  up: () => window.scrollBy(0, -lineHeight),
  'next-message': () => goToMessage(1),
  'previous-message': () => goToMessage(-1),
  first: () => goToEnd('first'),
  last: () => goToEnd('last'),
  find: () => focus('find'),
  'next-match': () => goToMatch(1),
  'previous-match': () => goToMatch(-1),
  tools: () => {
    showsCalls.value = !showsCalls.value;
  },
  copy: copyShown,
  export: exportShown,
  help: showHelp,
  back: goBack,
};

const names: Readonly<Record<string, string>> = {
  ArrowDown: 'down',
  ArrowUp: 'up',
  Escape: 'esc',
  F1: 'f1',
};
/** What the browser does with them is what one expects. */
const keysOfBrowser = ['Home', 'End', ' ', 'Enter'];

export function obey(event: KeyboardEvent): void {
  if (document.querySelector('dialog[open]') !== null) return;
  if ((event.ctrlKey || event.metaKey) && event.key === 'f') warnOfFind();
  if (event.ctrlKey || event.metaKey || event.altKey || keysOfBrowser.includes(event.key)) return;
  const key = names[event.key] ?? event.key;
  const isTyping = (event.target as Element).matches('input, textarea, select');
  if (isTyping && key !== 'esc' && key !== 'down') return;
  const action = findAction(readerKeys, key);
  const act = action && (place.value.path.startsWith('/session') ? inConversations : inLists)[action];
  if (act === undefined) return;
  event.preventDefault();
  act();
}

/** Where a key does something else here than on the screen. */
const doesHere: Readonly<Record<string, string>> = {
  copy: 'copy the resume command',
  export: 'export as HTML',
  back: 'back',
};
const doesInLists: Readonly<Record<string, string>> = {
  ...Object.fromEntries(listKeys.map(({ action, does }) => [action, does])),
  ...doesHere,
  find: 'type a search',
};

/** Those of the reader's keys that the page has. */
function listRows(actions: Actions, does: Readonly<Record<string, string>>) {
  return readerKeys
    .filter(({ action }) => action in actions)
    .map((key) => ({ label: key.label, does: does[key.action] ?? key.does }));
}

export function showHelp(): void {
  const sections = [
    ['In a list', [...listRows(inLists, doesInLists), { label: 'Enter', does: 'read the conversation' }]],
    ['In a conversation', listRows(inConversations, doesHere)],
  ] as const;
  dialog.value = {
    title: 'Keys',
    content: (
      <div class="keys">
        {sections.map(([title, rows]) => (
          <section>
            <h3>{title}</h3>
            <dl>
              {rows.map(({ label, does }) => (
                <>
                  <dt>
                    <kbd>{label}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </>
              ))}
            </dl>
          </section>
        ))}
      </div>
    ),
  };
}
