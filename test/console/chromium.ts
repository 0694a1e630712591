import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
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

let shared: Promise<Browser> | undefined;

/**
 * Opens the browser that the spec files of a worker share: a start takes as much processor time as two pages. It ends with its
 * worker. A run without workers has one for each file, as an open browser would keep the process alive.
 */
export async function openChromium(): Promise<{ browser: Browser; close: () => Promise<void> }> {
  if (isMainThread) {
    const browser = await launchChromium();
    return { browser, close: () => browser.close() };
  }
  if (!(await shared)?.isConnected()) shared = launchChromium();
  const browser = await shared!;
  const others = new Set(browser.contexts());
  const close = async (): Promise<void> => {
    for (const context of browser.contexts()) if (!others.has(context)) await context.close();
  };
  return { browser, close };
}
