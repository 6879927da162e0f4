// A real Chromium, where one is installed.

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const executablePath = places.find((place) => place !== '' && existsSync(place));
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const hasBrowser = executablePath !== undefined;

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args });
}

/** Texts that try to become markup, to run, or to load something. */
export const attacks = [
  '<script>window.pwned = 1</script>',
  '<img src="https://evil.example/x.png" onerror="window.pwned = 2">',
  '</style><style>body{display:none}</style>',
  '</title></head><body onload="window.pwned = 3">',
  '</div></section></main><h1>not ours</h1>',
  '<iframe srcdoc="<script>parent.pwned = 4</script>"></iframe>',
  '<!-- <details>',
  '<svg/onload=window.pwned=5>',
  '[click](javascript:window.pwned=6) [data](data:text/html,<script>alert(1)</script>)',
  '![pixel](https://evil.example/pixel.png)',
  '<a href="javascript:window.pwned=7">x</a>',
  '"><b>bold</b>',
  '``````` <b>',
  '```js"><script>window.pwned = 8</script>\nlet a = "</code></pre><script>window.pwned = 9</script>";\n```',
  '&#60;script&#62;window.pwned = 10&#60;/script&#62;',
];
