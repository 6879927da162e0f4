// How the page feels, as counts and ratios: the real program and a real browser, beside `recall list` and the same searches in this
// process.
//   node scripts/run-ts.mjs bench/web.ts [--messages 60000] [--dir <folder>] [--json]

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openRecall } from '../src/library.ts';
import { startBrowser } from '../test/support/browser.ts';
import { keepHome } from './home/keep-home.ts';
import { toGrowthHome } from './options.ts';
import { median } from './statistics.ts';

const program = resolve('dist/recall.cjs');
const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '60000' },
    dir: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const longSession = 5000;
const longId = 'bbbbbbbb-0000-4000-8000-000000000001';

const work = mkdtempSync(join(tmpdir(), 'recall-web-'));
try {
  await main();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const { name, shape } = toGrowthHome(Number(values.messages));
  const folder = join(values.dir ?? join(work, 'homes'), name);
  mkdirSync(folder, { recursive: true });
  const home = keepHome(folder, shape);
  const db = join(work, 'recall.db');
  const own = join(work, 'claude');
  writeLong(own);
  const env = { PATH: process.env.PATH ?? '', HOME: work, RECALL_DB: db, TZ: 'UTC' };
  const dirs = ['--claude-dir', home.claudeDir, '--claude-dir', own];
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [program, ...dirs, ...args], { env, cwd: work });
  run('index', '--quiet');
  const { selective, common } = home.facts.queries;
  const queries = [...selective, common.split(' ').slice(0, 2).join(' ')];
  const started = await measureStart(env, dirs, () => run('list'));
  const { server, address } = await start(env, dirs);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(address);
    await page.locator('.sessions li').first().waitFor();
    const keys = await measureKeys(page, queries);
    const served = await measureAnswers(page, { db, env, claudeDirs: [home.claudeDir, own] }, queries);
    const sessions = await measureSessions(page, new URL(address).origin);
    const idle = await measureIdle(server);
    const report = {
      messages: Number(values.messages),
      ...started,
      ...keys,
      ...served,
      ...sessions,
      ...idle,
    };
    console.log(values.json ? JSON.stringify(report) : toTable(report));
  } finally {
    await browser.close();
    server.kill('SIGINT');
    await once(server, 'exit');
  }
}

function writeLong(claudeDir: string): void {
  const path = join(claudeDir, 'projects', '-home-u-long', `${longId}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const lines = Array.from({ length: longSession }, (_, i) => {
    const role = i % 2 === 0 ? 'user' : 'assistant';
    const text = `message ${i + 1}: ${'a sentence about the middleware and its tests. '.repeat(1 + (i % 12))}`;
    const content =
      role === 'user' ? text : [{ type: 'text', text: `${text}\n\n\`\`\`ts\nconst n = ${i};\n\`\`\`` }];
    const uuid = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const timestamp = new Date(Date.UTC(2026, 1, 1) + i * 60_000).toISOString();
    return JSON.stringify({
      type: role,
      uuid,
      timestamp,
      cwd: '/home/u/long',
      sessionId: longId,
      message: { role, content },
    });
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
}

