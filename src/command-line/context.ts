// What every command gets: recall itself, the terminal, and ways to print; and how they print an answer about sessions: for a program,
// for an agent, or as a page for a person, of which a terminal shows as much as fits. Commands return their exit code; only cli.ts,
// process.ts and terminal.ts touch the process.

import type { Worker } from 'node:worker_threads';
import type { Emptiness, Freshness, Restoration, Resumption } from '../api/answers.ts';
import type { Host } from '../api/host.ts';
import type { Recall } from '../api/recall.ts';
import type { ResumeWay } from '../api/requests.ts';
import { tryRoots } from '../api/roots.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { type Hint, hint, recall } from '../hints.ts';
import type { FailedFile } from '../records.ts';
import { formatOfferQuestion } from '../render/archive-page.ts';
import { buildCommandVoice, type Voice } from '../render/brief/brief-sessions.ts';
import { fitTo, uncutColumns } from '../render/columns.ts';
import { toJsonText } from '../render/json.ts';
import { formatFreshnessNotes, formatNothingNote, type NothingFound } from '../render/notes.ts';
import { formatElsewhereNotes, formatLoss, formatRestorationNotes } from '../render/resumption.ts';
import type { SessionLineOptions } from '../render/sessions.ts';
import { toPrintableLine } from '../text/printable.ts';

export interface Terminal {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  /** The width is that of a terminal, or was set with COLUMNS. */
  readonly hasWidth: boolean;
}

export interface Context
  extends Pick<Host, 'at' | 'indexPath' | 'roots' | 'now' | 'elapsedMs' | 'signal' | 'pid'> {
  readonly recall: Recall;
  /** The flags that choose the index and the folders, which hints have to repeat. */
  readonly givenFlags: string;
  /** If no command was typed: what was. It is searched for, but its first word may have been meant as a command. */
  readonly implied: readonly string[] | null;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly useColor: boolean;
  readonly stdout: Terminal;
  readonly isInteractive: boolean;
  /** The folder with the files of the page that `recall web` serves. */
  readonly pagePath: string;
  /** A thread that keeps the index up to date. */
  startUpkeep(): Promise<Worker>;
  /** Results, with a newline after them. */
  print(text: string): void;
  printBytes(bytes: Buffer): void;
  /** Notes for people, on stderr; not under --quiet. */
  note(text: Hint): void;
  /** Errors in single files, on stderr, even under --quiet. */
  warn(text: string): void;
  /** Gives the terminal to another program until that ends, including interrupts. */
  handOver<T>(run: () => Promise<T>): Promise<T>;
  /** Asks on the terminal; false if there is none. `isYes`: what an empty answer means. */
  confirm(question: string, isYes?: boolean): Promise<boolean>;
  /** What is typed is not shown. Null if there is no terminal. */
  askSecret(question: string): Promise<string | null>;
}

/** Turns what a command does, with the exit code that it returns if that is not 0, into an action for commander. */
export type ToAction = <Given extends unknown[]>(
  runCommand: (context: Context, ...given: Given) => Promise<number | undefined>,
) => (...given: Given) => Promise<void>;

export function toPageOptions(context: Context): SessionLineOptions {
  const { at, stdout, useColor, now, quiet, givenFlags } = context;
  const columns = stdout.hasWidth ? stdout.columns : uncutColumns;
  return { columns, useColor, now: now(), homeDir: at.homeDir, isQuiet: quiet, givenFlags };
}

export type Nothing = Pick<NothingFound, 'message' | 'hint' | 'isOfTime'>;

interface AnswerForms<Entry> {
  readonly notes?: readonly string[];
  json(): object;
  nothing(): Nothing;
  brief?(voice: Voice, budget: number): { readonly text: string };
  readonly budget?: number | null;
  /** For a person: of these entries as many as fit on the terminal, or all where a limit was given. */
  readonly entries: readonly Entry[];
  readonly limit: string | undefined;
  page(shown: readonly Entry[], options: SessionLineOptions): string;
  /** It may be longer than the terminal whatever is left out: then the person's pager shows it. */
  readonly isPaged?: boolean;
}

type Numbered = Parameters<Recall['remember']>[0][number];

export async function printAnswer<Entry extends Numbered | object>(
  context: Context,
  { emptiness, freshness }: { readonly emptiness: Emptiness | null; readonly freshness: Freshness },
  { notes = [], json, nothing, brief, budget, ...forms }: AnswerForms<Entry>,
): Promise<number> {
  noteFreshness(context, freshness);
  for (const note of notes) context.note(`recall: ${note}`);
  if (context.json) context.print(toJsonText(json()));
  else if (emptiness !== null) {
    const folders = tryRoots(context.roots).roots.map(({ path }) => path);
    const isUpToDate = freshness.refreshed && freshness.pendingFiles === 0;
    context.note(formatNothingNote({ ...nothing(), emptiness, folders, isUpToDate }));
  } else if (brief !== undefined && typeof budget === 'number')
    context.print(brief(buildCommandVoice(context.givenFlags), budget).text);
  else await printPage(context, forms);
  return emptiness === null ? EXIT_OK : EXIT_NOTHING_FOUND;
}

