// One change to one of Claude Code's files: planned first, so that it can be shown, and carried out once confirmed.

import { addPart, type Edit, entries, type Part, removePart, type Verdict } from './claude-settings.ts';
import { readText, rewriteFile } from './rewrite-file.ts';

export interface Step {
  readonly part: Part;
  readonly path: string;
  readonly isRemoval: boolean;
  readonly verdict: Verdict;
  readonly entry: object;
  /** Claude Code's own way of adding it. */
  readonly command: string | null;
  readonly before: string;
  readonly after: string;
}

export function planStep(part: Part, path: string, isRemoval: boolean): Step {
  const before = readText(path) ?? '';
  const { verdict, text } = editPart(part, before, path, isRemoval);
  const { json: entry, command } = entries[part];
  const after = verdict === 'change' ? text : before;
  return { part, path, isRemoval, verdict, entry, command, before, after };
}

/** On the text as it is now, not as it was when planned. */
export function carryOut({ part, path, isRemoval }: Step): void {
  rewriteFile(path, (text) => editPart(part, text ?? '', path, isRemoval).text);
}

function editPart(part: Part, text: string, path: string, isRemoval: boolean): Edit {
  return isRemoval ? removePart(part, text, path) : addPart(part, text, path);
}
