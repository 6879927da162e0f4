// Questions before something is changed, and the list of keys.

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { toTag } from '../../records.ts';
import { formatNumbered } from '../../render/quantities.ts';
import type { DonePage, ForgettablePage, Session } from '../answers.ts';
import { KeyList } from './keys.tsx';
import { AskError, ask, change, copy, navigate, say, toAddress } from './state.ts';

interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly isDangerous: boolean;
  /** What the person may edit. */
  readonly value?: string;
  answer(value: string): Promise<void>;
}

const question = signal<Question | null>(null);
export const showsHelp = signal(false);

export async function askForget(id: string): Promise<void> {
  const { title, subagents, warning } = await ask<ForgettablePage>(toAddress('forgettable', { id }));
  const others = subagents === 0 ? '' : ` and ${formatNumbered(subagents, 'subagent')}`;
  question.value = {
    title: 'Forget this session?',
    text: `“${title}”${others} will be removed from the index and the archive for good, and not be indexed again. ${warning}`,
    yes: 'Forget it',
    isDangerous: true,
    answer: async () => {
      // First, since the page of a session asks for it again whenever the index has changed.
      navigate('/');
      const { text } = await change<DonePage>('forget', { id });
      say(text);
    },
  };
}

/** A name, tags or a note: what is typed replaces what was there. */
export function askLabel(
  id: string,
  { name, tags, notes }: Session['labels'],
  what: 'name' | 'tags' | 'note',
): void {
  const note = notes.find(({ uuid }) => uuid === null)?.text ?? '';
  question.value = {
    title: { name: 'Name of yours', tags: 'Tags', note: 'Note' }[what],
    text: what === 'tags' ? 'With commas between them.' : 'Leave it empty to take it away.',
    yes: 'Save',
    isDangerous: false,
    value: { name: name ?? '', tags: tags.join(', '), note }[what],
    answer: async (value) => {
      const wanted = value.split(',').filter((tag) => tag.trim() !== '');
      const kept = new Set(wanted.map(toTag));
      const body =
        what === 'tags' ? { tags: wanted, untag: tags.filter((tag) => !kept.has(tag)) } : { [what]: value };
      say((await change<DonePage>('label', { id, ...body })).text);
    },
  };
}

export async function toggleStar(id: string, isStarred: boolean): Promise<void> {
  say((await change<DonePage>('label', { id, starred: !isStarred })).text);
}

export function askRestore(id: string, title: string, from: string | null): void {
  const how =
    from === 'archive'
      ? 'from its copy in the archive'
      : 'rebuilt from the indexed text, without what tools answered';
  question.value = {
    title: 'Restore this session?',
    text: `The transcript of “${title}” will be written where its agent keeps it, ${how}. No existing file is changed.`,
    yes: 'Restore it',
    isDangerous: false,
    answer: async () => {
      const { text, command } = await change<DonePage>('restore', { id });
      if (command !== null) await copy(command, 'the command that resumes it');
      say(command === null ? text : `${text}; the command that resumes it is copied`);
    },
  };
}

export function Dialogs() {
  const asked = question.value;
  const box = useRef<HTMLDialogElement>(null);
  const isOpen = asked !== null || showsHelp.value;
  useEffect(() => {
    if (isOpen && box.current?.open === false) box.current.showModal();
    if (!isOpen) box.current?.close();
  }, [isOpen]);
  const close = () => {
    question.value = null;
    showsHelp.value = false;
  };
  return (
    <dialog ref={box} aria-labelledby="dialog-title" onClose={close} class={asked === null ? 'help' : ''}>
      {asked !== null ? (
        <form
          method="dialog"
          onSubmit={(event) => {
            event.preventDefault();
            close();
            asked
              .answer(new FormData(event.currentTarget).get('value')?.toString() ?? '')
              .catch((error) => say(error instanceof AskError ? error.message : 'it did not work'));
          }}
        >
          <h2 id="dialog-title">{asked.title}</h2>
          <p>{asked.text}</p>
          {asked.value !== undefined && (
            <input name="value" aria-label={asked.title} defaultValue={asked.value} />
          )}
          <p class="buttons">
            <button type="button" onClick={close}>
              Cancel
            </button>
            <button type="submit" class={asked.isDangerous ? 'danger' : 'primary'}>
              {asked.yes}
            </button>
          </p>
        </form>
      ) : (
        <div>
          <h2 id="dialog-title">Keys</h2>
          <KeyList />
          <p class="buttons">
            <button type="button" onClick={close}>
              Close
            </button>
          </p>
        </div>
      )}
    </dialog>
  );
}
