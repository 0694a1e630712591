import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually, settled } from './browser.js';
import { startConsoleOnDemo, type ConsoleOnDemo } from './demo-data.js';
import { EVERY_PAGE } from './every-page.js';

let test: ConsoleOnDemo;
beforeAll(async () => {
  test = await startConsoleOnDemo();
});
afterAll(() => test.stop());

/** Forms whose values are personal or secret: their addresses have that they are open, and nothing else. */
const KEPT_OUT = ['New customer', 'Change details', 'Change settings', 'New endpoint'];
/** Fields without a state to link: name and scope of a key that does not exist yet, and what may be personal data. */
const NOT_LINKED = /^(Name of the new key|Scope|E-mail|Find in .+)$/;
/** A text about a customer. */
const PERSONAL: Readonly<Record<string, RegExp>> = { 'Grant credit': /^Description$/ };

const CONTROLS =
  'select, input:not([type=file]):not([type=range]), summary, button[aria-expanded]:not([aria-haspopup])';
/** Longest wait for a control that may have gone with the change. */
const GONE_MS = 10_000;
/** Longer than the page waits for the end of typing. */
const REST_MS = 500;

const VALUES: Readonly<Record<string, string>> = {
  date: '2026-04-01',
  'datetime-local': '2030-01-01T00:00',
  number: '7',
};

/** Name of a control by its label, as a user reads it. */
const labelOf = (control: Locator): Promise<string> =>
  control.evaluate((element) => {
    const { labels } = element as unknown as { labels?: readonly { textContent: string }[] };
    return (
      (element as unknown as Element).getAttribute('aria-label') ??
      labels?.[0]?.textContent ??
      element.textContent ??
      ''
    );
  });

/** Gives a control another value than it has. */
async function alter(control: Locator): Promise<void> {
  const [tag, type] = await control.evaluate((element) => [
    element.tagName,
    (element as unknown as Element).getAttribute('type') ?? 'text',
  ]);
  if (tag === 'SUMMARY' || tag === 'BUTTON') return control.click();
  if (type === 'checkbox') return control.click();
  if (tag === 'SELECT') {
    const now = await control.inputValue();
    const values = await control
      .locator('option')
      .evaluateAll((options) => options.map((option) => (option as unknown as { value: string }).value));
    const other = values.findLast((value) => value !== now && value !== '');
    if (other !== undefined) await control.selectOption(other);
    return undefined;
  }
  return control.fill(VALUES[type] ?? 'x7');
}

/** Filters count once they are sent; other forms would change something. Returns whether it is a filter. */
function sendFilter(element: unknown): boolean {
  const form = (element as { closest(selector: string): FormElement | null }).closest('form');
  const isFilter = form?.getAttribute('role') === 'search' || form?.textContent.endsWith('Show') === true;
  if (isFilter) form?.requestSubmit();
  return isFilter;
}

interface FormElement extends Element {
  readonly textContent: string;
  requestSubmit(): void;
}

/** Alters every control below a place once, as far as it is still there. */
async function alterAll(page: Page, place: Locator, except = NOT_LINKED): Promise<void> {
  const controls = place.locator(CONTROLS);
  for (let index = 0; index < (await controls.count()); index += 1) {
    const control = controls.nth(index);
    if (!(await control.isVisible()) || !(await control.isEnabled())) continue;
    if (except.test(await labelOf(control))) continue;
    await alter(control);
    await settled(page);
    if ((await control.count()) === 0) continue;
    const isSent = await control.evaluate(sendFilter, undefined, { timeout: GONE_MS }).catch(() => false);
    if (isSent) await settled(page);
  }
}

/** Reads the state of a page that a user has chosen. */
async function stateOf(page: Page, place: Locator): Promise<unknown> {
  await page.waitForTimeout(REST_MS);
  await settled(page);
  return place
    .locator(`${CONTROLS}, details, h1, h2, h3, [role=alert]`)
    .evaluateAll((elements) =>
      elements
        .map((element) => element as unknown as HTMLElements)
        .map((element) => [
          element.tagName,
          element.value ?? element.open ?? element.getAttribute('aria-expanded') ?? element.textContent,
          element.checked,
        ]),
    );
}

interface HTMLElements {
  readonly tagName: string;
  readonly textContent: string;
  readonly value?: string;
  readonly open?: boolean;
  readonly checked?: boolean;
  getAttribute(name: string): string | null;
}

interface Element {
  getAttribute(name: string): string | null;
}

/** The address of a page shows in another tab what the page shows, once the page has noted there what was typed. */
const expectInAddress = (page: Page, place: (page: Page) => Locator): Promise<void> =>
  eventually(async () => {
    const shown = await stateOf(page, place(page));
    const address = page.url();
    const copy = await test.open(address.slice(`${test.app.url}/console`.length));
    try {
      await place(copy).waitFor();
      await settled(copy);
      expect({ address, state: await stateOf(copy, place(copy)) }).toEqual({ address, state: shown });
    } finally {
      await copy.close();
    }
  });

const main = (page: Page): Locator => page.locator('main');
const dialog = (page: Page): Locator => page.getByRole('dialog');

describe('every state of a page is in its address', () => {
  it.each(EVERY_PAGE)('$name', async ({ address }) => {
    const page = await test.open(address(test.shown));
    await settled(page);
    await alterAll(page, main(page));
    await expectInAddress(page, main);
    await page.close();
  });
});

describe('every form is in the address of its page', () => {
  const forms = [...EVERY_PAGE, { name: 'several', address: () => '/customers/fabrikam/changes' }];

  it.each(forms)('of $name', async ({ address }) => {
    const page = await test.open(address(test.shown));
    await settled(page);
    const buttons = main(page).locator('button[aria-haspopup=dialog]');
    for (const label of new Set(await buttons.allInnerTexts())) {
      await main(page).getByRole('button', { name: label, exact: true }).first().click();
      await dialog(page).waitFor();
      await settled(page);
      if (KEPT_OUT.includes(label)) {
        const opened = page.url();
        await dialog(page).locator('input:not([type=checkbox])').first().fill('x7');
        await page.waitForTimeout(REST_MS);
        expect(page.url()).toBe(opened);
      } else {
        await alterAll(page, dialog(page), PERSONAL[label]);
        const preview = dialog(page).getByRole('button', { name: 'Preview' });
        if ((await preview.count()) > 0) await preview.click();
        await expectInAddress(page, dialog);
      }
      await page.goBack();
      await dialog(page).waitFor({ state: 'detached' });
    }
    await page.close();
  });
});