async function start(env: Record<string, string>, dirs: readonly string[]) {
  const server = spawn(process.execPath, [program, ...dirs, 'web', '--no-open'], {
    env,
    cwd: work,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(server.stdout, 'data');
  return { server, address: String(line).trim() };
}

/** From starting it to its address, which is printed when it can be asked. */
async function measureStart(env: Record<string, string>, dirs: readonly string[], list: () => void) {
  const [ready, lists]: [number[], number[]] = [[], []];
  for (let i = 0; i < 7; i++) {
    const startedAtMs = performance.now();
    const { server } = await start(env, dirs);
    ready.push(performance.now() - startedAtMs);
    server.kill('SIGINT');
    await once(server, 'exit');
    const listedAtMs = performance.now();
    list();
    lists.push(performance.now() - listedAtMs);
  }
  return { readyMs: median(ready), readyOfList: median(ready.map((ms, i) => ms / (lists[i] ?? Number.NaN))) };
}

/** From a key to the frame with its results: while they are those of other words, the list says that it is busy. */
async function measureKeys(page: Page, queries: readonly string[]) {
  await page.evaluate(() => {
    const found = { times: [] as number[] };
    Object.assign(window, { found });
    let pressedAtMs = 0;
    document.addEventListener('keydown', () => {
      pressedAtMs = performance.now();
    });
    new MutationObserver(() => {
      const isDone = document.querySelector('.results')?.getAttribute('aria-busy') === 'false';
      if (pressedAtMs === 0 || !isDone) return;
      const from = pressedAtMs;
      pressedAtMs = 0;
      requestAnimationFrame(() => setTimeout(() => found.times.push(performance.now() - from)));
    }).observe(document.querySelector('main') as Element, {
      childList: true,
      subtree: true,
      attributeFilter: ['aria-busy'],
    });
  });
  for (const query of queries) {
    await page.locator('#box').fill('');
    await page.waitForTimeout(300);
    for (const key of query) {
      await page.keyboard.press(key === ' ' ? 'Space' : key);
      await page.waitForTimeout(220);
    }
  }
  const times = await page.evaluate(() => (window as unknown as { found: { times: number[] } }).found.times);
  return { keys: times.length, keyP50: quantile(times, 0.5), keyP95: quantile(times, 0.95) };
}

interface Where {
  readonly db: string;
  readonly env: Record<string, string>;
  readonly claudeDirs: readonly string[];
}

/** The server's answer, as the page gets it, beside the same search here. */
async function measureAnswers(page: Page, where: Where, queries: readonly string[]) {
  const recall = openRecall({ ...where, cwd: work });
  const ratios: number[] = [];
  for (const query of [...queries, ...queries, ...queries]) {
    const servedMs = await page.evaluate(async (words) => {
      const headers = { Authorization: `Bearer ${window.localStorage.getItem('recall-token')}` };
      const startedAtMs = performance.now();
      const address = `/api/search?q=${encodeURIComponent(words)}&limit=30&facets=1`;
      await (await fetch(address, { headers })).json();
      return performance.now() - startedAtMs;
    }, query);
    const startedAtMs = performance.now();
    await recall.search({ query, limit: 30, positions: true, facets: true }, { refresh: false });
    ratios.push(servedMs / (performance.now() - startedAtMs));
  }
  recall.close();
  return { answerOfSearch: median(ratios.slice(queries.length)) };
}

/** A session of 5,000 messages, from its address to its text in view: at its start, and in the middle. */
async function measureSessions(page: Page, origin: string) {
  const times: Record<string, number> = {};
  for (const [name, position] of [
    ['sessionMs', 1],
    ['middleMs', 3333],
  ] as const) {
    const runs: number[] = [];
    for (let i = 0; i < 5; i++) {
      await page.goto(`${origin}/health`);
      await page.locator('h1').waitFor();
      const took = await page.evaluate(
        async ([id, at]) => {
          const startedAtMs = performance.now();
          const link = document.createElement('a');
          link.href = `/session/${id}#${at}`;
          document.body.append(link);
          link.click();
          link.remove();
          while (document.getElementById(`m${at}`) === null)
            await new Promise((done) => requestAnimationFrame(done));
          return performance.now() - startedAtMs;
        },
        [longId, position] as const,
      );
      runs.push(took);
    }
    times[name] = median(runs);
  }
  return times;
}

/** Of the server, with a page open. */
async function measureIdle(server: ChildProcess) {
  const read = () => {
    const stat = readFileSync(`/proc/${server.pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    const status = readFileSync(`/proc/${server.pid}/status`, 'latin1');
    return {
      cpuMs: (Number(stat[11]) + Number(stat[12])) * 10,
      peakMb: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024,
    };
  };
  await sleep(3000);
  const before = read();
  await sleep(3000);
  const after = read();
  return { idleCpuMsPerSecond: (after.cpuMs - before.cpuMs) / 3, peakMb: after.peakMb };
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function toTable(report: Readonly<Record<string, number>>): string {
  return Object.entries(report)
    .map(([name, value]) => `${name.padEnd(20)} ${Number.isInteger(value) ? value : value.toFixed(2)}`)
    .join('\n');
}
