import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { logIn } from './browser.js';

/** Milliseconds from the start until each stage of loading. */
interface Marks {
  readonly html: number;
  /** The page's scripts are parsed and have run. */
  readonly scripts: number;
  readonly firstAnswer: number;
  readonly heading: number;
  readonly figures: number;
  readonly chart: number;
}

/** Records when the parts of the overview first appear. */
const WATCH = `(() => {
  const marks = (globalThis.recountMarks = {});
  const revenue = 'figure[aria-label="Monthly recurring revenue"]';
  const parts = { heading: 'main h1', figures: revenue + ' p', chart: revenue + ' svg' };
  new MutationObserver(() => {
    for (const [name, part] of Object.entries(parts))
      if (marks[name] === undefined && document.querySelector(part)) marks[name] = performance.now();
  }).observe(document, { childList: true, subtree: true });
})()`;

const READ = `(() => {
  const [page] = performance.getEntriesByType('navigation');
  const answers = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/'));
  return {
    html: page.responseEnd,
    scripts: page.domContentLoadedEventEnd,
    firstAnswer: Math.min(...answers.map(({ responseEnd }) => responseEnd)),
    ...globalThis.recountMarks,
  };
})()`;

const PATIENCE_MS = 60_000;

async function readMarks(page: Page): Promise<Marks> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(20))
    if (await page.evaluate('globalThis.recountMarks?.chart !== undefined')) return page.evaluate(READ);
  throw new Error('The overview shows no chart.');
}

async function openWatched(context: BrowserContext, url: string): Promise<Page> {
  await context.addInitScript(WATCH);
  const page = await context.newPage();
  await page.goto(`${url}/console/`);
  return page;
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Prints the median durations of several runs, and the load of the machine. */
function say(name: string, runs: readonly Partial<Marks>[]): void {
  const names = Object.keys(runs[0]!) as (keyof Marks)[];
  const parts = names.map((name) => `${name} ${Math.round(medianOf(runs.map((run) => run[name]!)))}`);
  const load = loadavg()[0]!.toFixed(1);
  process.stdout.write(`${name}: ${parts.join(', ')} ms, the middle of ${runs.length} at load ${load}\n`);
}

/** Measures the time to the first figures with an empty cache, after the login and with an existing session. */
export async function measureFirstFigures(browser: Browser, url: string, key: string): Promise<number> {
  const [logins, reloads]: Partial<Marks>[][] = [[], []];
  for (let run = 0; run < 3; run += 1) {
    const visitor = await browser.newContext();
    const login = await openWatched(visitor, url);
    await login.getByLabel('API key').waitFor();
    const began = (await login.evaluate('performance.now()')) as number;
    await logIn(login, key);
    const { figures, chart } = await readMarks(login);
    logins!.push({ figures: figures - began, chart: chart - began });
    const returning = await browser.newContext({ storageState: await visitor.storageState() });
    reloads!.push(await readMarks(await openWatched(returning, url)));
    await visitor.close();
    await returning.close();
  }
  say('from the login', logins!);
  say('with a session, from the address', reloads!);
  return medianOf(reloads!.map(({ figures }) => figures!));
}
