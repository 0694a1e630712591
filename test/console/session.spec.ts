import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { logIn, settled, startConsoleTest, type ConsoleTest } from './browser.js';

let test: ConsoleTest;
beforeAll(async () => {
  test = await startConsoleTest();
});
afterAll(() => test.stop());

describe('a first visit', () => {
  it('asks for no session, so the browser notes no refusal', async () => {
    const page = await test.visit('/');
    const statuses: number[] = [];
    page.on('response', (response) => statuses.push(response.status()));
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(statuses.filter((status) => status >= 400)).toEqual([]);
    await page.close();
  });
});

describe('a session that lasts its time', () => {
  it('ends in the page, which sends nothing that would be refused', async () => {
    const page = await test.visit('/');
    await page.clock.install();
    await page.reload();
    await logIn(page, test.app.key);
    // A busy machine rests between the login and the page's first request: what is read then would be refused below.
    await page.getByText('Up to date as of').waitFor();
    await settled(page);
    const statuses: number[] = [];
    page.on('response', (response) => statuses.push(response.status()));
    await page.clock.fastForward('12:00:00');
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await test.app.pool.query('delete from console_sessions');
    // The page asks for read models every ten seconds.
    await page.clock.fastForward('01:00');
    await settled(page);
    await page.reload();
    await page.getByRole('heading', { name: 'Log in to Recount' }).waitFor();
    expect(statuses.filter((status) => status >= 400)).toEqual([]);
    await page.close();
  });
});
