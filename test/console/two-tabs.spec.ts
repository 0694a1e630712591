import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import request from 'supertest';
import { newTenant } from '../support/another-tenant.js';
import { shopOf } from '../support/shop.js';
import {
  eventually,
  logIn,
  neededWidth,
  seriousFaults,
  startConsoleTest,
  type ConsoleTest,
} from './browser.js';

let test: ConsoleTest;
/** Key of another organization, which has a customer of the same id. */
let otherKey: string;
beforeAll(async () => {
  test = await startConsoleTest();
  await shopOf(test.app).customer('acme');
  otherKey = (await newTenant(test.app.service)).key;
  await request(test.app.url)
    .post('/api/customers/')
    .set('X-API-KEY', otherKey)
    .send({ customer_id: 'acme', customer_name: 'Acme of the other' })
    .expect(201);
});
afterAll(() => test.stop());

const dialog = (page: Page) => page.getByRole('dialog').last();

/** Opens a form that is about to act, then logs in with another key in another tab. */
async function anOutdatedForm(key: string): Promise<Page> {
  const page = await test.visit('/customers/acme/changes');
  await logIn(page, test.app.key);
  await page.getByRole('button', { name: 'Grant credit' }).click();
  await page.getByLabel('Amount in USD').fill('77');
  await dialog(page).getByRole('button', { name: 'Preview' }).click();
  await dialog(page).getByRole('button', { name: 'Grant credit' }).waitFor();
  const tab = await page.context().newPage();
  await tab.goto(`${test.app.url}/console/`);
  await tab.getByRole('button', { name: 'Log out' }).click();
  await logIn(tab, key);
  // The page may have noticed by itself, as it reads again every ten seconds: the login lies over the form then.
  await page.locator('form button[type=submit]', { hasText: 'Grant credit' }).dispatchEvent('click');
  return page;
}

const amountsOf = async (key: string): Promise<number[]> => {
  const answer = await fetch(`${test.app.url}/api/credits/?customer_id=acme`, {
    headers: { 'X-API-KEY': key },
  });
  return ((await answer.json()) as { amount: number }[]).map(({ amount }) => amount);
};

describe('a page whose browser has logged in to another organization in another tab', () => {
  it('changes nothing, says so, and goes on after a login', async () => {
    const page = await anOutdatedForm(otherKey);
    await page.getByRole('heading', { name: 'Another API key has logged in' }).waitFor();
    expect(await amountsOf(test.app.key)).toEqual([]);
    expect(await amountsOf(otherKey)).toEqual([]);
    expect(await seriousFaults(page)).toEqual([]);
    const { x, width } = (await dialog(page).locator('form').boundingBox())!;
    expect(x + width / 2).toBeCloseTo(page.viewportSize()!.width / 2, 0);
    await page.setViewportSize({ width: 360, height: 800 });
    await eventually(async () => expect(await neededWidth(page)).toBe(360));
    await logIn(page, test.app.key);
    expect(await page.getByText('session has ended').count()).toBe(0);
    await dialog(page).getByRole('button', { name: 'Grant credit' }).click();
    await page.getByText('The credit has been granted.').waitFor();
    expect(await amountsOf(test.app.key)).toEqual([77]);
    expect(await amountsOf(otherKey)).toEqual([]);
    await page.close();
  });

  it('may continue with the other key, without what was typed', async () => {
    const page = await anOutdatedForm(otherKey);
    await page.getByRole('button', { name: 'Continue with the other key' }).click();
    await page.waitForURL(/\/console\/$/);
    await page.getByText('Up to date as of').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.close();
  });

  it('starts anew with the other key where that logs in over it', async () => {
    const page = await anOutdatedForm(otherKey);
    await page.getByLabel('API key', { exact: true }).fill(otherKey);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(/\/console\/$/);
    await page.close();
  });
});
