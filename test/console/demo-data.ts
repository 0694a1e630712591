import path from 'node:path';
import { Recount } from '../../clients/typescript/src/index.js';
import { hashOf, readLog } from '../../demo/access-log.js';
import { billLog } from '../../demo/bill-log.js';
import { startOfMonthOf, startOfNextMonth, survey } from '../../demo/log-calendar.js';
import { showcase } from '../../demo/showcase.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
import type { TestApp } from '../support/app.js';
import { startConsoleTest, type ConsoleTest } from './browser.js';
import type { Shown } from './every-page.js';

const SAMPLE = path.resolve(import.meta.dirname, '../../demo/sample-access.log');

export interface ConsoleOnDemo extends ConsoleTest {
  /** Records to show on each page. */
  readonly shown: Shown;
}

/** Starts the console on the data of `npm run demo`. */
export async function startConsoleOnDemo(): Promise<ConsoleOnDemo> {
  const log = await survey(readLog(SAMPLE));
  const test = await startConsoleTest({
    clockStart: startOfMonthOf(log.slices[0]!.from),
    env: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
  });
  const receiver = await startWebhookReceiver();
  const client = new Recount({ baseUrl: test.app.url, apiKey: test.app.key });
  const until = log.slices.at(-1)!.from;
  await billLog(client, { ...log, file: SAMPLE, hash: await hashOf(SAMPLE) }, () => undefined);
  await showcase(client, startOfNextMonth(until), receiver.url);
  const stop = async (): Promise<void> => {
    await test.stop();
    await receiver.stop();
  };
  return { ...test, stop, shown: await findShown(test.app) };
}

/** Finds a customer who switched plans, and a usage line of the last month. */
async function findShown({ request }: TestApp): Promise<Shown> {
  const customer = 'northwind';
  const { body: invoices } = await request.get(`/api/invoices/?customer_id=${customer}`).expect(200);
  const { body: plans } = await request.get('/api/plans/').expect(200);
  for (const { invoice_id: invoice, line_items: lines } of invoices as Invoice[]) {
    const index = lines.findIndex(({ name, amount }) => name === 'Requests' && amount > 0);
    if (index >= 0) {
      const team = (plans as Plan[]).find(({ plan_name: name }) => name === 'Team')!;
      return { customer, invoice, line: index + 1, plan: team.plan_id };
    }
  }
  throw new Error(`No invoice of ${customer} has usage.`);
}

interface Invoice {
  readonly invoice_id: string;
  readonly line_items: readonly { readonly name: string; readonly amount: number }[];
}

interface Plan {
  readonly plan_id: string;
  readonly plan_name: string;
}