const minShown = 3;
/** Rows for the command that was typed and for the next prompt. */
const rowsAround = 2;

/**
 * On a terminal the first entries, and the heading above them, must not scroll away. Only a page of sessions decides what a number
 * means from then on: output for scripts and agents shows none, and must not change what a person's next `recall open 2` opens.
 */
async function printPage<Entry extends Numbered | object>(
  context: Context,
  {
    entries,
    limit,
    page,
    isPaged = false,
  }: Pick<AnswerForms<Entry>, 'entries' | 'limit' | 'page' | 'isPaged'>,
): Promise<void> {
  const { isTerminal, rows } = context.stdout;
  const options = toPageOptions(context);
  let shown = isTerminal && limit === undefined ? entries.slice(0, minShown) : entries;
  let text = page(shown, options);
  while (shown.length < entries.length) {
    const more = entries.slice(0, shown.length + 1);
    const longer = page(more, options);
    if (longer.split('\n').length > rows - rowsAround) break;
    [shown, text] = [more, longer];
  }
  const sessions = shown.filter((each): each is Entry & Numbered => 'session' in each);
  // Before it is printed: a reader such as `head` may end the program.
  if (sessions.length === shown.length) await context.recall.remember(sessions);
  if (isPaged && isTerminal && context.isInteractive && text.split('\n').length > rows - 1) {
    const { page: showInPager } = await import('./pager.ts');
    const pieces = (async function* () {
      yield text;
    })();
    if (await showInPager(context, pieces)) return;
  }
  context.print(text);
}

export function noteFreshness(context: Context, freshness: Freshness): void {
  if (context.verbose) warnAbout(context, freshness.failures);
  for (const note of formatFreshnessNotes(freshness)) context.note(note);
}

export function printOutcome(context: Context, json: object, text: string): void {
  if (context.json) context.print(toJsonText({ schemaVersion: 1, ...json }));
  else if (!context.quiet) context.print(fitTo(context.stdout, text));
}

interface Confirmation {
  readonly yes: boolean | undefined;
  question(): string | Promise<string>;
  /** What would happen, where nobody can be asked, and the command that does it without asking. */
  readonly refusal: string;
  readonly again: Hint;
  readonly note: string;
}

/** Nothing is changed or deleted without a terminal or --yes. */
export async function isConfirmed(
  context: Context,
  { yes, question, refusal, again, note }: Confirmation,
): Promise<boolean> {
  if (yes) return true;
  if (!context.stdout.isTerminal || context.json)
    throw new UserError(refusal, { code: 'needs-confirmation', hint: again });
  const isSure = await context.confirm(await question());
  if (!isSure) context.note(note);
  return isSure;
}

/** Asks once whether transcripts are to be kept, on a terminal; elsewhere nothing is decided. `fills`: what follows fills it. */
export async function offerArchive(context: Context, { fills = false } = {}): Promise<void> {
  const { json, quiet, at } = context;
  // In this order: node loads a good deal of code to say what stdin is.
  if (json || quiet || !context.stdout.isTerminal || !context.isInteractive) return;
  const { archive } = context.recall;
  const offer = await archive.offer();
  if (offer === null) return;
  const isWanted = await context.confirm(formatOfferQuestion(offer, at.homeDir), true);
  await archive.turn(isWanted);
  if (!isWanted)
    context.note(hint`recall: nothing is kept; you can turn it on later: ${recall('archive', 'on')}`);
  else if (fills) context.note('recall: the archive is on');
  else context.note(hint`recall: the archive is on; to fill it now: ${recall('index')}`);
}

export function noteRestoration(context: Context, restoration: Restoration): void {
  const { askedId, nativeId, damages, files } = restoration;
  if (nativeId !== askedId && restoration.branchOf === null) {
    const [asked, restored] = [askedId, nativeId].map(toPrintableLine);
    context.note(`recall: ${asked} belongs to ${restored}; restoring that one`);
  }
  warnAbout(context, damages);
  for (const { path } of files.filter(({ state }) => state === 'damaged'))
    context.warn(`recall: not restored, since its copy is damaged: ${toPrintableLine(path)}`);
  if (damages.length > 0) context.warn(`recall: ${formatLoss(restoration)}`);
  const notes = [...formatRestorationNotes(restoration), ...formatElsewhereNotes(restoration)];
  for (const note of notes) context.note(note);
}

export function warnAbout(context: Context, failures: readonly FailedFile[]): void {
  for (const { path, reason } of failures) context.warn(`recall: ${toPrintableLine(path)}: ${reason}`);
}

export function noteCircumstances(
  context: Context,
  askedId: string,
  { nativeId, goneDirectory }: Pick<Resumption, 'nativeId' | 'goneDirectory'>,
  { here }: ResumeWay,
): void {
  if (nativeId !== askedId) {
    const [asked, opened] = [askedId, nativeId].map(toPrintableLine);
    context.note(`recall: ${asked} belongs to ${opened}; opening that one`);
  }
  if (goneDirectory !== null && !here)
    context.note(
      `recall: its directory ${toPrintableLine(goneDirectory)} no longer exists; it resumes in the current directory`,
    );
}
