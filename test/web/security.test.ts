// Nobody but the person who started it gets anything from the page's server: each rule by plain HTTP, beside the same request that
// keeps to it and is answered.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changes, questions } from '../../src/web/routes.ts';
import { assistantLine, TempHome, userLine } from '../support/home.ts';
import { finish, runRecall, startRecall, toEnv } from '../support/program.ts';
import { askAt, RunningWeb } from '../support/web.ts';

const home = new TempHome();
const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>';
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
/** Says that it is SVG, whatever it is. */
const toImage = (bytes: string | Buffer) => ({
  type: 'image',
  source: {
    type: 'base64',
    media_type: 'image/svg+xml',
    data: Buffer.from(bytes as string).toString('base64'),
  },
});
let web: RunningWeb;
let first: { readonly code: string; readonly token: string };

beforeAll(async () => {
  home.writeSession(id, [
    userLine('where do okapis live'),
    assistantLine('In the Ituri forest.'),
    userLine([
      { type: 'text', text: 'and these? [Image #1]' },
      ...[svg, '<html><script>1</script></html>', Buffer.from(pixel, 'base64')].map((bytes) =>
        toImage(bytes),
      ),
    ]),
  ]);
  expect(runRecall(home, ['index']).code).toBe(0);
  web = await RunningWeb.start(home);
  const { code } = web;
  first = { code, token: JSON.parse((await web.exchange()).body).token };
  web.token = first.token;
  const socket = connect(web.port, '127.0.0.1');
  socket.write('GET /api/search HTTP/1.1\r\nHost: ');
  cutOff = new Promise((resolve) => {
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('close', () => resolve(text));
  });
});
afterAll(async () => {
  await web?.stop('SIGKILL');
  home.remove();
});

/** What is sent back to a request that never ends, when it is cut off. Started early, because that takes some seconds. */
let cutOff: Promise<string>;

const status = async (asked: Promise<{ readonly status: number }>) => (await asked).status;
const search = '/api/search?q=okapis';

describe('the token', () => {
  test('whoever has it is answered, and nobody else', async () => {
    const found = await web.get(search);
    expect(found.status).toBe(200);
    expect(JSON.parse(found.body).hits).toMatchObject([{ id }]);
    const wrong = [
      undefined,
      '',
      'Bearer ',
      'Bearer undefined',
      `Bearer ${first.token}x`,
      first.token,
      `Basic ${first.token}`,
    ];
    for (const Authorization of wrong)
      expect(await status(web.ask(search, { headers: { Authorization } }))).toBe(401);
    expect(await status(web.ask(`${search}&token=${first.token}`))).toBe(401);
    expect(
      await status(
        web.ask(search, { headers: { Cookie: `token=${first.token}; recall-token=${first.token}` } }),
      ),
    ).toBe(401);
  });

  test('every route needs it', async () => {
    for (const name of [...questions, ...changes, 'image', 'export', 'events', 'nothing']) {
      expect([name, await status(web.ask(`/api/${name}?id=${id}`))]).toEqual([name, 401]);
      const post = web.ask(`/api/${name}`, { method: 'POST', body: JSON.stringify({ id }) });
      expect([name, await status(post)]).toEqual([name, 401]);
    }
  });

  test('a browser that comes without one is shown what to do', async () => {
    const { status: code, headers, body } = await web.ask(search, { headers: { Accept: 'text/html' } });
    expect({ code, type: headers['content-type'] }).toEqual({ code: 401, type: 'text/html; charset=utf-8' });
    expect(body).toContain('recall web');
    expect(body).not.toContain('okapi');
  });

  test('no cookie is set anywhere', async () => {
    for (const path of ['/', '/page.js', search])
      expect((await web.get(path)).headers['set-cookie']).toBeUndefined();
  });

  test('the page itself is the same for everybody and holds nothing of anybody', async () => {
    const { status: code, body } = await web.ask('/session/whatever');
    expect(code).toBe(200);
    expect(body).toBe(readFileSync('dist/web/index.html', 'utf8'));
    for (const path of [
      '/../package.json',
      '/%2e%2e/program.cjs',
      '/web.json',
      '/page.js/..%2f..%2fprogram.cjs',
    ])
      expect(await status(web.ask(path))).toBe(404);
  });
});

