// Opens the screen: what is indexed is shown first, from this thread and without waiting for another; then come the threads that
// answer what is typed and keep the index up to date.

import type { Recall } from '../api/recall.ts';
import { findRepositoryDirectories } from '../api/repository.ts';
import { UserError } from '../errors.ts';
import { shortenPath } from '../render/sessions.ts';
import { AnswerThread, Asking, type FromUpkeepThread, type Thread, UpkeepThread } from './asking.ts';
import { type Key, KeyDecoder } from './decode-keys.ts';
import type { ConversationDrawer } from './draw-conversation.ts';
import { type Results, toRecentResults, type Within } from './questions.ts';
import { type Device, formatClipboard, ScreenTerminal } from './screen-terminal.ts';
import {
  buildFirstState,
  type Effect,
  firstAsked,
  firstLimit,
  type Outcome,
  type ScreenSetting,
  type State,
} from './state.ts';
import { type Event, update } from './update.ts';
import { drawScreen } from './view.ts';

export interface OpenParts extends Omit<ScreenParts, 'surroundings'> {
  readonly recall: Recall;
  readonly homeDir: string;
  readonly cwd: string;
  /** What is typed already; empty for the newest sessions. */
  readonly query: string;
  readonly signal: AbortSignal;
  readonly verb: ScreenSetting['verb'];
  readonly startThread: (role: 'answers' | 'upkeep', within: Within) => Promise<Thread>;
}

/** The next safe point is usually nearer. */
const maxStopMs = 500;

