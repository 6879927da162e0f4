// Questions before something is changed, and anything else that is shown above the page.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { toTag } from '../../records.ts';
import { formatNumbered } from '../../render/quantities.ts';
import type { Session } from './sessions.tsx';
import { ask, attempt, change, copyCommand, navigate, say } from './state.ts';

interface Dialog {
  readonly title: string;
  readonly content: ComponentChildren;
  /** What a person may edit. */
  readonly value?: string;
  /** Without it there is nothing to decide. */
  readonly yes?: {
    readonly label: string;
    readonly isDangerous?: boolean;
    act(value: string): Promise<void>;
  };
}

export const dialog = signal<Dialog | null>(null);

export async function askForget(id: string): Promise<void> {
  const { title, subagents, warning } = await ask('forgettable', { id });
  const others = subagents === 0 ? '' : ` and ${formatNumbered(subagents, 'subagent')}`;
  dialog.value = {
    title: 'Forget this session?',
    content: `“${title}”${others} will be removed from the index and the archive for good, and not be indexed again. ${warning}`,
    yes: {
      label: 'Forget it',
      isDangerous: true,
      act: async () => {
        // First, since the page of a session asks for it again whenever the index has changed.
        navigate('/');
        say((await change('forget', { id })).text);
      },
    },
  };
}

export function askRestore(id: string, title: string, from: string | null): void {
  const how =
    from === 'archive'
      ? 'from its copy in the archive'
      : 'rebuilt from the indexed text, without what tools answered';
  dialog.value = {
    title: 'Restore this session?',
    content: `The transcript of “${title}” will be written where its agent keeps it, ${how}. No existing file is changed.`,
    yes: {
      label: 'Restore it',
      act: async () => {
        const { text, command } = await change('restore', { id });
        await copyCommand(command ?? '');
        say(command === null ? text : `${text}; the command that resumes it is copied`);
      },
    },
  };
}

export const labelNames = { name: 'Name', tags: 'Tags', note: 'Note' } as const;

/** What is typed replaces what was there. */
export function askLabel(id: string, labels: Session['labels'], what: keyof typeof labelNames): void {
  const { name, tags, notes } = labels;
  const note = notes.find(({ uuid }) => uuid === null)?.text;
  dialog.value = {
    title: labelNames[what],
    content: what === 'tags' ? 'With commas between them.' : 'Leave it empty to take it away.',
    value: { name: name ?? '', tags: tags.join(', '), note: note ?? '' }[what],
    yes: {
      label: 'Save',
      act: async (value) => {
        const wanted = value.split(',').filter((tag) => tag.trim() !== '');
        const kept = new Set(wanted.map(toTag));
        const body =
          what === 'tags' ? { tags: wanted, untag: tags.filter((tag) => !kept.has(tag)) } : { [what]: value };
        say((await change('label', { id, ...body })).text);
      },
    },
  };
}

export async function setStar(id: string, starred: boolean): Promise<void> {
  say((await change('label', { id, starred })).text);
}

export function DialogView() {
  const box = useRef<HTMLDialogElement>(null);
  const shown = dialog.value;
  useEffect(() => {
    if (shown !== null) box.current?.showModal();
    else box.current?.close();
  }, [shown]);
  const close = () => {
    dialog.value = null;
  };
  return (
    <dialog ref={box} aria-labelledby="dialog-title" onClose={close}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          close();
          const value = new FormData(event.currentTarget).get('value')?.toString() ?? '';
          if (shown?.yes !== undefined) attempt(shown.yes.act(value));
        }}
      >
        <h2 id="dialog-title">{shown?.title}</h2>
        <div>{shown?.content}</div>
        {shown?.value !== undefined && (
          <input name="value" aria-label={shown.title} defaultValue={shown.value} />
        )}
        <p class="buttons">
          <button type="button" onClick={close}>
            {shown?.yes === undefined ? 'Close' : 'Cancel'}
          </button>
          {shown?.yes !== undefined && (
            <button type="submit" class={shown.yes.isDangerous ? 'danger' : 'primary'}>
              {shown.yes.label}
            </button>
          )}
        </p>
      </form>
    </dialog>
  );
}