describe('the code', () => {
  test('is worth a token once', async () => {
    expect(first.token).toMatch(/^[\w-]{43}$/);
    expect(first.code).toMatch(/^[\w-]{24}$/);
    expect(await status(web.exchange(first.code))).toBe(401);
    for (const code of ['', 'x', null, 7, first.token, [first.code]])
      expect(await status(web.ask('/api/token', { method: 'POST', body: JSON.stringify({ code }) }))).toBe(
        401,
      );
  });

  test('is not the token, and in no file but that of the browser', () => {
    const folder = dirname(home.indexPath);
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name));
      expect([name, bytes.includes(first.token), bytes.includes(first.code)]).toEqual([name, false, false]);
    }
  });

  test('another recall web gets a fresh one from the running page, and says nothing else', async () => {
    const second = await finish(startRecall(home, ['web', '--no-open', 'okapis']));
    const address = new URL(second.stdout.trim());
    expect({ code: second.code, origin: address.origin, path: address.pathname + address.search }).toEqual({
      code: 0,
      origin: web.address.origin,
      path: '/search?q=okapis',
    });
    const [, code = ''] = /^#code=(.*)$/.exec(address.hash) ?? [];
    expect(code).not.toBe(first.code);
    expect(JSON.parse((await web.exchange(code)).body)).toEqual({ token: first.token, homeDir: home.path });
  });

  test('only whoever can read the private file gets one', async () => {
    const run = `${home.indexPath}.web.json`;
    expect(statSync(run).mode & 0o777).toBe(0o600);
    const { secret } = JSON.parse(readFileSync(run, 'utf8'));
    const guesses = [
      {},
      { nonce: 'n' },
      { nonce: 'n', proof: 'n' },
      { nonce: 'n', proof: secret },
      { nonce: 'n', proof: first.token },
    ];
    for (const body of guesses)
      expect(await status(web.ask('/api/code', { method: 'POST', body: JSON.stringify(body) }))).toBe(401);
  });
});