export async function openScreen(parts: OpenParts): Promise<Outcome> {
  const { recall, homeDir, cwd, query, verb, signal, startThread } = parts;
  const project = findRepositoryDirectories(cwd);
  const within: Within = { project, directory: [cwd] };
  const directories = { project: project[0] ?? cwd, directory: cwd };
  const first = query === '' ? await peek(recall) : null;
  const screen = new Screen({ ...parts, surroundings: { homeDir, directories, verb } }, first, query);
  screen.open(signal);
  const threads: Thread[] = [];
  const start = async (role: 'answers' | 'upkeep') => {
    const thread = await startThread(role, within);
    threads.push(thread);
    return thread;
  };
  try {
    // With the libraries that it needs it takes longer to load than all the rest.
    const drawing = import('./draw-conversation.ts');
    const answers = new AnswerThread(await start('answers'), screen.fail);
    const upkeep = new UpkeepThread(await start('upkeep'), screen.fail);
    const { ConversationDrawer } = await drawing;
    const outcome = await screen.run(answers, upkeep, new ConversationDrawer(homeDir, parts.now));
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

export interface ScreenParts {
  readonly device: Device;
  readonly useColor: boolean;
  readonly surroundings: ScreenSetting;
  readonly now: () => Date;
  readonly elapsedMs: () => number;
  /** Whether it runs inside tmux, which passes a sequence on only if it is wrapped. */
  readonly isInMultiplexer: boolean;
  /** Writes a conversation to a file; resolves to what to say about it. */
  readonly exportTo: (id: string, path: string) => Promise<string>;
}

/** How long an Esc may be the start of a sequence. */
const escapeMs = 40;
/** While somebody uses the screen, files are looked at again after this time. */
const refreshEveryMs = 20_000;

const needsThreads: readonly Effect['type'][] = ['values', 'forget', 'restore', 'label'];

type Upkeep = Pick<UpkeepThread, 'send' | 'onReport'>;

export class Screen {
  private readonly parts: ScreenParts;
  private readonly terminal: ScreenTerminal;
  private readonly decoder = new KeyDecoder();
  private readonly left: Promise<Outcome>;
  private state: State;
  private asking: Asking | null = null;
  private upkeep: Upkeep | null = null;
  /** Effects that wait for the threads to start. */
  private readonly early: Effect[] = [];
  private isClosed = false;
  private escape: NodeJS.Timeout | undefined;
  private refreshSince: number | null = null;
  private refreshedAt = 0;
  private leave: (outcome: Outcome) => void = () => {};
  fail: (error: unknown) => void = () => {};

  constructor(parts: ScreenParts, first: Results | null, query = '') {
    this.parts = parts;
    this.terminal = new ScreenTerminal(parts.device, parts.useColor);
    this.state = buildFirstState(this.terminal.size, parts.now(), first, query);
    this.left = new Promise<Outcome>((resolve, reject) => {
      this.leave = resolve;
      this.fail = reject;
    });
    // `run` reports it; an error before that must not end the process.
    this.left.catch(() => {});
  }

  open(signal: AbortSignal): void {
    const { device } = this.parts;
    signal.addEventListener('abort', () => this.leave({ type: 'interrupted' }));
    device.onEnd(() => this.leave({ type: 'left' }));
    device.onResize(() => this.guard(() => this.resize()));
    device.onInput((bytes) => this.guard(() => this.receive(bytes)));
    this.terminal.open(() => this.guard(() => this.resize()));
    this.draw();
  }

  /** Resolves when the person leaves, with the terminal restored; so it is on an error. */
  async run(thread: Pick<AnswerThread, 'ask'>, upkeep: Upkeep, drawer: ConversationDrawer): Promise<Outcome> {
    this.asking = new Asking({
      thread,
      drawer,
      now: this.parts.now,
      getState: () => this.state,
      onEvent: (event) => this.guard(() => this.dispatch(event)),
    });
    this.upkeep = upkeep;
    upkeep.onReport((report) => this.guard(() => this.handleReport(report)));
    this.refresh();
    this.asking.askAll();
    for (const effect of this.early.splice(0)) this.carryOut(effect);
    try {
      return await this.left;
    } finally {
      clearTimeout(this.escape);
      this.close();
    }
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.terminal.close();
  }

  private guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.fail(error);
    }
  }

  private receive(bytes: Uint8Array): void {
    clearTimeout(this.escape);
    this.press(this.decoder.feed(bytes));
    if (this.decoder.isWaiting)
      this.escape = setTimeout(() => this.guard(() => this.press(this.decoder.flush())), escapeMs);
  }

  /** What was typed is shown before anything else is done about it. */
  private press(keys: readonly Key[]): void {
    if (keys.length === 0) return;
    const now = this.parts.now();
    const effects = keys.flatMap((key) => this.change({ type: 'key', key, now }));
    this.draw();
    this.asking?.askAll();
    const isStale = this.parts.elapsedMs() - this.refreshedAt > refreshEveryMs;
    if (isStale && this.refreshSince === null && this.upkeep !== null) this.refresh();
    for (const effect of effects) this.carryOut(effect);
  }

  private change(event: Event): readonly Effect[] {
    const { state, effects } = update(this.state, event);
    this.state = state;
    return effects;
  }

  private dispatch(event: Event): void {
    const effects = this.change(event);
    this.draw();
    this.asking?.askAll();
    for (const effect of effects) this.carryOut(effect);
  }

  private say(text: string): void {
    this.dispatch({ type: 'message', text });
  }

  private draw(): void {
    this.terminal.draw(drawScreen(this.state, this.parts.surroundings));
  }

  private resize(): void {
    this.terminal.forget();
    this.dispatch({ type: 'resize', size: this.terminal.size });
  }

  private refresh(): void {
    this.refreshSince = this.parts.elapsedMs();
    this.upkeep?.send({ type: 'refresh' });
  }

  private handleReport(report: FromUpkeepThread): void {
    const { type } = report;
    if (type === 'failure' || (type === 'refreshed' && report.isDone)) {
      this.refreshSince = null;
      this.refreshedAt = this.parts.elapsedMs();
    }
    if (type !== 'progress' && type !== 'note' && type !== 'failure') this.asking?.askAgain();
    if (type === 'progress') {
      const elapsedMs = this.parts.elapsedMs() - (this.refreshSince ?? 0);
      this.dispatch({ type: 'activity', activity: { progress: report.progress, elapsedMs, text: '' } });
    } else if (type === 'note') this.note(report.text);
    else if (type === 'done') this.say(report.text);
    // With sessions to show, these are more useful than what is wrong.
    else if (type === 'failure' && (this.state.results?.total ?? 0) > 0) this.note(report.failure.message);
    else if (type !== 'refreshed') this.dispatch(report);
  }

  private note(text: string): void {
    const activity = text === '' ? null : { progress: null, elapsedMs: 0, text };
    this.dispatch({ type: 'activity', activity });
  }

  private carryOut(effect: Effect): void {
    if (this.upkeep === null && needsThreads.includes(effect.type)) {
      this.early.push(effect);
      return;
    }
    switch (effect.type) {
      case 'leave':
        this.leave(effect.outcome);
        break;
      case 'copy':
        this.copy(effect.text, effect.what);
        break;
      case 'values': {
        const { filter } = effect.question;
        const { homeDir } = this.parts.surroundings;
        // The filter understands a short path, too, and the line has little room.
        const shorten = (value: string) => (filter === 'project' ? shortenPath(value, homeDir) : value);
        this.asking?.ask(effect.question, (found) => {
          const values = found.map(({ value, sessions }) => ({ value: shorten(value), sessions }));
          return { type: 'values', filter, values };
        });
        break;
      }
      case 'forget':
      case 'restore':
      case 'label':
        if (effect.type === 'forget') this.say('removing …');
        this.upkeep?.send(effect);
        break;
      case 'export':
        this.parts.exportTo(effect.id, effect.path).then((text) => this.say(text), this.fail);
        break;
      case 'suspend':
        this.parts.device.suspend();
        break;
      case 'redraw':
        this.terminal.forget();
        this.draw();
    }
  }

  private copy(text: string, what: string): void {
    const sequence = formatClipboard(text, this.parts.isInMultiplexer);
    if (sequence !== null) this.terminal.send(sequence);
    this.say(sequence === null ? `${what} is too long to copy; export it instead` : `copied ${what}`);
  }
}
