import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/app.js';
import { PATIENCE_MS } from '../support/until.js';

const root = path.resolve(import.meta.dirname, '../..');
const AXE = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
/** A browser of the machine. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** The built console, as the service serves it. */
export const builtConsole = path.join(root, 'dist/console');

/** A browser on the console of a service. */
export interface ConsoleBrowser {
  /** Opens a page of the console, logged in; `path` begins with a slash. Pages of one key share a session. */
  open(path: string, key?: string): Promise<Page>;
  /** Opens a page in a browser of its own, without a session. */
  visit(path: string): Promise<Page>;
  close(): Promise<void>;
}

export interface ConsoleTest extends Omit<ConsoleBrowser, 'close'> {
  readonly app: TestApp;
  stop(): Promise<void>;
}

/** The built console in Debian's chromium, on a service of its own. */
export async function startConsoleTest(options: TestAppOptions = {}): Promise<ConsoleTest> {
  requireBrowser();
  execFileSync(process.execPath, [path.join(root, 'scripts/build-console.mjs')]);
  const app = await startTestApp(options);
  const { open, visit, close } = await openBrowser(app.url, app.key);
  const stop = async (): Promise<void> => {
    await close();
    await app.stop();
  };
  return { app, open, visit, stop };
}

export function requireBrowser(): void {
  if (!existsSync(CHROMIUM))
    throw new Error(`There is no browser at ${CHROMIUM}: install chromium, or name one in CHROMIUM.`);
}

export async function openBrowser(url: string, ownKey: string): Promise<ConsoleBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const newContext = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  const openIn = async (context: BrowserContext, where: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${url}/console${where}`);
    return page;
  };
  const sessions = new Map<string, Promise<BrowserContext>>();
  const beginSession = async (key: string): Promise<BrowserContext> => {
    const context = await newContext();
    const page = await openIn(context, '/plans');
    await logIn(page, key);
    await page.locator('main h1').waitFor();
    await page.close();
    return context;
  };
  return {
    visit: async (where) => openIn(await newContext(), where),
    open: async (where, key = ownKey) => {
      const session = sessions.get(key) ?? beginSession(key);
      sessions.set(key, session);
      const page = await openIn(await session, where);
      await page.locator('main h1').waitFor();
      return page;
    },
    close: () => browser.close(),
  };
}

export async function logIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('API key', { exact: true }).waitFor({ state: 'detached' });
}

/** Waits until the page shows what it has asked for. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page
    .locator('main [aria-label=Loading], main [aria-busy=true]')
    .first()
    .waitFor({ state: 'detached' });
}

/** Rules of accessibility that the page breaks seriously, with the elements that do. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // By the protocol of the browser: the page's policy lets no script in.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

/** Globals of the browser that the functions sent to it use. */
interface BrowserGlobals {
  readonly document: { readonly documentElement: { readonly scrollWidth: number } };
}

/** The width in pixels that the page needs; more than that of the window makes it scroll sideways. */
export const neededWidth = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as BrowserGlobals).document.documentElement.scrollWidth);
