import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { PATIENCE_MS } from '../support/until.js';

/** The headless shell is Chromium without windows: specs take a third less processor time in it. */
const [SHELL, BROWSER] = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
/** Path of the installed browser. */
const CHROMIUM = process.env['CHROMIUM'] ?? (existsSync(SHELL) ? SHELL : BROWSER);

/** All pages share one process, which keeps what it has compiled of the console (docs/tooling.md#tests). */
const ONE_PROCESS = ['--renderer-process-limit=1', '--disable-site-isolation-trials'];

export function requireBrowser(): void {
  if (!existsSync(CHROMIUM))
    throw new Error(`There is no browser at ${CHROMIUM}: install chromium, or name one in CHROMIUM.`);
}

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', ...ONE_PROCESS],
    timeout: PATIENCE_MS,
  });
