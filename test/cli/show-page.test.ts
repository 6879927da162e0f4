// The HTML page in a real browser: it folds, it loads nothing, and no text of a transcript becomes markup.
// Skipped where no Chromium is installed.

import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attacks, hasBrowser, startBrowser } from '../support/browser.ts';
import { assistantLine, at, TempHome, toolUse, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const hostile = attacks.join('\n\n');

describe.skipIf(!hasBrowser)('the page in Chromium (skipped: none is installed)', () => {
  const home = new TempHome();
  const file = join(home.path, 'page.html');
  const problems: string[] = [];
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const own = { isSidechain: true, agentId: 'a1b2c3d4', sessionId: id };
    home.writeSession(id, [
      { type: 'ai-title', aiTitle: attacks[3] },
      userLine(hostile, { timestamp: at(0), gitBranch: '<b>branch' }),
      assistantLine([toolUse('Bash', { command: `echo ${attacks[0]}` }, 't1')], { timestamp: at(1) }),
      assistantLine(hostile, { timestamp: at(2) }),
      assistantLine(`\`\`\`\n${hostile}`, { timestamp: at(3) }),
      assistantLine('| a | b |\n|--:|:-:|\n| 1 | 2 |\n\n```ts\nconst answer: number = 42;\n```', {
        timestamp: at(4),
      }),
      userLine(`This session is being continued. ${hostile}`, { timestamp: at(5), isCompactSummary: true }),
      userLine('thanks', { timestamp: at(6) }),
    ]);
    home.write(`projects/-home-u-shop/${id}/subagents/agent-a1b2c3d4.jsonl`, [
      userLine(hostile, { ...own, timestamp: at(2) }),
      assistantLine(hostile, { ...own, timestamp: at(3) }),
    ]);
    home.write(`projects/-home-u-shop/${id}/subagents/agent-a1b2c3d4.meta.json`, {
      agentType: attacks[1],
      description: attacks[4],
    });
    expect(runRecall(home, ['index']).code).toBe(0);
    expect(runRecall(home, ['show', id, '--tools=full', '--output', file]).code).toBe(0);
    browser = await startBrowser();
    page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (request.url() !== `file://${file}`) problems.push(`request: ${request.url()}`);
    });
    await page.goto(`file://${file}`);
  });

  afterAll(async () => {
    await browser?.close();
    home.remove();
  });

  test('a fold opens when it is clicked', async () => {
    const calls = page.locator('details.calls').first();
    const item = calls.locator('li').first();
    expect(await item.isVisible()).toBe(false);
    await calls.locator('summary').click();
    expect(await item.isVisible()).toBe(true);
    expect(await item.textContent()).toContain('echo <script>');
    const subagent = page.locator('details.subagent').first();
    expect(await subagent.locator('.said').first().isVisible()).toBe(false);
    await subagent.locator('summary').first().click();
    expect(await subagent.locator('.said').first().isVisible()).toBe(true);
  });

  test('every message has an anchor', async () => {
    await page.locator('.turn > h2 a').last().click();
    expect(new URL(page.url()).hash).toBe('#m6');
    expect(await page.locator('#m6').textContent()).toContain('thanks');
    expect(await page.locator('.said:target').count()).toBe(1);
  });

  test('a list of the prompts leads to each', async () => {
    const prompts = page.locator('nav details.prompts');
    expect(await prompts.locator('a').last().isVisible()).toBe(false);
    await prompts.locator('summary').click();
    await prompts.locator('a').first().click();
    expect(new URL(page.url()).hash).toBe('#m1');
    expect(await prompts.locator('a').first().textContent()).toContain('#1 <script>');
    expect(await prompts.locator('a').count()).toBe(2);
  });

  test('no text became markup', async () => {
    const found = await page.evaluate(() => ({
      elements: [...new Set([...document.querySelectorAll('*')].map((each) => each.localName))].sort(),
      handlers: [...document.querySelectorAll('*')].flatMap((each) =>
        each
          .getAttributeNames()
          .filter((name) => name.startsWith('on') || name === 'style' || name === 'src'),
      ),
      links: [...document.querySelectorAll('a')]
        .map((link) => link.getAttribute('href') ?? '')
        .filter((address) => !/^(#|https?:|mailto:)/.test(address)),
      headings: document.querySelectorAll('h1').length,
      pwned: 'pwned' in window,
    }));
    const ours =
      'a b body code dd details div dl dt footer h1 h2 head header html li main meta nav p pre section small span strong style summary table tbody td th thead time title tr ul';
    expect(found.elements.filter((name) => !ours.split(' ').includes(name))).toEqual([]);
    expect(found).toMatchObject({ handlers: [], links: [], headings: 1, pwned: false });
    expect(await page.locator('header h1').textContent()).toContain('</title></head>');
    expect(await page.locator('.person .said').first().textContent()).toContain(attacks[0]);
  });

  test('code is coloured, and a phone does not scroll sideways', async () => {
    expect(await page.locator('.hljs-keyword').first().textContent()).toBe('const');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  });

  test('there is a light and a dark theme', async () => {
    const paper = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme });
      return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    };
    expect(await paper('light')).toBe('rgb(255, 255, 255)');
    expect(await paper('dark')).toBe('rgb(21, 24, 28)');
  });

  // As if text had become markup after all: each way to run, load or send something is tried.
  test('the policy of the page forbids everything but its own style', async () => {
    const other = await browser.newPage();
    await other.goto(`file://${file}`);
    await other.evaluate(() => {
      const found = new Set<string>();
      Object.assign(window, { found });
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        found.add(`${effectiveDirective}: ${blockedURI.startsWith('https:') ? 'elsewhere' : blockedURI}`),
      );
      const add = (name: string, attributes: Record<string, string>, text = '') => {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        element.textContent = text;
        return document.body.appendChild(element);
      };
      const address = 'https://evil.example/x';
      add('script', {}, 'window.pwned = 1');
      add('script', { src: address });
      add('b', { onclick: 'window.pwned = 2' }).click();
      add('style', {}, 'body { display: none }');
      add('link', { rel: 'stylesheet', href: address });
      add('b', { style: 'color: red' });
      add('img', { src: address });
      add('img', { src: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' });
      add('audio', { src: address });
      add('iframe', { src: address });
      add('object', { data: address });
      add('base', { href: address });
      (add('form', { action: address }) as HTMLFormElement).submit();
      fetch(address).catch(() => {});
      new FontFace('x', `url(${address})`).load().catch(() => {});
    });
    const forbidden = () =>
      other.evaluate(() => [...(window as unknown as { found: Set<string> }).found].sort());
    await expect
      .poll(forbidden, { timeout: 20_000 })
      .toEqual([
        'base-uri: elsewhere',
        'connect-src: elsewhere',
        'font-src: elsewhere',
        'form-action: elsewhere',
        'frame-src: elsewhere',
        'img-src: data',
        'img-src: elsewhere',
        'media-src: elsewhere',
        'object-src: elsewhere',
        'script-src-attr: inline',
        'script-src-elem: elsewhere',
        'script-src-elem: inline',
        'style-src-attr: inline',
        'style-src-elem: elsewhere',
        'style-src-elem: inline',
      ]);
    expect(await other.evaluate(() => 'pwned' in window)).toBe(false);
    await other.close();
  });

  test('all of that without console output, errors or requests', () => {
    expect(problems).toEqual([]);
  });
});
