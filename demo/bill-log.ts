import type { Recount } from '../clients/typescript/src/index.js';
import { createPlan, subscribeClients } from './content-network.js';
import { ingest, type Ingested } from './ingest.js';
import { startOfMonthOf, startOfNextMonth, type LogSurvey } from './log-calendar.js';

export interface SurveyedLog extends LogSurvey {
  readonly file: string;
  readonly hash: string;
}

type Say = (text: string) => void;

/**
 * Bills a log: creates the plan and customers, sends usage, moves the clock. A second run changes nothing.
 */
export async function billLog(client: Recount, log: SurveyedLog, say: Say): Promise<Ingested> {
  await configure(client);
  const planId = await createPlan(client);
  await timed(say, `${log.clients.length} customers subscribed`, () =>
    subscribeClients(client, planId, log.clients, startOfMonthOf(log.slices[0]!.from)),
  );
  const done = await ingestByClock(client, log);
  const rate = Math.round((done.events / done.milliseconds) * 1000);
  say(`${done.events} events ingested, ${done.failed} refused, ${rate} events per second`);
  const afterGrace = startOfNextMonth(log.slices.at(-1)!.from).replace('T00:00', 'T01:00');
  await timed(say, 'billed', () => advance(client, afterGrace));
  return done;
}

/** Sets the name of the organization, the time within which invoices are paid, and the seller that they name. */
async function configure(client: Recount): Promise<void> {
  const { payment_grace_period: days } = await client.getOrganization();
  if (days !== null) return;
  await client.updateOrganization({
    organization_name: 'Content Network',
    payment_grace_period: 30,
    legal_name: 'Content Network Inc.',
    email: 'billing@content-network.example',
    address: { line1: '1 Harbour Road', city: 'Boston', state: 'MA', postal_code: '02110', country: 'US' },
  });
}

/**
 * The usage window follows the clock: when a slice is ingested, the clock is just after the slice's last day.
 */
async function ingestByClock(client: Recount, { file, hash, slices }: SurveyedLog): Promise<Ingested> {
  let [events, failed, milliseconds] = [0, 0, 0];
  for (const slice of slices) {
    await advance(client, slice.ingestAt);
    const done = await ingest(client, file, hash, slice);
    events += done.events;
    failed += done.failed;
    milliseconds += done.milliseconds;
  }
  return { events, failed, milliseconds };
}

/** Moves the clock forward. A clock that is later already, as on a second run, stays. */
async function advance(client: Recount, to: string): Promise<void> {
  const { now } = await client.getTestClock();
  if (Date.parse(now) < Date.parse(to)) await client.advanceTestClock({ to });
}

async function timed(say: Say, what: string, work: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await work();
  say(`${what} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}
