// The last line: the keys that matter, or what just happened, or a question.

import { toColors } from '../../render/colors.ts';
import { clip, widthOf, wrap } from '../../render/columns.ts';
import type { Binding } from '../keys.ts';
import type { Ask, Choice, State } from '../state.ts';
import { toPrompt } from './prompt.ts';

const colors = toColors(true);
const gap = '  ';

type Entry = readonly [key: string, brief: string];

/** As many keys as fit, in the order of the list; the way back and the help, if `help` is a key, are always among them. */
export function toKeysLine(
  bindings: readonly Binding<string>[],
  help: string,
  verb: string,
  columns: number,
): string {
  const toEntry = ({ label, brief = '', action }: Binding<string>): Entry => [
    label.split(' ')[0] ?? '',
    action === 'resume' ? verb : brief,
  ];
  const isBack = ({ action }: Binding<string>) => action === 'back';
  const always: Entry[] = bindings.filter(isBack).map(toEntry);
  if (help !== '') always.push([help, 'help']);
  const shown: Entry[] = [];
  for (const binding of bindings) {
    if (binding.brief === undefined || isBack(binding)) continue;
    const entry = toEntry(binding);
    if (toWidth([...shown, entry, ...always]) > columns - 1) break;
    shown.push(entry);
  }
  const all = [...shown, ...always];
  if (toWidth(all) > columns) return '';
  return all.map(([label, brief]) => `${colors.cyan(label)} ${colors.dim(brief)}`).join(gap);
}

function toWidth(entries: readonly Entry[]): number {
  return widthOf(entries.map((entry) => entry.join(' ')).join(gap));
}

export function toMessageLine({ message, size }: State): string {
  return colors.yellow(clip(message, size.columns));
}

/** Lines over what is there, and the cursor if there is something to type. */
export interface Bottom {
  readonly lines: readonly string[];
  readonly column: number | null;
}

export function toRestoringLines({ size }: State): Bottom {
  return { lines: [colors.yellow(clip('restoring …', size.columns))], column: null };
}

/** The question, over as many lines as it takes. */
export function toAskLines({ question, line, choices }: Ask, verb: string, columns: number): Bottom {
  const offered = choices.map((choice) => `${choice.key} ${toLabel(choice, verb)}`).join('   ');
  if (line === null) {
    const lines = [
      ...wrap(question, columns).map(colors.yellow),
      ...wrap(offered, columns)
        .filter((each) => each !== '')
        .map(colors.cyan),
    ];
    return { lines, column: null };
  }
  const prompt = toPrompt(line, `${clip(question, Math.max(4, columns - 12))} `, columns);
  return { lines: [prompt.line], column: prompt.column };
}

/** What comes after restoring is what was asked for. */
function toLabel({ label, does }: Choice, verb: string): string {
  if (does.type !== 'restore' && does.type !== 'use-restored') return label;
  const action = does.action === 'resume' ? verb : does.action;
  return label === '' ? action : `${label} and ${action}`;
}
