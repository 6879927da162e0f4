// The keys of the page, taken from the one list that the screen obeys: what they are, and what they do. In a list they choose a
// session, in a conversation they scroll and jump.

import { findAction, listKeys, readerKeys } from '../../screen/keys.ts';

type ReaderAction = (typeof readerKeys)[number]['action'];

const inLists = [
  'down',
  'up',
  'first',
  'last',
  'find',
  'copy',
  'help',
  'back',
] as const satisfies readonly ReaderAction[];
const inSessions = [
  'down',
  'up',
  'next-message',
  'previous-message',
  'first',
  'last',
  'find',
  'next-match',
  'previous-match',
  'tools',
  'copy',
  'export',
  'help',
  'back',
] as const satisfies readonly ReaderAction[];

export type KeyActions = { readonly [Action in ReaderAction]?: () => void };

const names: Readonly<Record<string, string>> = {
  ArrowDown: 'down',
  ArrowUp: 'up',
  Escape: 'esc',
  Home: 'home',
  End: 'end',
  F1: 'f1',
};

/** What the key means here; undefined while somebody types, and for what the browser does itself. */
export function findKeyAction(event: KeyboardEvent): ReaderAction | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const target = event.target as HTMLElement;
  const isTyping = target.matches('input, textarea, select');
  const key = names[event.key] ?? event.key;
  if (isTyping) return key === 'esc' ? 'back' : key === 'down' ? 'down' : undefined;
  if (['home', 'end', ' ', 'Enter'].includes(key)) return undefined;
  return findAction(readerKeys, key);
}

/** Keys of the reader that the page has, each with what it does there. */
function listRows(isList: boolean) {
  return (isList ? inLists : inSessions).flatMap((action) => {
    const binding = readerKeys.find((each) => each.action === action);
    if (binding === undefined) return [];
    const inList = listKeys.find((each) => each.action === action);
    const does =
      isList && action === 'find' ? 'type a search' : isList ? (inList?.does ?? binding.does) : binding.does;
    const isCopy = action === 'copy';
    return [{ label: binding.label, does: isCopy ? 'copy the resume command' : does }];
  });
}

export function KeyList() {
  const enter = { label: 'Enter', does: listKeys.find(({ action }) => action === 'read')?.does ?? '' };
  return (
    <div class="keys">
      {[true, false].map((isList) => (
        <section>
          <h3>{isList ? 'In a list' : 'In a conversation'}</h3>
          <dl>
            {[...listRows(isList), ...(isList ? [enter] : [])].map(({ label, does }) => (
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
  );
}
