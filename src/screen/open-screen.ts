// Opens the screen: what is indexed is shown first, from this thread and without waiting for another; then come the threads that
// answer what is typed and keep the index up to date.

import type { Recall } from '../api/recall.ts';
import { findRepositoryDirectories } from '../api/repository.ts';
import { UserError } from '../errors.ts';
import { toRecentResults } from './answers.ts';
import type { Results, Scope } from './questions.ts';
import { Screen, type ScreenParts } from './screen.ts';
import { firstAsked, firstLimit, type Outcome } from './state.ts';
import { AnswerThread, type Thread, UpkeepThread } from './threads.ts';

/** The directories that each scope means. */
export type Within = Readonly<Record<Exclude<Scope, 'everywhere'>, readonly string[]>>;

export interface OpenParts extends Omit<ScreenParts, 'surroundings'> {
  readonly recall: Recall;
  readonly homeDir: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** What Enter does, in a word. */
  readonly verb: string;
  readonly startThread: (role: 'answers' | 'upkeep', within: Within) => Promise<Thread>;
}

/** Longer than the next safe point is usually away. */
const maxStopMs = 500;

export async function openScreen(parts: OpenParts): Promise<Outcome> {
  const { recall, homeDir, cwd, verb, signal, startThread } = parts;
  const project = findRepositoryDirectories(cwd);
  const within: Within = { project, directory: [cwd] };
  const directories = { project: project[0] ?? cwd, directory: cwd };
  const screen = new Screen({ ...parts, surroundings: { homeDir, directories, verb } }, await peek(recall));
  screen.open(signal);
  const fail = (error: unknown) => screen.abort(error);
  const threads: Thread[] = [];
  const start = async (role: 'answers' | 'upkeep') => {
    const thread = await startThread(role, within);
    threads.push(thread);
    return thread;
  };
  try {
    // With the libraries that it needs it takes longer to load than all the rest.
    const drawing = import('./draw-conversation.ts');
    const source = new AnswerThread(await start('answers'), fail);
    const upkeep = new UpkeepThread(await start('upkeep'), fail);
    const { ConversationDrawer } = await drawing;
    const outcome = await screen.run(source, upkeep, new ConversationDrawer(homeDir, parts.now));
    await upkeep.stop(maxStopMs);
    return outcome;
  } finally {
    screen.close();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}

/** Null where there is no index yet, or one that cannot be used: the thread says what is wrong with it. */
async function peek(recall: Recall): Promise<Results | null> {
  try {
    const answer = await recall.peek({ limit: firstLimit });
    return answer === null ? null : toRecentResults(answer, firstAsked);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
