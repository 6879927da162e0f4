// The program: the context of each command, the one place that catches errors, and the exit code.

import { availableParallelism, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommanderError } from 'commander';
import type { Host } from './api/host.ts';
import { Recall } from './api/recall.ts';
import { getRoots } from './api/roots.ts';
import type { GlobalFlags } from './command-line/commander.ts';
import { type Context, fitTo } from './command-line/context.ts';
import { toGivenFlags } from './command-line/given-flags.ts';
import { ProgressDisplay } from './command-line/progress-display.ts';
import { putCommandFirst } from './command-line/put-command-first.ts';
import { separateWords } from './command-line/separate-words.ts';
import { readConfig, type Surroundings, toIndexPath } from './config.ts';
import { EXIT_ERROR, EXIT_OK, UserError } from './errors.ts';
import { toHintText } from './hints.ts';
import {
  confirm,
  elapsedMs,
  findSignalCode,
  handOver,
  noTerminal,
  readCwd,
  readTerminal,
  stopOnSignals,
  stopSignal,
  write,
} from './process.ts';
import { buildProgram } from './program.ts';
import { toJsonText } from './render/json-text.ts';
import { toEventNote } from './render/notes.ts';
import { toProgressLine, toUpgradeLine } from './render/progress-line.ts';
import { toPrintable } from './text/printable.ts';

/** The built program, which is CommonJS. */
declare const __filename: string;

/** Repeated in hints. */
let givenFlags = '';
/** For errors that SQLite reports without naming the file. */
let indexPath = '';

/** What only some commands need is created on first use: much of Node.js is loaded only then. */
function toContext(flags: GlobalFlags): Context {
  const at = { env: process.env, homeDir: homedir(), platform: process.platform, cwd: readCwd() };
  const quiet = flags.quiet ?? false;
  indexPath = toIndexPath(flags.db, at);
  const roots = () => getRoots({ claude: flags.claudeDir ?? [] }, at);
  const note: Context['note'] = (text) => {
    if (!quiet) write(2, `${fitTo(readTerminal('stderr'), toHintText(text, givenFlags))}\n`);
  };
  let recall: Recall | null = null;
  return {
    get recall() {
      recall ??= new Recall(makeHost(at, roots, note, quiet));
      return recall;
    },
    at,
    indexPath,
    roots,
    givenFlags,
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
    get stderr() {
      return quiet ? noTerminal : readTerminal('stderr');
    },
    get isInteractive() {
      return process.stdin.isTTY ?? false;
    },
    now: () => new Date(),
    get signal() {
      return stopSignal();
    },
    print: (text) => write(1, `${text}\n`),
    note,
    warn: (text) => write(2, `${fitTo(readTerminal('stderr'), text)}\n`),
    handOver,
    confirm,
  };
}

/** Calls in quick succession check the files only once. */
const freshForMs = 1000;

function makeHost(at: Surroundings, roots: Host['roots'], note: Context['note'], quiet: boolean): Host {
  const progress = new ProgressDisplay({
    get terminal() {
      return quiet ? noTerminal : readTerminal('stderr');
    },
    elapsedMs,
    line: note,
    redraw: (text) => write(2, `\r\x1b[2K${text}`),
  });
  return {
    at,
    indexPath,
    roots,
    config: () => readConfig(at),
    now: () => new Date(),
    elapsedMs,
    pid: process.pid,
    get signal() {
      return stopSignal();
    },
    get threads() {
      return { workerPath: join(dirname(__filename), 'read-worker.cjs'), cores: availableParallelism() };
    },
    freshForMs,
    onEvent: (event) => {
      if (event.type === 'progress') progress.show((...at) => toProgressLine(event.progress, ...at));
      else if (event.type === 'upgrading') progress.show(() => toUpgradeLine(event.progress));
      else if (event.type === 'progress-end') progress.clear();
      const text = toEventNote(event);
      if (text !== null) note(text);
    },
  };
}

function printError(error: unknown, isJson: boolean): number {
  const signalCode = findSignalCode();
  if (signalCode !== null) return signalCode;
  // commander has already printed its help or version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_ERROR;
  if (error instanceof UserError) {
    const hint = error.hint === undefined ? undefined : toHintText(error.hint, givenFlags);
    if (isJson && error.code !== 'no-output') printJsonError(error.code, error.message, hint);
    else printComplaint(`recall: ${error.message}\n${hint === undefined ? '' : `  try: ${hint}\n`}`);
    return error.exitCode;
  }
  const stack = error instanceof Error ? error.stack : String(error);
  if (isJson) printJsonError('internal', error instanceof Error ? error.message : String(error), undefined);
  printComplaint(`recall: internal error\n${stack}\n`);
  return EXIT_ERROR;
}

/** Error messages repeat what was typed and names of files, which must not act on the terminal. */
function printComplaint(text: string): void {
  write(2, fitTo(readTerminal('stderr'), toPrintable(text)));
}

function printJsonError(code: string, message: string, hint: string | undefined): void {
  write(1, `${toJsonText({ error: { code, message, hint: hint ?? null } })}\n`);
}

async function main(argv: readonly string[]): Promise<void> {
  stopOnSignals();
  const setExitCode = (code: number) => {
    process.exitCode = code;
  };
  const output = {
    writeOut: (text: string) => write(1, fitTo(readTerminal('stdout'), text)),
    writeErr: printComplaint,
  };
  const program = await buildProgram({ toContext, setExitCode, output }, argv);
  givenFlags = toGivenFlags(argv);
  const isJson = argv.includes('--json');
  const ordered = separateWords(program, putCommandFirst(program, argv));
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(ordered, { from: 'user' });
  } catch (error) {
    const isUsage = error instanceof CommanderError && error.exitCode !== 0;
    // Without a command, the help has already been printed.
    const isReported = isUsage && error.code === 'commander.help' && !isJson;
    const reason =
      isUsage && !isReported
        ? (await import('./command-line/usage-error.ts')).toUsageError(error, program, ordered)
        : error;
    process.exitCode = printError(reason, isJson);
  }
}

void main(process.argv.slice(2));
