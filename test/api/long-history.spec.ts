import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { accountId } from '../../src/billing/decider/domain/account.js';
import { streamName, type RecordedEvent } from '../../src/kernel/event.js';
import { customerKeyOf, fromWireId, type Uuid } from '../../src/kernel/ids.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { nextPath } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { dropEventLog } from '../support/event-log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { shopOf } from '../support/shop.js';

/** More events than a request examines. */
const MANY = 10_500;
/** Changes of metadata of 900 kB each. */
const LARGE = 25;

/** The account of `acme` has few events of the subscriptions `early` and `late`, and many of another one between them. */
describe('the history of a term of a long account', () => {
  let database: TestDatabase;
  let app: TestApp;
  let early: string;
  let late: string;

  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
    const options = { databaseUrl: database.url, clockStart: '2026-01-01T00:00:00Z' };
    const seller = await startTestApp(options);
    const shop = shopOf(seller);
    await shop.customer('acme');
    const plans: string[] = [];
    for (const name of ['Other', 'Early', 'Late']) plans.push(await shop.plan(name));
    await shop.subscribe('acme', plans[0]!, '2026-01-01');
    early = (await shop.subscribe('acme', plans[1]!, '2026-01-01')).subscription_id;
    const [invoice] = await shop.invoices();
    await seller.stop();

    // No process projects the many events.
    app = await startTestApp({ ...options, env: { ROLES: 'api' }, limitsWaits: true });
    await linkOften(invoice.invoice_id);
    await app.request
      .patch(`/api/invoices/${invoice.invoice_id}/`)
      .send({ payment_status: 'paid' })
      .expect(200);
    late = (await shopOf(app).subscribe('acme', plans[2]!, '2026-01-01')).subscription_id;
  });
  afterAll(async () => {
    await app.stop();
    dropEventLog(database.url);
    await database.drop();
  });

  /** Appends links of the payment of another subscription's invoice. */
  async function linkOften(ofEarly: string): Promise<void> {
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const stream = streamName('account', app.org, accountId(customerKeyOf(app.org, 'acme'), 'USD'));
    let computed: RecordedEvent | undefined;
    let newest: RecordedEvent | undefined;
    for await (const event of store.readStream(stream)) {
      newest = event;
      const { invoiceId } = event.data as { readonly invoiceId?: Uuid };
      if (event.type === 'InvoiceComputed' && !ofEarly.endsWith(invoiceId!)) computed = event;
    }
    const { invoiceId } = computed!.data as { readonly invoiceId: Uuid };
    const links = Array.from({ length: MANY }, () => ({
      id: randomUUID() as Uuid,
      type: 'PaymentLinked',
      metadata: computed!.metadata,
      data: { invoiceId, payment: { id: null, type: null, status: null } },
    }));
    for (let done = 0; done < links.length; done += 500)
      await store.append(stream, newest!.revision + BigInt(done), links.slice(done, done + 500));
  }

  /** Returns the types of the events on each page. */
  async function typesOf(id: string): Promise<string[][]> {
    const pages: string[][] = [];
    for (let next: string | undefined = `/api/subscriptions/${id}/history/`; next !== undefined;) {
      const answer = await app.request.get(next).expect(200);
      pages.push(answer.body.events.map(({ type }: { type: string }) => type));
      next = nextPath(answer.headers);
    }
    return pages;
  }

  it('ends a page that examines much of the account, and the next one goes on there', async () => {
    expect(await typesOf(early)).toEqual([
      ['SubscriptionStarted', 'InvoiceComputed', 'InvoiceIssued'],
      ['InvoicePaid'],
    ]);
  });

  it('begins with the term, however long the account was before', async () => {
    expect(await typesOf(late)).toEqual([['SubscriptionStarted', 'InvoiceComputed', 'InvoiceIssued']]);
  });

  it('ends a page of large events early, and the next one goes on there', async () => {
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const stream = streamName('subscription', app.org, fromWireId('sub', late)!);
    let newest: RecordedEvent | undefined;
    for await (const event of store.readStream(stream)) newest = event;
    const { revision, metadata, data } = newest!;
    const { term } = data as { readonly term: { readonly subscriptionId: Uuid } };
    const change = { subscriptionId: term.subscriptionId, metadata: { note: '€'.repeat(300_000) } };
    for (let n = 0; n < LARGE; n += 1) {
      const event = { id: randomUUID() as Uuid, type: 'MetadataChanged', metadata, data: change };
      await store.append(stream, revision + BigInt(n), [event]);
    }
    const pages: string[][] = [];
    // It asks as a client does: comparing so much with the contract takes long.
    for (
      let next: string | undefined = `/api/subscriptions/${late}/history/?limit=1000`;
      next !== undefined;
    ) {
      const answer = await fetch(app.url + next, { headers: { 'X-API-KEY': app.key } });
      const { events } = (await answer.json()) as { events: { position: string }[] };
      pages.push(events.map(({ position }) => position));
      next = nextPath(Object.fromEntries(answer.headers));
    }
    expect(pages.map((page) => page.length)).toEqual([3 + 19, LARGE - 19]);
    expect(new Set(pages.flat()).size).toBe(3 + LARGE);
  });
});
