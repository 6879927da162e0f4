// The program: the context of each command, and the one place that catches errors.

import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommanderError } from 'commander';
import type { Host } from './api/host.ts';
import { Recall } from './api/recall.ts';
import { buildHost } from './build-host.ts';
import {
  arrangeForCommander,
  findCommand,
  findGivenFlags,
  isForScreen,
  parseGivenRoots,
  readFirstWord,
} from './command-line/argv.ts';
import type { GlobalFlags, Program } from './command-line/commander.ts';
import type { Context } from './command-line/context.ts';
import { reportError, toUsageError } from './command-line/error-report.ts';
import type { OpenTerminal } from './commands/screen-command.ts';
import { UserError } from './errors.ts';
import { hint, recall as recallHint, toHintText } from './hints.ts';
import {
  askSecret,
  confirm,
  findSignalCode,
  findTerminalName,
  handOver,
  mayBeTerminal,
  noTerminal,
  ProgressDisplay,
  readCwd,
  readTerminal,
  stopOnSignals,
  stopSignal,
  write,
} from './process.ts';
import { buildProgram, type Shell } from './program.ts';
import { fitTo } from './render/columns.ts';
import { formatProgress, formatUpgrade } from './render/index-summary.ts';
import { findEventNote } from './render/notes.ts';
import type { ScreenWorkerData } from './screen-worker.ts';
import { toPrintable } from './text/printable.ts';

declare const __filename: string;

let givenFlags = '';
/** What was typed, if it was not a command. */
let implied: readonly string[] | null = null;

/** What only some commands need is created on first use: much of Node.js is loaded only then. */
function buildContext(flags: GlobalFlags): Context {
  const quiet = flags.quiet ?? false;
  const note: Context['note'] = (text) => {
    if (!quiet) write(2, `${fitTo(readTerminal('stderr'), toHintText(text, givenFlags))}\n`);
  };
  const host = buildHost({
    ...toHostOptions(flags),
    signal: stopSignal,
    terminal: findTerminalName,
    onEvent: (event) => report(event),
  });
  const report = buildReporter(host, note, quiet);
  let recall: Recall | null = null;
  return {
    get recall() {
      recall ??= new Recall(host);
      return recall;
    },
    at: host.at,
    indexPath: host.indexPath,
    roots: host.roots,
    givenFlags,
    implied,
    json: flags.json ?? false,
    quiet,
    verbose: flags.verbose ?? false,
    get useColor() {
      return (
        flags.color === 'always' ||
        (flags.color === 'auto' && !process.env.NO_COLOR && readTerminal('stdout').isTerminal)
      );
    },
    get stdout() {
      return readTerminal('stdout');
    },
    get isInteractive() {
      return process.stdin.isTTY ?? false;
    },
    pagePath: join(dirname(__filename), 'web'),
    startUpkeep: () => startThread(toHostOptions(flags), 'upkeep', { project: [], directory: [] }),
    now: host.now,
    pid: host.pid,
    get signal() {
      return stopSignal();
    },
    print: (text) => write(1, `${text}\n`),
    printBytes: (bytes) => write(1, bytes),
    note,
    warn: (text) => write(2, `${fitTo(readTerminal('stderr'), text)}\n`),
    elapsedMs: host.elapsedMs,
    handOver,
    askSecret,
    confirm,
  };
}

function toHostOptions(flags: GlobalFlags): ScreenWorkerData['host'] {
  return {
    at: { env: process.env, homeDir: homedir(), platform: process.platform, cwd: readCwd() },
    db: flags.db,
    // A command may have a flag of its own with the opposite meaning.
    archive: typeof flags.archive === 'string' ? flags.archive : undefined,
    givenRoots: parseGivenRoots(flags),
    workerPath: join(dirname(__filename), 'read-worker.cjs'),
  };
}

async function openTerminal(flags: GlobalFlags): ReturnType<OpenTerminal> {
  const { ProcessDevice } = await import('./terminal.ts');
  const host = toHostOptions(flags);
  const useColor = flags.color === 'always' || (flags.color === 'auto' && !host.at.env.NO_COLOR);
  return {
    device: new ProcessDevice(),
    startThread: (role, within) => startThread(host, role, within),
    useColor,
  };
}

