// Questions before something is changed, and the list of keys.

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatNumbered } from '../../render/quantities.ts';
import type { DonePage, ForgettablePage } from '../answers.ts';
import { KeyList } from './keys.tsx';
import { AskError, ask, change, copy, navigate, say, toAddress } from './state.ts';

interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly isDangerous: boolean;
  answer(): Promise<void>;
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
              .answer()
              .catch((error) => say(error instanceof AskError ? error.message : 'it did not work'));
          }}
        >
          <h2 id="dialog-title">{asked.title}</h2>
          <p>{asked.text}</p>
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
