// The last line: the keys that matter, or what just happened, or a question.

import { toColors } from '../../render/colors.ts';
import { clip, widthOf, wrap } from '../../render/columns.ts';
import type { Binding } from '../keys.ts';
import type { Ask, State } from '../state.ts';
import { toPrompt } from './prompt.ts';

const colors = toColors(true);
const gap = '  ';

/** As many keys as fit, in the order of the list; the help is always among them. */
export function toKeysLine(bindings: readonly Binding<string>[], verb: string, columns: number): string {
  const help = ['?', 'help'] as const;
  const shown: (readonly [string, string])[] = [];
  let width = widthOf(toPlain(help));
  for (const { label, brief, action } of bindings) {
    if (brief === undefined) continue;
    const [first = ''] = label.split(' ');
    const entry = [first, action === 'resume' ? verb : brief] as const;
    width += gap.length + widthOf(toPlain(entry));
    if (width > columns - 1) break;
    shown.push(entry);
  }
  const all = [...shown, help];
  if (shown.length === 0 && width > columns) return '';
  return all.map(([label, brief]) => `${colors.cyan(label)} ${colors.dim(brief)}`).join(gap);
}

function toPlain([label, brief]: readonly [string, string]): string {
  return `${label} ${brief}`;
}

export function toMessageLine({ message, size }: State): string {
  return colors.yellow(clip(message, size.columns));
}

/** The question, over as many lines as it takes, and the cursor if there is something to type. */
export function toAskLines(
  { question, line, choices }: Ask,
  columns: number,
): { readonly lines: readonly string[]; readonly column: number | null } {
  const offered = choices.map(({ key, label }) => `${key} ${label}`).join('   ');
  if (line === null) {
    const lines = [...wrap(question, columns), ...wrap(offered, columns)].filter((each) => each !== '');
    return {
      lines: lines.map((each, i) => (i === 0 ? colors.yellow(each) : colors.cyan(each))),
      column: null,
    };
  }
  const prompt = toPrompt(line, `${clip(question, Math.max(4, columns - 12))} `, columns);
  return { lines: [prompt.line], column: prompt.column };
}
