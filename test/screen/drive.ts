// The screen as the program runs it, in this process: real answers from a real index, a terminal without a window, and a test that
// types.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';
import type { Host } from '../../src/api/host.ts';
import { Recall } from '../../src/api/recall.ts';
import { AnswerThread, type Thread, UpkeepThread } from '../../src/screen/asking.ts';
import { ConversationDrawer } from '../../src/screen/draw-conversation.ts';
import { Screen, type ScreenParts } from '../../src/screen/open-screen.ts';
import type { Size } from '../../src/screen/screen-terminal.ts';
import { serveAnswers, serveUpkeep } from '../../src/screen/serve.ts';
import type { Outcome } from '../../src/screen/state.ts';
import { TempHome } from '../support/home.ts';
import { hostNow, toHost } from '../support/host.ts';
import { Emulator, FakeDevice } from './emulator.ts';

/** Keys as a terminal sends them. Esc in the form that needs no waiting. */
export const keys = {
  up: '\x1b[A',
  down: '\x1b[B',
  pageDown: '\x1b[6~',
  home: '\x1b[H',
  end: '\x1b[F',
  enter: '\r',
  tab: '\t',
  esc: '\x1b[27u',
  backspace: '\x7f',
  shiftDown: '\x1b[1;2B',
  ctrl: (letter: string) => String.fromCharCode(letter.charCodeAt(0) & 0x1f),
  alt: (character: string) => `\x1b[${character.codePointAt(0)};3u`,
};

/** Both ends of a thread that is none. */
class Pair {
  /** Messages that were sent and have not been answered. */
  open = 0;
  sent: unknown[] = [];
  crash: (error: unknown) => void = () => {};
  private readonly listeners: Record<'outside' | 'inside', ((message: never) => void)[]> = {
    outside: [],
    inside: [],
  };

  readonly thread = {
    on: (event: string, listener: (message: never) => void) => {
      if (event === 'message') this.listeners.outside.push(listener);
      if (event === 'error') this.crash = listener as never;
    },
    postMessage: (message: unknown) => {
      this.sent.push(message);
      this.open++;
      setImmediate(() => {
        for (const listener of this.listeners.inside) listener(structuredClone(message) as never);
      });
    },
    terminate: async () => {},
  } as unknown as Thread;
  readonly port = {
    on: (_: 'message', listener: (message: never) => void) => this.listeners.inside.push(listener),
    postMessage: (message: unknown) => {
      setImmediate(() => {
        const { type, isDone } = message as { type?: string; isDone?: boolean };
        // Reports on the way answer nothing.
        if (type !== 'note' && type !== 'progress' && isDone !== false) this.open--;
        for (const listener of this.listeners.outside) listener(structuredClone(message) as never);
      });
    },
    close: () => {},
  };
}

export interface DriveOptions {
  readonly size?: Size;
  readonly host?: Partial<Host>;
  readonly parts?: Partial<ScreenParts>;
  /** As the program does, show what is indexed first. */
  readonly peeks?: boolean;
  readonly within?: readonly string[];
}

export class Drive {
  readonly device: FakeDevice;
  readonly emulator: Emulator;
  readonly outcome: Promise<Outcome>;
  readonly answers = new Pair();
  private readonly upkeep = new Pair();
  private readonly recalls: Recall[];
  private replayed = 0;
  private clock = 0;

  static async open(home: TempHome, options: DriveOptions = {}): Promise<Drive> {
    const at = { env: {}, homeDir: '/home/maya', platform: 'linux', cwd: '/home/maya/shop' };
    const host = toHost(home, { at, ...options.host });
    const drive = new Drive(host, options);
    await drive.settle();
    return drive;
  }

  private constructor(host: Host, { size = { columns: 80, rows: 24 }, parts, within = [] }: DriveOptions) {
    this.device = new FakeDevice(size);
    this.emulator = new Emulator(size);
    this.recalls = [new Recall(host), new Recall(host)];
    const [asked, kept] = this.recalls as [Recall, Recall];
    const { homeDir } = host.at;
    const screen = new Screen(
      {
        device: this.device,
        useColor: true,
        surroundings: {
          homeDir: '/home/maya',
          directories: { project: '/home/maya/shop', directory: '/home/maya/shop/src' },
          verb: 'resume',
        },
        now: () => hostNow,
        // Every key is typed by a person.
        elapsedMs: () => (this.clock += 1000),
        isInMultiplexer: false,
        exportTo: async (id, path) => `wrote ${id} to ${path}`,
        ...parts,
      },
      null,
    );
    serveAnswers(this.answers.port as never, asked, { project: within, directory: within });
    serveUpkeep(this.upkeep.port as never, kept, new AbortController());
    screen.open(host.signal);
    const fail = (error: unknown) => screen.fail(error);
    this.outcome = screen.run(
      new AnswerThread(this.answers.thread, fail),
      new UpkeepThread(this.upkeep.thread, fail),
      new ConversationDrawer(homeDir, () => hostNow),
    );
    this.outcome.catch(() => {});
  }

  async press(...typed: readonly string[]): Promise<void> {
    for (const each of typed) {
      this.device.type(Buffer.from(each));
      await this.settle();
    }
  }

  async resize(size: Size): Promise<void> {
    await this.replay();
    this.device.size = size;
    this.emulator.resize(size);
    this.device.changeSize();
    await this.settle();
  }

  /** Until every question has been answered. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 4; ) {
      await nextTurn();
      quiet = this.answers.open === 0 && this.upkeep.open === 0 ? quiet + 1 : 0;
    }
    await this.replay();
  }

  toText(): string {
    return this.emulator.toText();
  }

  close(): void {
    for (const recall of this.recalls) recall.close();
  }

  private async replay(): Promise<void> {
    const { written } = this.device;
    await this.emulator.write(written.slice(this.replayed));
    this.replayed = written.length;
  }
}

/** Each test gets a home of its own, and the screens that it opens are closed after it. */
export function useDrives(setHome: (home: TempHome) => void): (options?: DriveOptions) => Promise<Drive> {
  let home: TempHome;
  let drives: Drive[];
  beforeEach(() => {
    home = new TempHome();
    drives = [];
    setHome(home);
  });
  afterEach(() => {
    for (const drive of drives) drive.close();
    home.remove();
  });
  return async (options) => {
    const drive = await Drive.open(home, options);
    drives.push(drive);
    return drive;
  };
}
