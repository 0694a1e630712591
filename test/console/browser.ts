import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/app.js';
import { PATIENCE_MS } from '../support/until.js';
import { openChromium, requireBrowser } from './chromium.js';

const root = path.resolve(import.meta.dirname, '../..');
const AXE = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

export const builtConsole = path.join(root, 'dist/console');

/** A browser with the console of a service. */
export interface ConsoleBrowser {
  /** Opens a page of the console, logged in. Pages of one key share a session. @param path begins with a slash */
  open(path: string, key?: string): Promise<Page>;
  /** Opens a page in a new browser context, without a session. */
  visit(path: string): Promise<Page>;
  close(): Promise<void>;
}

export interface ConsoleTest extends Omit<ConsoleBrowser, 'close'> {
  readonly app: TestApp;
  stop(): Promise<void>;
}

/** Starts a service and opens its built console in Chromium. */
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

export async function openBrowser(url: string, ownKey: string): Promise<ConsoleBrowser> {
  const { browser, close } = await openChromium();
  const newContext = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  const openIn = async (context: BrowserContext, where: string): Promise<Page> => {
    const page = await context.newPage();
    watchRequests(page);
    watchComplaints(page);
    await page.goto(`${url}/console${where}`);
    return page;
  };
  const sessions = new Map<string, Promise<BrowserContext>>();
  /** Starts a session as the login page does, without a page. */
  const beginSession = async (key: string): Promise<BrowserContext> => {
    const context = await newContext();
    const answer = await context.request.post(`${url}/console/session`, { headers: { 'X-API-KEY': key } });
    if (!answer.ok()) throw new Error(`The login was refused: ${answer.status()} ${await answer.text()}`);
    await context.addInitScript(`localStorage.setItem('recount.session-ends', Date.now() + 3_600_000)`);
    await openWindow(context);
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
    close,
  };
}

/** Opens a blank tab that stays, so that pages become tabs of its window: opening a window costs as much as a page. */
export async function openWindow(context: BrowserContext): Promise<void> {
  await context.newPage();
}

export async function logIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('API key', { exact: true }).waitFor({ state: 'detached' });
}

const complaints = new WeakMap<Page, string[]>();

function watchComplaints(page: Page): void {
  const found: string[] = [];
  complaints.set(page, found);
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(message.text());
  });
  page.on('pageerror', ({ message }) => found.push(message));
}

/** Returns the errors that the browser has reported since the page was opened. */
export const complaintsOf = (page: Page): readonly string[] => complaints.get(page)!;

interface Traffic {
  readonly pending: Set<Request>;
  /** Time of the last begin or end of a request. */
  changedAt: number;
}

const trafficOf = new WeakMap<Page, Traffic>();

function watchRequests(page: Page): void {
  const traffic: Traffic = { pending: new Set(), changedAt: performance.now() };
  const change = (): void => {
    traffic.changedAt = performance.now();
  };
  const end = (request: Request): void => {
    traffic.pending.delete(request);
    change();
  };
  trafficOf.set(page, traffic);
  page.on('request', (request) => {
    traffic.pending.add(request);
    change();
  });
  page.on('response', (response) => {
    // The browser does not report the end of pending requests of the document that it leaves.
    if (response.request().isNavigationRequest()) traffic.pending.clear();
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
}

/** Milliseconds without a request until a page counts as settled. */
const QUIET_MS = 100;
/** Says whether a page has a heading and nothing that still loads. */
const IS_RENDERED = `document.querySelector('h1') !== null
  && document.querySelector('main :is([aria-label=Loading], [aria-busy=true])') === null`;

/** Waits until the page has rendered the answers to its requests. */
export async function settled(page: Page): Promise<void> {
  const traffic = trafficOf.get(page)!;
  const end = performance.now() + PATIENCE_MS;
  // Asking the page is expensive: it is asked when requests rest, and again after QUIET_MS.
  for (let renderedSince: number | undefined; ; await sleep(renderedSince === undefined ? 20 : QUIET_MS)) {
    const rests = traffic.pending.size === 0 && (await page.evaluate<boolean>(IS_RENDERED));
    if (rests && renderedSince !== undefined && traffic.changedAt < renderedSince) return;
    renderedSince = rests ? performance.now() : undefined;
    if (performance.now() > end)
      throw new Error(
        `The page still loads: ${[...traffic.pending].map((request) => request.url()).join(', ') || 'no request is under way'}.`,
      );
  }
}

/** Repeats an assertion until it holds. @throws its last failure */
export async function eventually(compare: () => Promise<unknown>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; ; await sleep(50)) {
    try {
      await compare();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

export const MODES = ['light', 'dark'] as const;

/** Switches the page to a color scheme and waits until every color has changed. */
export async function showIn(page: Page, colorScheme: (typeof MODES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    .then(() => Promise.allSettled(document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
      .map(({ finished }) => finished)))
    .then(() => undefined)`);
}

const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns the accessibility rules to look for: in the second mode a page differs in colors alone. */
export const rulesIn = (mode: (typeof MODES)[number]): readonly string[] | undefined =>
  mode === MODES[0] ? undefined : COLOR_RULES;

/** Returns the accessibility rules that the page violates seriously, with the elements. @param rules all by default */
export async function seriousFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) {
    // Injected through the browser protocol, as the page's content security policy blocks scripts.
    const protocol = await page.context().newCDPSession(page);
    await protocol.send('Runtime.evaluate', { expression: AXE });
    await protocol.detach();
  }
  return page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; impact: string; nodes: { html: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, rules);
}

/** Browser globals used by functions that are sent to the browser. */
interface BrowserGlobals {
  readonly document: {
    readonly documentElement: { readonly scrollWidth: number; readonly scrollHeight: number };
    querySelectorAll(selector: string): Iterable<{
      readonly scrollWidth: number;
      readonly clientWidth: number;
      readonly className: string;
      matches(selector: string): boolean;
      getAttribute(name: string): string | null;
    }>;
  };
  getComputedStyle(part: unknown): { readonly overflowX: string };
}

/** Returns the width in pixels that the page needs; a larger one than the window's causes horizontal scrolling. */
export const neededWidth = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as BrowserGlobals).document.documentElement.scrollWidth);

/**
 * Returns elements that are wider than their container, with both widths in pixels. Source text, such as event data,
 * may scroll; text for screen readers has one pixel.
 */
export const cutParts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as BrowserGlobals;
    return [...document.querySelectorAll('main *, [role=dialog], [role=dialog] *')]
      .filter((part) => part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1)
      .filter((part) => getComputedStyle(part).overflowX !== 'visible')
      .filter((part) => !part.matches('pre, input, select'))
      .map((part) => {
        const name = part.getAttribute('aria-label') ?? part.className;
        return `${name}: ${part.scrollWidth} in ${part.clientWidth}`;
      });
  });

/** Returns invoice numbers, such as 260531-000002, that the page breaks over two lines. */
export const brokenNumbers = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const broken = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      for (const { 0: number, index } of texts.currentNode.data.matchAll(/\\d{6}-\\d{6,}/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + number.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(number);
      }
    return broken;
  })()`);

/** Returns words and amounts of at most 20 characters that the page breaks over two lines. */
export const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const broken = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/(?<!\\S)[$\\p{L}\\p{N},.]{2,20}(?!\\S)/gu)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
      }
    return broken;
  })()`);

export const neededHeight = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as BrowserGlobals).document.documentElement.scrollHeight);
