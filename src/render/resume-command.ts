// The one line that puts a person back into a session, safe to paste and to eval whatever the directory is called.

import { toSlug } from '../sources/claude/slug.ts';

export interface ResumeTarget {
  readonly nativeId: string;
  /** The folder of its transcript. */
  readonly slug: string | null;
  readonly relocatedCwd: string | null;
  readonly firstCwd: string | null;
  readonly lastCwd: string | null;
  /** As other files name it, where no line of its own does. */
  readonly project: string | null;
}

export interface Resume {
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly command: string;
}

/**
 * Where Claude Code finds the session: it was moved there and says so itself, or it ran there and its folder is named after
 * that. Null when no such directory is known.
 */
export function findOwnDirectory(target: ResumeTarget): string | null {
  const { slug, relocatedCwd, firstCwd, lastCwd, project } = target;
  const isOwn = (cwd: string | null) => cwd !== null && isAbsolute(cwd) && toSlug(cwd) === slug;
  return relocatedCwd ?? [firstCwd, lastCwd, project].find(isOwn) ?? null;
}

/** Null when there is no directory to go to, or the id is none that Claude Code could have given. */
export function toResume(target: ResumeTarget): Resume | null {
  const { nativeId } = target;
  const cwd = findOwnDirectory(target) ?? target.firstCwd ?? target.lastCwd ?? target.project;
  if (cwd === null || !isAbsolute(cwd) || nativeId.startsWith('-') || control.test(nativeId)) return null;
  const id = /^[\w.-]+$/.test(nativeId) ? nativeId : quoteForShell(nativeId);
  return { cwd, argv: ['claude', '-r', nativeId], command: `cd ${quoteForShell(cwd)} && claude -r ${id}` };
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');
}

const control = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/**
 * For sh, bash, zsh and fish alike. Nothing is special in single quotes but the quote itself and, for fish, the backslash, so
 * these stand outside. Control characters would break the line or reach the terminal, so a name that holds some is
 * spelt out through printf.
 */
export function quoteForShell(text: string): string {
  if (!control.test(text)) return `'${text.replace(/['\\]/g, "'\\$&'")}'`;
  const escaped = [...Buffer.from(text, 'utf8')].map(toPrintfByte).join('');
  // The dot keeps the shell from taking off newlines at the end, and is then taken off itself.
  return `"$(printf '${escaped}/.')"`;
}

function toPrintfByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[A-Za-z0-9/_.,:@-]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
}