describe('other pages and other machines', () => {
  test('a name that was pointed at this machine is not a host', async () => {
    const hosts = [
      'evil.example',
      `evil.example:${web.port}`,
      '127.0.0.1',
      'localhost',
      `127.0.0.1:${web.port + 1}`,
      `127.0.0.1.evil.example:${web.port}`,
      `0.0.0.0:${web.port}`,
    ];
    for (const Host of hosts) {
      expect([Host, await status(web.get(search, { headers: { Host } }))]).toEqual([Host, 403]);
      expect([Host, await status(web.ask('/', { headers: { Host } }))]).toEqual([Host, 403]);
    }
    for (const name of ['127.0.0.1', '[::1]', 'localhost'])
      expect(await status(web.get(search, { headers: { Host: `${name}:${web.port}` } }))).toBe(200);
  });

  test('it listens on 127.0.0.1 and ::1, and on no other address', async () => {
    expect(await status(askAt(web.port, '/', { host: '127.0.0.1' }))).toBe(200);
    const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    if (interfaces.some(({ address }) => address === '::1'))
      expect(await status(askAt(web.port, '/', { host: '::1' }))).toBe(200);
    const others = interfaces
      .filter(({ internal, scopeid }) => !internal && !scopeid)
      .map(({ address }) => address);
    for (const host of [...others, '127.0.0.2'])
      await expect(askAt(web.port, '/', { host }), host).rejects.toThrow(
        /ECONNREFUSED|EADDRNOTAVAIL|EHOSTUNREACH|ENETUNREACH/,
      );
    if (existsSync('/proc/net/tcp')) {
      const hex = web.port.toString(16).toUpperCase().padStart(4, '0');
      const open = ['tcp', 'tcp6'].flatMap((file) => readFileSync(`/proc/net/${file}`, 'utf8').split('\n'));
      const listening = open.filter((line) => new RegExp(`^ *\\d+: \\w+:${hex} \\w+:0000 0A`).test(line));
      const places = listening.map((line) => line.trim().split(/\s+/)[1]?.split(':')[0]).sort();
      expect(
        places.filter((place) => place !== '0100007F' && place !== '00000000000000000000000001000000'),
      ).toEqual([]);
      expect(places).toContain('0100007F');
    }
  });

  test('what changes something must come from the page itself', async () => {
    const body = JSON.stringify({ id: 'ffffffff' });
    const post = (headers: Record<string, string | undefined>) =>
      status(web.get('/api/restore', { method: 'POST', body, headers }));
    // As the page asks: it is refused only because there is no such session.
    expect(await post({})).toBe(404);
    for (const Origin of [
      undefined,
      'null',
      'http://evil.example',
      `https://127.0.0.1:${web.port}`,
      `http://127.0.0.1:${web.port + 1}`,
      `http://localhost:${web.port}`,
    ])
      expect([Origin, await post({ Origin })]).toEqual([Origin, 403]);
    expect(await post({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await post({ 'Sec-Fetch-Site': 'same-site' })).toBe(403);
    for (const type of [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonp',
    ])
      expect([type, await post({ 'Content-Type': type })]).toEqual([type, 415]);
  });

  test('nothing is changed by GET, nor by other methods', async () => {
    for (const name of ['forget', 'restore', 'label', 'token', 'code'])
      expect([name, await status(web.get(`/api/${name}?id=${id}`))]).toEqual([name, 404]);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])
      expect([method, await status(web.get('/api/forget', { method }))]).toEqual([method, 405]);
    expect(await status(web.post('/api/search', { q: 'okapis' }))).toBe(404);
    expect((await web.json<{ total: number }>('search?q=okapis')).total).toBe(1);
  });

  test('labels are set by POST, and only what a label may be', async () => {
    expect(await status(web.post('/api/label', { id, starred: true, tags: ['Quokka'], db: '/tmp/x' }))).toBe(
      200,
    );
    const found = await web.json<{ hits: { labels: object }[] }>('search?q=tag:quokka');
    expect(found.hits.map(({ labels }) => labels)).toEqual([
      { name: null, starred: true, tags: ['quokka'], notes: [] },
    ]);
    expect(await status(web.post('/api/label', { id, tags: 'x' }))).toBe(400);
    expect(await status(web.post('/api/label', { id, name: 7 }))).toBe(400);
  });

  test('no other page may read an answer: no CORS header, whoever asks', async () => {
    const Origin = 'http://evil.example';
    for (const path of ['/', '/page.js', search]) {
      const { headers } = await web.get(path, { headers: { Origin } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    const preflight = {
      Origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    };
    const { status: code, headers } = await web.ask('/api/forget', { method: 'OPTIONS', headers: preflight });
    expect(code).toBe(405);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(
      await status(
        web.get(search, { headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' } }),
      ),
    ).toBe(403);
  });

  test('an image is what its bytes say: never SVG or HTML, whatever the transcript calls it', async () => {
    const images = '/api/images?line=3&id=';
    expect(JSON.parse((await web.get(images + id)).body)).toEqual({ count: 1 });
    const image = await web.get(`/api/image?line=3&image=0&id=${id}`);
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png']);
    expect(image.bytes.toString('base64')).toBe(pixel);
    expect(await status(web.get(`/api/image?line=3&image=1&id=${id}`))).toBe(404);
  });

  test.each([
    ['html', 'text/html', '<!doctype html>'],
    ['markdown', 'text/markdown', 'In the Ituri forest.'],
    ['json', 'application/json', '"In the Ituri forest."'],
  ])('an export as %s is a download', async (format, type, text) => {
    const { headers, body } = await web.get(`/api/export?id=${id}&format=${format}`);
    expect(headers).toMatchObject({
      'content-type': `${type}; charset=utf-8`,
      'content-disposition': 'attachment',
    });
    expect(body).toContain(text);
  });

  test('every answer forbids what the page does not need', async () => {
    const answers = [
      '/',
      '/page.js',
      '/page.css',
      '/icon.svg',
      search,
      '/nothing',
      '/api/nothing',
      `/api/export?id=${id}`,
    ];
    for (const path of answers) {
      const { headers } = await web.get(path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain("form-action 'none'");
      expect(policy).not.toMatch(/unsafe|data:|https?:|\*/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
    }
    expect((await web.get(`/api/export?id=${id}`)).headers['content-disposition']).toBe('attachment');
  });
});

describe('limits', () => {
  test('the length of an address, of a query and of a body', async () => {
    expect(await status(web.get(`/api/search?q=${'a'.repeat(1000)}`))).toBe(200);
    expect(await status(web.get(`/api/search?q=${'a'.repeat(1001)}`))).toBe(413);
    expect(await status(web.get(`/api/search?q=a&x=${'&'.repeat(4096)}`))).toBe(414);
    expect(await status(web.post('/api/restore', { id: 'a'.repeat(10_000) }))).toBe(404);
    expect(
      await status(web.post('/api/restore', { id: 'a'.repeat(20_000) }).catch(() => ({ status: 413 }))),
    ).toBe(413);
    for (const body of ['', '[]', '"x"', '{', 'null'])
      expect(await status(web.get('/api/restore', { method: 'POST', body }))).toBe(400);
    expect(await status(web.post('/api/restore', { id: 7 }))).toBe(400);
    expect(await status(web.get(`/api/search?q=a&limit=100000`))).toBe(400);
    expect(await status(web.get(`/api/messages?id=${id}&from=1&count=100000`))).toBe(400);
  });

  test('the number of streams', async () => {
    const open = await Promise.all(Array.from({ length: 16 }, () => openStream(web)));
    expect(open.map((each) => each.status)).toEqual(Array(16).fill('200'));
    expect(await status(web.get('/api/events'))).toBe(429);
    open[0]?.close();
    await expect
      .poll(async () => {
        const next = await openStream(web);
        next.close();
        return next.status;
      })
      .toBe('200');
    for (const each of open) each.close();
  });

  test('an address that is none is refused, and is not a bug of ours', async () => {
    for (const path of ['//', 'http://[', '/\\\\:x'])
      expect([path, (await status(web.ask(path))) < 500]).toEqual([path, true]);
  });

  test('a broken request costs itself', async () => {
    for (const text of [
      '\0\0\0\r\n\r\n',
      'GET / HTTP/9\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(5000)}\r\n`,
    ]) {
      const socket = connect(web.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume().end(text);
      await new Promise((resolve) => socket.on('close', resolve));
    }
    expect(await status(web.get(search))).toBe(200);
  });
});

describe('the browser is given a file', () => {
  test('that only its owner can read, and no secret is in a list of processes', async () => {
    using other = new TempHome();
    other.writeSession(id, [userLine('okapi'), assistantLine('yes')]);
    runRecall(other, ['index']);
    const bin = join(other.path, 'bin');
    mkdirSync(bin);
    const note = join(other.path, 'opened');
    writeFileSync(
      join(bin, 'xdg-open'),
      `#!/bin/sh\necho "$1" > ${note}\nps -eo args > ${note}.part 2>/dev/null; mv ${note}.part ${note}.ps\n`,
    );
    chmodSync(join(bin, 'xdg-open'), 0o755);
    const child = startRecall(other, ['web', `${id.slice(0, 8)}:2`], {
      env: { PATH: `${bin}:${process.env.PATH}` },
    });
    let said = '';
    child.stderr?.on('data', (data) => {
      said += data;
    });
    try {
      await expect.poll(() => existsSync(`${note}.ps`), { timeout: 20_000 }).toBe(true);
      const file = new URL(readFileSync(note, 'utf8').trim());
      expect(file.protocol).toBe('file:');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(home.indexPath)).mode & 0o777).toBe(0o700);
      const content = readFileSync(file, 'utf8');
      const [, address = ''] = /url=([^"]+)"/.exec(content) ?? [];
      const [, port, path, code = ''] =
        /^http:\/\/127\.0\.0\.1:(\d+)(\/[^#]*)#code=([\w-]+)&amp;message=2$/.exec(address) ?? [];
      expect(path).toBe(`/session/${id}`);
      await expect
        .poll(() => said, { timeout: 20_000 })
        .toMatch(/^recall: the page is at http:\/\/127\.0\.0\.1:\d+; Ctrl-C ends it\n$/);
      const listed = readFileSync(`${note}.ps`, 'utf8');
      expect(listed).toContain('web');
      expect(listed).not.toContain(code);
      const exchanged = await askAt(Number(port), '/api/token', {
        method: 'POST',
        body: JSON.stringify({ code }),
      });
      expect(listed).not.toContain(JSON.parse(exchanged.body).token);
      expect(content).not.toContain(JSON.parse(exchanged.body).token);
    } finally {
      child.kill('SIGINT');
      await finish(child);
    }
    expect(readdirSync(dirname(other.indexPath)).filter((name) => name.includes('.web'))).toEqual([]);
  });

  test('somebody else’s server on the port of a run that has ended is not opened', async () => {
    using other = new TempHome();
    runRecall(other, ['index']);
    let asked = '';
    const impostor = createServer(async (request, response) => {
      for await (const chunk of request) asked += chunk;
      response.end(JSON.stringify({ code: 'x', proof: 'x' }));
    });
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
    const { port } = impostor.address() as { port: number };
    const run = `${other.indexPath}.web.json`;
    writeFileSync(run, JSON.stringify({ port, pid: 1, secret: 'the-secret' }), { mode: 0o600 });
    const started = await RunningWeb.start(other);
    expect(started.port).not.toBe(port);
    expect(asked).toContain('nonce');
    expect(asked).not.toContain('the-secret');
    await started.stop();
    impostor.close();
  });
});

describe('the run', () => {
  test('ends with Ctrl-C and leaves nothing behind', async () => {
    using other = new TempHome();
    const started = await RunningWeb.start(other);
    expect(existsSync(`${other.indexPath}.web.json`)).toBe(true);
    expect(await started.stop()).toBe(130);
    expect(readdirSync(dirname(other.indexPath)).filter((name) => name.includes('web'))).toEqual([]);
  });

  test('ends by itself some time after the last page was closed, and not while one is open', async () => {
    using other = new TempHome();
    const started = await (await RunningWeb.start(other, ['--idle', '0.02'])).unlock();
    const page = await openStream(started);
    await sleep(2500);
    expect(started.child.exitCode).toBeNull();
    const ended = finish(started.child);
    page.close();
    expect(await ended).toMatchObject({ code: 0, stderr: 'recall: no page is open any more\n' });
  });

  test('a port that is taken: refused if it was asked for, else another one', async () => {
    using other = new TempHome();
    const taken = await finish(startRecall(other, ['web', '--no-open', '--port', String(web.port)]));
    expect(taken).toMatchObject({ code: 2, stdout: '' });
    expect(taken.stderr).toContain(`port ${web.port} is taken`);
    const started = await RunningWeb.start(other);
    expect(started.port).not.toBe(web.port);
    await started.stop();
  });

  test.each([
    ['--port', '0'],
    ['--port', '65536'],
    ['--port', 'x'],
    ['--idle', '0'],
    ['--idle', 'soon'],
  ])('%s %s is refused', (flag, value) => {
    expect(runRecall(home, ['web', flag, value])).toMatchObject({ code: 2, stdout: '' });
  });

  test('there is no way to listen elsewhere', () => {
    const help = runRecall(home, ['web', '--help']).stdout;
    expect(help).not.toMatch(/--(host|bind|listen|address)/);
    const { stderr } = spawnSync(process.execPath, ['dist/recall.cjs', 'web', '--host', '0.0.0.0'], {
      env: toEnv(home),
      encoding: 'utf8',
    });
    expect(stderr).toContain("unknown option '--host'");
    expect(basename(home.indexPath)).toBe('recall.db');
  });
});

test('a request that never ends is cut off', async () => {
  const late = sleep(30_000).then(() => 'still open');
  expect(await Promise.race([cutOff, late])).toMatch(/^(HTTP\/1.1 408|$)/);
});

async function openStream(of: RunningWeb): Promise<{ readonly status: string; close(): void }> {
  const socket = connect(of.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${of.port}\r\nAuthorization: Bearer ${of.token}\r\n\r\n`,
  );
  const head = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  return { status: head.split(' ')[1] ?? '', close: () => socket.destroy() };
}
