// recall web: serves the page on this machine and opens it in the browser, or opens the one that is being served.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { FlagsOf, Program } from '../command-line/commander.ts';
import type { Context, ToAction } from '../command-line/context.ts';
import { parseNumber } from '../command-line/session-flags.ts';
import { UserError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import type { RunningPage } from '../web/serve.ts';

export function define(program: Program, run: ToAction): void {
  addWeb(program).action(run(runWeb));
}

function addWeb(program: Program) {
  return program
    .command('web')
    .description('serve the page on your own machine, and open it in the browser')
    .argument('[words...]', 'open at this search, or at this session')
    .option('--port <n>', 'this port instead of 7325, or a free one if that is taken')
    .option('--no-open', 'only print an address, which works once')
    .option('--idle <minutes>', 'end so long after the last page was closed', '60');
}

type WebFlags = FlagsOf<typeof addWeb>;

async function runWeb(context: Context, words: readonly string[], flags: WebFlags): Promise<undefined> {
  const port =
    flags.port === undefined ? null : parseNumber('--port', flags.port, { least: 1, most: maxPort });
  const idleMs = parseNumber('--idle', flags.idle, idleMinutes) * 60_000;
  // Opens the index, or says what is wrong with it.
  const path = await findPath(context, words);
  const { findRunning, serveWeb, writePrivately } = await import('../web/serve.ts');
  const runPath = `${context.indexPath}.web.json`;
  const running = port === null ? await findRunning(runPath) : null;
  if (running !== null) {
    await present(context, running, { path, isOpening: flags.open, writePrivately });
    return;
  }
  const { recall, elapsedMs, signal, at } = context;
  const served = await serveWeb({
    recall,
    startThread: context.startUpkeep,
    pagePath: context.pagePath,
    runPath,
    port,
    idleMs,
    homeDir: at.homeDir,
    pid: context.pid,
    elapsedMs,
    signal,
    onError: (error) => context.warn(`recall: ${error instanceof Error ? error.stack : error}`),
  });
  const shown = await present(context, served, { path, isOpening: flags.open, writePrivately });
  const reason = await served.ended;
  shown.remove();
  if (reason === 'idle') context.note('recall: no page is open any more');
  else signal.throwIfAborted();
}

const maxPort = 65_535;
const idleMinutes = { what: 'a number of minutes', least: 0.01, most: 100_000, isWhole: false };

/** Of the page: that of a session if the one word names one, else a search. */
async function findPath(context: Context, words: readonly string[]): Promise<string> {
  const [first = '', ...others] = words;
  if (others.length === 0 && /^\S{4,}$/.test(first)) {
    const [, ref = first, position] = /^(.+):(\d{1,7})$/.exec(first) ?? [];
    try {
      const { askedId } = await context.recall.resume(ref);
      return `/session/${encodeURIComponent(askedId)}${position === undefined ? '' : `#${position}`}`;
    } catch (error) {
      if (!(error instanceof UserError) || error.code === 'ambiguous') throw error;
    }
  } else await context.recall.readState();
  return words.length === 0 ? '/' : `/search?q=${encodeURIComponent(words.join(' '))}`;
}

interface Presentation {
  readonly path: string;
  readonly isOpening: boolean;
  readonly writePrivately: (path: string, content: string) => void;
}

/** How long a file for the browser stays: it may be starting. */
const fileMs = 60_000;

/** The browser is given a file, so that the code is in no list of processes. */
async function present(
  context: Context,
  page: RunningPage,
  { path, isOpening, writePrivately }: Presentation,
): Promise<{ remove(): void }> {
  const [place = '/', message = ''] = path.split('#');
  const address = `${page.origin}${place}#code=${await page.makeCode()}${message === '' ? '' : `&message=${message}`}`;
  const file = `${context.indexPath}.web-${randomBytes(6).toString('hex')}.html`;
  const remove = () => rmSync(file, { force: true });
  if (!isOpening) {
    context.print(address);
    return { remove };
  }
  writePrivately(
    file,
    `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"><title>recall</title>`,
  );
  context.note(
    'ended' in page
      ? `recall: the page is at ${page.origin}; Ctrl-C ends it`
      : `recall: the page is already at ${page.origin}; opening it`,
  );
  const isOpened = await openBrowser(context, pathToFileURL(file).href);
  if (!isOpened) {
    remove();
    context.note(hint`recall: no browser could be started\n  try: ${recall('web', '--no-open')}`);
  } else if ('ended' in page) setTimeout(remove, fileMs).unref();
  else setTimeout(remove, 3000);
  return { remove };
}

async function openBrowser({ at }: Context, address: string): Promise<boolean> {
  const [program, ...args] =
    at.platform === 'darwin'
      ? ['open', address]
      : at.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', address]
        : ['xdg-open', address];
  return new Promise((resolve) => {
    const started = spawn(program as string, args, { stdio: 'ignore', detached: true, env: { ...at.env } });
    started.on('error', () => resolve(false));
    started.on('exit', (code) => resolve(code === 0 || code === null));
    // A browser that was not running stays.
    setTimeout(() => resolve(true), 2000).unref();
    started.unref();
  });
}
