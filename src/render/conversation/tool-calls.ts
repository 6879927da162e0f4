// Tool calls in a readable form: `Edit src/auth.ts`, and a run of them folded into one line.

import type { ShownCall } from '../../api/conversation/call-texts.ts';
import type { StoredCall } from '../../store/read/read-conversation.ts';
import { toPrintable, toPrintableLine } from '../../text/printable.ts';
import { clip } from '../columns.ts';
import { formatNumbered } from '../quantities.ts';

const maxTargetColumns = 48;

/** Paths inside `project` are shown relative to it. */
export function toCallName(call: StoredCall, project: string | null, maxColumns = maxTargetColumns): string {
  const name = toPrintableLine(call.name);
  const target = toTarget(call.target ?? '', project);
  return target === '' ? name : `${name} ${clip(target, maxColumns)}`;
}

/** Only the first line of a command is shown. */
function toTarget(target: string, project: string | null): string {
  const [first = '', ...rest] = toPrintable(target).trim().split('\n');
  const line = toPrintableLine(first);
  if (project !== null && line === project) return '.';
  const isBelow =
    project !== null && (line.startsWith(`${project}/`) || line.startsWith(`${project}\\`)) && project !== '';
  return `${isBelow ? line.slice(project.length + 1) : line}${rest.length > 0 ? ' …' : ''}`;
}

/** What a tool was given and answered, without empty lines around it; the input is empty where the name of the call says it all. */
export function toCallTexts({ target, input, output }: ShownCall): { input: string; output: string } {
  const given = toBare(input ?? '');
  const isSaid = given === target && given.length <= maxTargetColumns && !given.includes('\n');
  return { input: isSaid ? '' : given, output: toBare(output ?? '') };
}

function toBare(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

/** Calls that are shown with their texts, and between them those that are folded, in order. */
export function toRuns(calls: readonly ShownCall[]): { hasTexts: boolean; calls: ShownCall[] }[] {
  const runs: { hasTexts: boolean; calls: ShownCall[] }[] = [];
  for (const call of calls) {
    const { input, output } = toCallTexts(call);
    const hasTexts = input !== '' || output !== '';
    const last = runs.at(-1);
    if (last?.hasTexts === hasTexts) last.calls.push(call);
    else runs.push({ hasTexts, calls: [call] });
  }
  return runs;
}

/** `Read ×3, Edit src/auth.ts, Bash npm test`: in the order of their first call. */
export function toCallsSummary(calls: readonly StoredCall[], project: string | null): string {
  const byName = new Map<string, StoredCall[]>();
  for (const call of calls) byName.set(call.name, [...(byName.get(call.name) ?? []), call]);
  return [...byName.values()]
    .map((same) => {
      const [only] = same;
      if (only !== undefined && same.length === 1) return toCallName(only, project);
      return `${toPrintableLine(only?.name ?? '')} ×${same.length}`;
    })
    .join(', ');
}

/** `(1 error)`, or nothing. */
export function toErrorCount(calls: readonly StoredCall[]): string {
  const errors = calls.filter((call) => call.isError === 1).length;
  return errors === 0 ? '' : `(${formatNumbered(errors, 'error')})`;
}