async function startThread(
  host: ScreenWorkerData['host'],
  role: ScreenWorkerData['role'],
  within: ScreenWorkerData['within'],
) {
  const { Worker } = await import('node:worker_threads');
  const env = { ...host.at.env };
  const workerData: ScreenWorkerData = { role, within, host: { ...host, at: { ...host.at, env } } };
  // A warning that node prints in a thread would be drawn over the screen.
  return new Worker(join(dirname(__filename), 'screen-worker.cjs'), {
    workerData,
    env,
    stdout: true,
    stderr: true,
    // What is read is short-lived; a larger nursery only takes more memory.
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 },
  });
}

function buildReporter({ elapsedMs }: Host, note: Context['note'], quiet: boolean): Host['onEvent'] {
  const progress = new ProgressDisplay({
    get terminal() {
      return quiet ? noTerminal : readTerminal('stderr');
    },
    elapsedMs,
    line: note,
    redraw: (text) => write(2, `\r\x1b[2K${text}`),
  });
  let saidOf: string | null = null;
  return (event) => {
    if (event.type === 'progress') progress.show((...at) => formatProgress(event.progress, ...at));
    else if (event.type === 'upgrading') progress.show(() => formatUpgrade(event.progress));
    else if (event.type === 'progress-end') progress.clear();
    else if ('progress' in event)
      progress.show((...at) => formatProgress(event.progress, ...at, `${event.type} `));
    // A command that looks a session up twice says once which list its number is from.
    if (event.type === 'numbered' && event.ref === saidOf) return;
    if (event.type === 'numbered') saidOf = event.ref;
    const text = findEventNote(event, new Date());
    if (text !== null) note(text);
  };
}

/** What was typed and names of files must not act on the terminal. */
function printComplaint(text: string): void {
  write(2, fitTo(readTerminal('stderr'), toPrintable(text)));
}

const shell: Shell = {
  buildContext,
  setExitCode: (code) => {
    process.exitCode = code;
  },
  output: { writeOut: (text) => write(1, fitTo(readTerminal('stdout'), text)), writeErr: printComplaint },
  findScreen,
};

async function main(argv: readonly string[]): Promise<void> {
  stopOnSignals();
  givenFlags = findGivenFlags(argv);
  const isJson = argv.includes('--json');
  let program: Program | null = null;
  try {
    const line = readFirstWord(argv);
    program = await buildProgram(shell, line.argv);
    if (isWithoutScreen(program, argv)) return program.outputHelp();
    const arranged = arrangeForCommander(program, line);
    implied = arranged.implied;
    await program.parseAsync([...arranged.argv], { from: 'user' });
  } catch (error) {
    const isUsage = error instanceof CommanderError && error.exitCode !== 0;
    // Without a command, the help has already been printed.
    const isReported = isUsage && error.code === 'commander.help' && !isJson;
    const reason = isUsage && !isReported && program !== null ? toUsageError(error, program) : error;
    const signalCode = findSignalCode();
    const { exitCode, json, complaint } = reportError(reason, isJson, givenFlags);
    process.exitCode = signalCode ?? exitCode;
    if (signalCode !== null) return;
    write(1, json);
    if (complaint !== '') printComplaint(complaint);
  }
}

/** Without a command the screen opens, where there is a terminal for it. */
async function findScreen(isPrinting: boolean): Promise<OpenTerminal | null> {
  if (!mayBeTerminal(0) || !(isPrinting || mayBeTerminal(1))) return null;
  if (!process.stdin.isTTY || !(isPrinting || process.stdout.isTTY)) return null;
  return (await import('./terminal.ts')).canDraw() ? openTerminal : null;
}

/** `recall` alone where no screen was opened. Whoever runs what `--print` prints must not get the help. */
function isWithoutScreen(program: Program, argv: readonly string[]): boolean {
  const isAsked = isForScreen(argv);
  if (program.commands.length === 0 || (!isAsked && findCommand(argv, program.options) >= 0)) return false;
  if ((isAsked || argv.includes('--print')) && !argv.includes('--help') && !argv.includes('-h'))
    throw new UserError(`recall ${isAsked ? '--screen' : '--print'} needs a terminal to choose on`, {
      code: 'no-terminal',
      hint: hint`without one: ${recallHint('search', '<words>')}, then ${recallHint('open', '1')}`,
    });
  return argv.length === 0 || argv.includes('--no-screen');
}

void main(process.argv.slice(2));
