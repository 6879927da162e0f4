// A session that cannot be resumed: why, what can be done about it, and how it goes on when it was brought back or could not be.

import type { Restoration } from '../api/answers.ts';
import { toHintText } from '../hints.ts';
import { findRestorableText, toLossText, toObstacleText, toRestoredObstacle } from '../render/resumption.ts';
import { toPrintableLine } from '../text/printable.ts';
import { type RestoreAction, restoreKeys } from './keys.ts';
import type { Failure, Row } from './questions.ts';
import {
  type Ask,
  type Choice,
  type ChosenAction,
  leave,
  only,
  type ResumeAction,
  type State,
  type ToRestore,
  type Updated,
} from './state.ts';

/** `action` is what was to be done with the session. */
export function offer({ session, resumption }: Row, action: ResumeAction): Ask {
  const obstacle = toObstacleText(resumption);
  const gives = findRestorableText(resumption);
  if (gives === null) return ask(formatReason(obstacle), []);
  const restore = buildChoice('restore', { type: 'restore', id: session.nativeId, action });
  return ask(`${obstacle.reason}; it can be ${gives}`, [restore]);
}

/** A hint for a shell is to read it, which is a key here. */
function formatReason({ reason, hint }: ReturnType<typeof toObstacleText>): string {
  return typeof hint === 'string' ? `${reason}; ${toHintText(hint)}` : reason;
}

/** Whatever else is offered, it can be read. */
function ask(question: string, choices: readonly Choice[]): Ask {
  const always = [buildChoice('read', { type: 'read' }), buildChoice('back', { type: 'nothing' })];
  return { type: 'ask', question, line: null, choices: [...choices, ...always], behind: null };
}

function buildChoice(action: RestoreAction, does: ChosenAction, text?: string): Choice {
  const { keys = [], label = '', brief = '' } = restoreKeys.find((each) => each.action === action) ?? {};
  return { keys, key: label.split(' ')[0] ?? '', label: text ?? brief, does };
}

export function takeRestored(state: State, restored: Restoration): Updated {
  const { front } = state;
  if (front?.type !== 'restoring') return only(state);
  const [damage] = restored.damages;
  if (damage === undefined) return useRestored({ ...state, front: null }, restored, front);
  const { id, action } = front;
  const question = `${toPrintableLine(damage.path)}: ${damage.reason}; ${toLossText(restored)}`;
  if (restored.obstacle !== null) return showObstacle(state, restored, `${question}; `);
  const goOn = buildChoice('restore', { type: 'use-restored', restored, id, action }, '');
  return only({ ...state, front: ask(question, [goOn]) });
}

export function useRestored(state: State, restored: Restoration, { id, action }: ToRestore): Updated {
  const text = restored.resume?.command;
  if (text === undefined || restored.obstacle !== null) return showObstacle(state, restored, '');
  if (action !== 'copy') return leave(state, { type: action, id, restored });
  return { state, effects: [{ type: 'copy', text, what: 'the resume command of the restored session' }] };
}

/** It is back, and no command resumes it yet. */
function showObstacle(state: State, restored: Restoration, losses: string): Updated {
  const question = `${losses}it is restored; ${formatReason(toRestoredObstacle(restored))}`;
  return only({ ...state, front: ask(question, []) });
}

/** The transcript is written last, and files beside it that are there are passed over, so that it can be tried again. */
export function takeFailure(state: State, { message, hint }: Failure): State {
  const { front } = state;
  if (front?.type !== 'restoring') return { ...state, message };
  const { id, action } = front;
  const again = buildChoice('restore', { type: 'restore', id, action }, 'try again');
  return { ...state, front: ask(hint === '' ? message : `${message}; ${hint}`, [again]) };
}
