// The page in a real browser, as a person uses it. Skipped where no Chromium is installed.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attacks, hasBrowser, startBrowser } from '../support/browser.ts';
import { assistantLine, at, type Line, TempHome, toolUse, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';
import { RunningWeb } from '../support/web.ts';

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const hostile = attacks.join('\n\n');
/** One red pixel. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

const toId = (n: number) => `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [okapiId, longId, hostileId, deletedId, growingId] = [1, 2, 3, 4, 5].map(toId) as [
  string,
  string,
  string,
  string,
  string,
];
const longCount = 1500;

function result(id: string, content: unknown, isError = false): Line {
  return userLine([{ type: 'tool_result', tool_use_id: id, content, is_error: isError }]);
}

const patch = '*** Begin Patch\n*** Update File: gnu.ts\n@@\n-old gnu\n+new gnu\n same\n*** End Patch';

function writeHome(home: TempHome): void {
  const edit = {
    file_path: '/home/u/shop/src/okapi.ts',
    old_string: 'const legs = 3;\nrun();',
    new_string: 'const legs = 4;\nrun();',
  };
  home.writeSession(okapiId, [
    { type: 'ai-title', aiTitle: 'Okapi legs' },
    userLine('why does the okapi stumble', { timestamp: at(0) }),
    assistantLine([toolUse('Bash', { command: 'npm test' }, 't1')], { timestamp: at(1) }),
    result('t1', `FAIL okapi.test.ts\n${'more output of the run\n'.repeat(200)}the last line of it`, true),
    assistantLine([toolUse('Edit', edit, 't2')], { timestamp: at(2) }),
    result('t2', 'The file was edited.'),
    assistantLine([toolUse('Read', { file_path: '/home/u/shop/okapi.png' }, 't3')], { timestamp: at(3) }),
    result('t3', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } }]),
    assistantLine(
      [
        toolUse('Write', { file_path: '/home/u/shop/zebra.txt', content: 'one stripe\ntwo stripes' }, 't4'),
        toolUse('apply_patch', { input: patch }, 't5'),
      ],
      { timestamp: at(3) },
    ),
    result('t4', 'written'),
    result('t5', 'patched'),
    assistantLine('It had **three** legs.\n\n```ts\nconst legs: number = 4;\n```', { timestamp: at(4) }),
    userLine(
      [
        { type: 'text', text: 'does it look right? [Image #1]' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
      ],
      { timestamp: at(5) },
    ),
    assistantLine('Yes, the okapi walks.', { timestamp: at(6) }),
  ]);
  const long: Line[] = [];
  for (let i = 1; i <= longCount / 2; i++) {
    long.push(
      userLine(`question ${i} about the giraffe`, {
        timestamp: at(i, '2026-02-01'),
        cwd: '/home/u/zoo',
        gitBranch: 'feat/zoo',
      }),
    );
    long.push(
      assistantLine(
        `answer ${i}${i === 400 ? ' mentions a quokka' : ''}\n\n${'some words of it. '.repeat(i % 30)}`,
        { timestamp: at(i, '2026-02-01'), cwd: '/home/u/zoo', gitBranch: 'feat/zoo' },
      ),
    );
  }
  home.writeSession(longId, long, '-home-u-zoo');
  home.writeSession(
    hostileId,
    [
      { type: 'ai-title', aiTitle: attacks[3] },
      userLine(`hostile ${hostile}`, { timestamp: at(0), gitBranch: '<b>branch', cwd: '/home/u/<i>evil' }),
      assistantLine(
        [
          toolUse('Bash', { command: `echo ${attacks[0]}` }, 'h1'),
          toolUse('<b>Tool', { query: hostile }, 'h2'),
        ],
        { timestamp: at(1) },
      ),
      result('h1', hostile, true),
      result('h2', [
        { type: 'text', text: hostile },
        {
          type: 'image',
          source: {
            type: 'base64',
            media_type: 'image/svg+xml',
            data: Buffer.from(
              `<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=11">${'x'.repeat(99)}</svg>`,
            ).toString('base64'),
          },
        },
      ]),
      assistantLine(hostile, { timestamp: at(2) }),
      userLine(`This session is being continued. ${hostile}`, { timestamp: at(5), isCompactSummary: true }),
    ],
    '-home-u--i-evil',
  );
  home.writeSession(deletedId, [
    userLine('the wombat digs', { timestamp: at(9) }),
    assistantLine('It does.', { timestamp: at(10) }),
  ]);
  home.writeSession(growingId, [
    userLine('the emu runs', { timestamp: at(20) }),
    assistantLine('It does.', { timestamp: at(21) }),
  ]);
}

describe.skipIf(!hasBrowser)('the page in Chromium (skipped: none is installed)', () => {
  const home = new TempHome();
  const problems: string[] = [];
  let web: RunningWeb;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const origin = () => web.address.origin;
  const go = async (path: string) => {
    await page.goto(`${origin()}${path}`);
    await page.locator('main > *').first().waitFor();
  };
  const pathOf = () => page.url().slice(origin().length);

  beforeAll(async () => {
    writeHome(home);
    runRecall(home, ['archive', 'on']);
    expect(runRecall(home, ['index']).code).toBe(0);
    rmSync(join(home.claudeDir, `projects/-home-u-shop/${deletedId}.jsonl`));
    runRecall(home, ['index']);
    web = await RunningWeb.start(home);
    browser = await startBrowser();
    context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on('console', (message) => problems.push(`console: ${message.text()} ${message.location().url}`));
    page.on('response', (answer) => {
      if (answer.status() === 404) problems.push(`404: ${answer.url()} on ${page.url()}`);
    });
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      const { origin: asked, protocol } = new URL(request.url());
      if (asked !== origin() && protocol !== 'blob:') problems.push(`request: ${request.url()}`);
    });
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        console.error(`violates ${effectiveDirective}: ${blockedURI}`),
      );
    });
  });
  afterAll(async () => {
    await browser?.close();
    await web?.stop('SIGKILL');
    home.remove();
  });

  test('opens with a code, which leaves the address', async () => {
    await page.goto(web.address.href);
    await page.locator('.sessions li').first().waitFor();
    expect(page.url()).toBe(`${origin()}/`);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('box');
    expect(await page.locator('.day > h2').allTextContents()).toContain('Thu, Mar 5');
    expect(await page.evaluate(() => Object.keys(window.localStorage))).toEqual([
      'recall-token',
      'recall-home',
    ]);
    expect((await web.exchange()).status).toBe(401);
    web.token = await page.evaluate(() => window.localStorage.getItem('recall-token') ?? '');
  });

  test('finds while one types, and Back leads back', async () => {
    await page.locator('#box').pressSequentially('okapi stum', { delay: 5 });
    await page.locator('.passages mark').first().waitFor();
    await expect.poll(pathOf).toBe('/search?q=okapi+stum');
    await expect.poll(() => page.locator('.passages mark', { hasText: /^stumble$/i }).count()).not.toBe(0);
    await expect.poll(() => page.locator('.sessions h3').allTextContents()).toEqual(['Okapi legs']);
    expect(await page.locator('.results [role=status]').textContent()).toContain('1 session');
    await page.goBack();
    await expect.poll(pathOf).toBe('/');
    await expect.poll(() => page.locator('#box').inputValue()).toBe('');
    await page.goForward();
    await page.locator('.passages mark').first().waitFor();
    await expect.poll(() => page.locator('#box').inputValue()).toBe('okapi stum');
  });

  test('what was found in a tool is shown as such; nothing found says what to try', async () => {
    await go('/search?q=FAIL+okapi.test');
    await page.locator('.passages .tool').first().waitFor();
    expect(await page.locator('.passages .tool .who').first().textContent()).toContain('Bash');
    await go('/search?q=zzzqqqxxx');
    expect(await page.locator('.nothing').textContent()).toContain('Nothing found for “zzzqqqxxx”');
    expect(await page.locator('.nothing .hint').first().textContent()).toContain('fewer or different words');
    await go('/search?q=okapi&project=%2Fhome%2Fu%2Fzoo');
    expect(await page.locator('.nothing').textContent()).toContain('project');
  });

  test('filters at the side, and a time to drag over', async () => {
    await go('/search?q=');
    await page.locator('.facets .bars a', { hasText: '/home/u/zoo' }).click();
    await expect.poll(() => page.locator('.sessions > li').count()).toBe(1);
    expect(pathOf()).toBe('/search?q=&project=%2Fhome%2Fu%2Fzoo'.replace('q=&', ''));
    await page.locator('.chip').click();
    await expect.poll(() => page.locator('.sessions > li').count()).toBe(5);
    const box = (await page.locator('.histogram').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width * 0.6, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => page.locator('.sessions > li').count()).toBe(4);
    expect(pathOf()).toMatch(/since=2026-0[23]-\d\d&until=2026-03-05/);
    await page.reload();
    await expect.poll(() => page.locator('.sessions > li').count()).toBe(4);
    await page.locator('.parts a', { hasText: 'done' }).click();
    expect(pathOf()).toContain('in=done');
    await page.goBack();
    await page.goBack();
    await expect.poll(() => page.locator('.sessions > li').count()).toBe(5);
  });

  test('a session: facts, resume line, Markdown as in the export, tool calls on demand', async () => {
    await go(`/session/${okapiId}?q=okapi`);
    expect(await page.locator('h1').textContent()).toBe('Okapi legs');
    expect(await page.title()).toBe('Okapi legs – recall');
    await page.locator('.resume button').click();
    await page.locator('.message', { hasText: 'copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`claude -r ${okapiId}`);
    await page.locator('.said strong', { hasText: 'three' }).waitFor();
    expect(await page.locator('.hljs-keyword').first().textContent()).toBe('const');
    const calls = page.locator('details.calls').first();
    if (!(await calls.evaluate((each) => (each as HTMLDetailsElement).open)))
      await calls.locator('summary').click();
    const bash = calls.locator('.call', { hasText: 'npm test' });
    expect(await bash.locator('em').textContent()).toBe('failed');
    if ((await bash.locator('button').first().getAttribute('aria-expanded')) === 'false')
      await bash.locator('button').first().click();
    await bash.locator('pre').waitFor();
    expect(await bash.textContent()).not.toContain('the last line of it');
    await bash.getByText('show all', { exact: true }).click();
    await bash.getByText('the last line of it').waitFor();
    await bash.getByText('show less', { exact: true }).click();
    await expect.poll(() => bash.textContent()).not.toContain('the last line of it');
    const edit = calls.locator('.call', { hasText: 'okapi.ts' });
    if ((await edit.locator('button').first().getAttribute('aria-expanded')) === 'false')
      await edit.locator('button').first().click();
    await edit.locator('.diff').waitFor();
    expect(await edit.locator('.diff .removed').allTextContents()).toEqual(['- const legs = 3;\n']);
    expect(await edit.locator('.diff .added').allTextContents()).toEqual(['+ const legs = 4;\n']);
    expect(await edit.locator('.diff .same').allTextContents()).toEqual(['  run();\n']);
    for (const [name, added, removed] of [
      ['zebra.txt', ['+ one stripe\n', '+ two stripes\n'], []],
      ['apply_patch', ['+ new gnu\n'], ['- old gnu\n']],
    ] as const) {
      const call = calls.locator('.call', { hasText: name });
      if ((await call.locator('button').first().getAttribute('aria-expanded')) === 'false')
        await call.locator('button').first().click();
      await call.locator('.diff').waitFor();
      expect(await call.locator('.diff .added').allTextContents()).toEqual(added);
      expect(await call.locator('.diff .removed').allTextContents()).toEqual(removed);
    }
    // Open already: what it was given matches.
    await calls.locator('img.picture').waitFor();
    expect(await calls.locator('img.picture').getAttribute('src')).toMatch(/^blob:/);
    expect(
      await calls.locator('img.picture').evaluate((each) => (each as HTMLImageElement).naturalWidth),
    ).toBe(1);
    await page.locator('.person img.picture').waitFor();
  });

  test('the next and the previous match, and a link to a message that survives', async () => {
    await go(`/session/${okapiId}?q=okapi#1`);
    await page.locator('.find output', { hasText: /^1 of \d/ }).waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => pathOf()).toMatch(/#[2-9]$/);
    const second = pathOf();
    await page.keyboard.press('N');
    await expect.poll(() => pathOf()).toMatch(/#1$/);
    await go(second);
    await page.locator(`.aim#m${second.split('#')[1]}`).waitFor();
    await page.locator('#find').fill('walks');
    await page.locator('.find output', { hasText: '1 of 1' }).waitFor();
    expect(pathOf()).toContain('find=walks');
  });

  test('export as a file', async () => {
    await go(`/session/${okapiId}`);
    await page.locator('.head .more summary').click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Markdown' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${okapiId}.md`);
    expect(readFileSync(await file.path(), 'utf8')).toContain('It had **three** legs.');
  });

  test('of a long conversation only what is near is in the document, wherever it is opened', async () => {
    const started = performance.now();
    await go(`/session/${longId}#1100`);
    await page.locator('.aim#m1100').waitFor();
    expect(performance.now() - started).toBeLessThan(5000);
    const isInView = () =>
      page.locator('#m1100').evaluate((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return bottom > 0 && top < window.innerHeight;
      });
    expect(await isInView()).toBe(true);
    expect(await page.locator('.said').count()).toBeLessThan(400);
    await page.keyboard.press('Control+f');
    await page.locator('.message', { hasText: /in the \d+ messages that are loaded, of 1,500;/ }).waitFor();
    await expect
      .poll(() => page.locator('.outline [aria-current=true]').textContent())
      .toContain('question 550');
    await page.locator('#find').fill('quokka');
    await page.locator('.find output', { hasText: '1 of 1' }).waitFor();
    // While it is typed, and again by key from elsewhere.
    const isFound = () => expect.poll(() => page.locator('.aim mark').allTextContents()).toEqual(['quokka']);
    await isFound();
    await page.locator('#find').press('Escape');
    await page.keyboard.press('g');
    await page.locator('.aim#m1').waitFor();
    await page.keyboard.press('n');
    await isFound();
    await page.locator('h2').first().click();
    await page.keyboard.press('G');
    await page.locator('#m1500').waitFor();
    await page.keyboard.press('g');
    await page.locator('#m1').waitFor();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  });

  test('a session grows while one looks, and the end stays in view', async () => {
    await go(`/session/${growingId}`);
    await page.locator('.said', { hasText: 'It does.' }).waitFor();
    await page.waitForTimeout(300);
    // More than one stretch of messages: the last one of the first is drawn again when another follows it.
    for (let i = 1; i <= 60; i++)
      home.append(`projects/-home-u-shop/${growingId}.jsonl`, [
        assistantLine(`line ${i} of the emu\n\nand more`, { timestamp: at(30 + i) }),
      ]);
    await page.locator('.said', { hasText: 'line 60 of the emu' }).waitFor();
    await page.locator('#m61, #m62').last().waitFor();
    expect(await page.locator('.said').count()).toBe(62);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForTimeout(100);
    home.append(`projects/-home-u-shop/${growingId}.jsonl`, [
      assistantLine('the emu stops here', { timestamp: at(95) }),
    ]);
    const last = page.locator('.said', { hasText: 'the emu stops here' });
    await last.waitFor();
    await expect
      .poll(() => last.evaluate((each) => each.getBoundingClientRect().top < window.innerHeight))
      .toBe(true);
  });

  test('a session that is open in its program says what speaks against resuming it', async () => {
    await go(`/session/${okapiId}`);
    expect(await page.locator('.warning').count()).toBe(0);
    const open = { pid: process.pid, sessionId: okapiId, cwd: '/home/u/shop' };
    home.write(`sessions/${process.pid}.json`, open);
    await go(`/session/${okapiId}`);
    expect(await page.locator('.warning').textContent()).toBe(
      `Take care: this session is running now in /home/u/shop (process ${process.pid}), and two programs would write to one transcript.`,
    );
    rmSync(join(home.claudeDir, 'sessions'), { recursive: true });
  });

  test('one stream for a page, closed while it is hidden', async () => {
    const streams: string[] = [];
    page.on('request', (request) => request.url().includes('/api/events') && streams.push('open'));
    page.on('requestfailed', (request) => request.url().includes('/api/events') && streams.push('closed'));
    await go('/');
    await expect.poll(() => streams).toContain('open');
    streams.length = 0;
    const hide = (isHidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await hide(true);
    await expect.poll(() => streams).toEqual(['closed']);
    await hide(false);
    await expect.poll(() => streams).toEqual(['closed', 'open']);
    // And nothing is asked while nothing happens.
    await page.waitForTimeout(500);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.waitForTimeout(1500);
    expect(asked).toEqual([]);
  });

  test('a star, a name, tags and a note, which are found again', async () => {
    await go(`/session/${okapiId}`);
    await page.getByRole('button', { name: 'Star' }).click();
    await page.getByRole('button', { name: 'Starred', pressed: true }).waitFor();
    for (const [what, value] of [
      ['Name…', 'Legs of the okapi'],
      ['Tags…', 'Zoo, legs'],
      ['Note…', 'ask the keeper <b>'],
    ] as const) {
      await page.getByRole('button', { name: what }).click();
      await page.locator('dialog input').fill(value);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('dialog').isVisible()).toBe(false);
      await page.locator('.message', { hasText: 'saved' }).waitFor();
      await expect.poll(() => page.locator('.head').textContent()).toContain(value.split(',').at(-1)?.trim());
    }
    await page.locator('.head .badge', { hasText: '#zoo' }).click();
    await page.locator('.chip', { hasText: 'tag: zoo' }).waitFor();
    await expect.poll(() => page.locator('.sessions h3').allTextContents()).toEqual(['★ Legs of the okapi']);
    await go(`/session/${okapiId}`);
    await page.getByRole('button', { name: 'Tags…' }).click();
    await page.locator('dialog input').fill('legs');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.locator('.head .badge').allTextContents()).toEqual(['#legs']);
  });

  test('restores a deleted session, after a question', async () => {
    await go(`/session/${deletedId}`);
    expect(await page.locator('.warning').textContent()).toContain('transcript was deleted');
    await page.getByRole('button', { name: 'Restore…' }).click();
    expect(await page.locator('dialog').textContent()).toContain('the wombat digs');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.locator('dialog').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Restore…' }).click();
    await page.getByRole('button', { name: 'Restore it' }).click();
    await page.locator('.message', { hasText: 'restored' }).waitFor();
    expect(readFileSync(join(home.claudeDir, `projects/-home-u-shop/${deletedId}.jsonl`), 'utf8')).toContain(
      'wombat',
    );
    await expect.poll(() => page.locator('.warning').count()).toBe(0);
  });

  test('forgets a session, after a question that names it', async () => {
    await go(`/session/${deletedId}`);
    await page.locator('.head .more summary').click();
    await page.getByRole('button', { name: 'Forget…' }).click();
    await page.locator('dialog', { hasText: '“the wombat digs”' }).waitFor();
    await page.keyboard.press('Escape');
    expect((await web.json<{ total: number }>('search?q=wombat')).total).toBe(1);
    await page.getByRole('button', { name: 'Forget…' }).click();
    await page.getByRole('button', { name: 'Forget it' }).click();
    await page.locator('.message', { hasText: 'removed' }).waitFor();
    expect(pathOf()).toBe('/');
    expect((await web.json<{ total: number }>('search?q=wombat')).total).toBe(0);
  });

  test('an address that is spelt wrongly says so instead of staying empty', async () => {
    await go('/session/%E0%A4%A#%');
    await page.locator('.nothing[role=alert]').waitFor();
  });

  test('by keyboard only', async () => {
    await go('/');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('box');
    await page.keyboard.type('giraffe');
    await page.locator('.passages mark').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('.sessions') !== null))
      .toBe(true);
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('box');
    await page.locator('#box').fill('');
    await expect.poll(pathOf).toBe('/');
    await page.locator('.day .sessions > li').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    const title = await page.locator('.sessions li.chosen h3').textContent();
    await page.keyboard.press('y');
    await page.locator('.message', { hasText: 'copied' }).waitFor();
    await page.keyboard.press('?');
    await page.locator('dialog[open] kbd', { hasText: 'j ↓' }).first().waitFor();
    expect(await page.locator('dialog').textContent()).toContain(
      'the next match of what was found, or of the query',
    );
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    // From the row and from the empty box.
    await page.keyboard.press('/');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('h1').textContent()).toBe(title);
    await go(`/session/${okapiId}`);
    await page.locator('details.calls').first().waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('t');
    await expect.poll(() => page.locator('details.calls[open]').count()).toBe(1);
    await page.keyboard.press('t');
    await expect.poll(() => page.locator('details.calls[open]').count()).toBe(0);
  });

  test('activity, projects, files and health', async () => {
    await go('/activity');
    expect(await page.locator('.totals').textContent()).toContain('sessions');
    await page.locator('.calendar a[aria-label^="2026-03-05"]').click();
    expect(pathOf()).toBe('/search?since=2026-03-05&until=2026-03-05');
    await go('/activity?project=%2Fhome%2Fu%2Fzoo');
    await expect.poll(() => page.locator('.totals b').first().textContent()).toBe('1');
    await go('/projects');
    await page.locator('td a', { hasText: '/home/u/zoo' }).click();
    await expect.poll(() => page.locator('.sessions > li').count()).toBe(1);
    await go('/files?path=okapi.ts');
    await page.locator('.touched', { hasText: 'Edit ×1' }).waitFor();
    await go('/health');
    await page.locator('.health dd', { hasText: 'integrity ok' }).waitFor();
    expect(await page.locator('.health dl').textContent()).toContain('messages');
  });

  const views = () => [
    '/',
    '/search?q=okapi',
    '/search?q=zzzqqq',
    '/search?q=okapi&project=%2Fnowhere',
    `/session/${okapiId}?q=okapi`,
    `/session/${hostileId}`,
    '/activity',
    '/projects',
    '/files',
    '/files?path=okapi.ts',
    '/health',
  ];
  /** Run as the browser's own tools run scripts, which the page's policy does not forbid. */
  const findSerious = async () => {
    await page.evaluate(axe);
    return page.evaluate(async () => {
      const { violations } = await (
        window as unknown as {
          axe: {
            run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
          };
        }
      ).axe.run();
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
    });
  };

  test.each(['light', 'dark'] as const)(
    'nothing serious by axe on any view, %s; a phone does not scroll sideways',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      for (const size of [
        { width: 1280, height: 800 },
        { width: 390, height: 844 },
      ]) {
        await page.setViewportSize(size);
        for (const path of views()) {
          await go(path);
          await page.waitForTimeout(120);
          expect([
            path,
            await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
          ]).toEqual([path, 0]);
          if (size.width === 390 && colorScheme === 'dark') continue;
          const found = await findSerious();
          expect([path, size.width, found]).toEqual([path, size.width, []]);
        }
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await go(`/session/${okapiId}`);
      await page.locator('.head .more summary').click();
      for (const open of ['.help', 'text=Note…', 'text=Forget…']) {
        await page.locator(open).click();
        await page.locator('dialog[open]').waitFor();
        expect([open, await findSerious()]).toEqual([open, []]);
        await page.keyboard.press('Escape');
      }
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(paper).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(21, 24, 28)');
      await page.emulateMedia({ colorScheme: 'light' });
    },
  );

  test('no text of a transcript becomes markup, runs or loads anything', async () => {
    for (const path of [
      '/',
      '/search?q=hostile',
      `/session/${hostileId}?q=hostile`,
      '/activity',
      '/projects',
      '/files?path=evil',
    ]) {
      await go(path);
      await page.waitForTimeout(150);
      if (path.startsWith('/session')) {
        await page.locator('.recap summary').click();
        const folded = page.locator('details.calls:not([open]) > summary');
        const closed = page.locator('.call > button[aria-expanded=false]');
        // A click may come before the page has drawn what the one before it did.
        const openNext = async () => {
          for (const each of [folded, closed])
            if ((await each.count()) > 0) {
              await each.first().click();
              return false;
            }
          return page.locator('.detail pre').last().isVisible();
        };
        await expect.poll(openNext, { timeout: 10_000 }).toBe(true);
        expect(await page.locator('img').count()).toBe(0);
        expect(await page.locator('h1').textContent()).toContain('</title></head>');
      }
      const found = await page.evaluate(() => ({
        elements: [...new Set([...document.querySelectorAll('body *')].map((each) => each.localName))],
        handlers: [...document.querySelectorAll('body *')].flatMap((each) =>
          each.getAttributeNames().filter((name) => name.startsWith('on') || name === 'srcdoc'),
        ),
        links: [...document.querySelectorAll('a')]
          .map((link) => link.getAttribute('href') ?? '')
          .filter((address) => !/^([#/]|https?:|mailto:)/.test(address)),
        headings: document.querySelectorAll('h1').length,
        pwned: 'pwned' in window,
      }));
      expect(found).toMatchObject({ handlers: [], links: [], pwned: false });
      expect(found.headings).toBeLessThan(2);
      expect(
        found.elements.filter((name) =>
          ['script', 'style', 'iframe', 'object', 'embed', 'base', 'link', 'meta'].includes(name),
        ),
      ).toEqual([]);
    }
  });

  test('all of that without console output, errors, violations of the policy or requests elsewhere', () => {
    // There is no session of the address that is spelt wrongly, which the browser also says, now or later.
    expect(problems.filter((each) => !(each.includes('404') && each.includes('%25E0%25A4%25A')))).toEqual([]);
  });

  test('without a token, and after the server has ended, the page says what to do', async () => {
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(`${origin()}/session/${okapiId}`);
    await stranger.locator('h1', { hasText: 'needs a token' }).waitFor();
    expect(await stranger.locator('main').textContent()).toContain('recall web');
    expect(await stranger.content()).not.toContain('Okapi legs');
    await go('/');
    await web.stop();
    await page.locator('h1', { hasText: 'has ended' }).waitFor();
  });
});
