import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dueBillingProjection } from '../../projections/due-billing/projection.js';
import type { DueBillingRow } from '../../src/billing/read-models/due.js';
import { DueAccountsScan } from '../../src/billing/scheduler/due-accounts-scan.js';
import { namedId, type Uuid } from '../../src/kernel/ids.js';
import { MINUTE, instant, plusMicros, type Instant } from '../../src/kernel/instant.js';
import { Database } from '../../src/platform/database/open-database.js';
import type { TermBasis } from '../../src/pricing/price-content.js';
import type { SubscriptionEvent, Term, TermAddon } from '../../src/subscription/domain/events.js';
import { SUBSCRIPTION_ID, aTerm, started } from '../support/builders/subscription.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { projectedLog, type ProjectedLog } from '../support/projected.js';

const at = instant('2026-01-11');
const cancelled = (changes: object): SubscriptionEvent => ({
  type: 'SubscriptionCancelled',
  data: {
    subscriptionId: SUBSCRIPTION_ID,
    customerKey: aTerm().customerKey,
    currency: 'USD',
    effectiveAt: at,
    end: at,
    billedAt: at,
    flatFee: null,
    usage: 'bill_full',
    invoicing: 'invoice_now',
    ...changes,
  },
});

describe('what a change of a term makes due', () => {
  let database: TestDatabase;
  let log: ProjectedLog;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    log = await projectedLog(database, dueBillingProjection);
    await log.append('subscription', SUBSCRIPTION_ID, started(aTerm()));
    const nothing = { runId: 'a run', customerKey: aTerm().customerKey, currency: 'USD', asOf: at };
    const billingStatus = {
      subscriptionId: SUBSCRIPTION_ID,
      revision: '0',
      settled: false,
      nextDueAt: instant('2026-02-01'),
      nextDueGraced: true,
    };
    await log.append('account', 'an account', {
      type: 'NothingDue',
      data: { ...nothing, terms: [billingStatus] },
    });
  });
  const dueOf = async (): Promise<Pick<DueBillingRow, 'due_at' | 'graced'>> =>
    (await database.pool.query('select due_at, graced from due_billing where org = $1', [log.org])).rows[0];

  it('is due at once when it is invoiced alone', async () => {
    expect(await dueOf()).toEqual({ due_at: '2026-02-01T00:00:00.000000Z', graced: true });
    await log.append('subscription', SUBSCRIPTION_ID, cancelled({}));
    expect(await dueOf()).toEqual({ due_at: at, graced: false });
  });

  it('waits for those it shares an invoice with, so that no sweep comes between them', async () => {
    await log.append('subscription', SUBSCRIPTION_ID, cancelled({ billedTogether: true }));
    expect(await dueOf()).toEqual({ due_at: plusMicros(at, 30n * MINUTE), graced: false });
  });

  it('waits so also where something of it was due before, which its own run bills with it', async () => {
    const row = { subscriptionId: SUBSCRIPTION_ID, revision: '0', nextDueAt: instant('2026-01-10') };
    await log.append('account', 'an account', {
      type: 'NothingDue',
      data: {
        runId: 'another run',
        customerKey: aTerm().customerKey,
        currency: 'USD',
        asOf: at,
        terms: [{ ...row, nextDueGraced: false, settled: false }],
      },
    });
    await log.append('subscription', SUBSCRIPTION_ID, cancelled({ billedTogether: true }));
    expect(await dueOf()).toEqual({ due_at: plusMicros(at, 30n * MINUTE), graced: false });
  });

  it('waits so too when it is switched, with the term that the switch begins', async () => {
    const successor = { ...aTerm(), subscriptionId: namedId('successor'), start: at };
    const ended = { effectiveAt: at, end: at, billedAt: at, periodEnd: instant('2026-02-01') };
    const data = {
      subscriptionId: SUBSCRIPTION_ID,
      customerKey: aTerm().customerKey,
      currency: 'USD',
      ...ended,
      usage: 'keep_separate',
      invoicing: 'invoice_now',
      moved: [],
      successor,
      billedTogether: true,
    } as const;
    await log.append('subscription', SUBSCRIPTION_ID, { type: 'SubscriptionSwitched', data });
    await log.append('subscription', successor.subscriptionId, started(successor));
    const { rows } = await database.pool.query(
      'select distinct due_at, graced from due_billing where org = $1',
      [log.org],
    );
    expect(rows).toEqual([{ due_at: plusMicros(at, 30n * MINUTE), graced: false }]);
  });

  it('is met by a run when an add-on is attached that is invoiced at the end', async () => {
    const row = async () =>
      (
        await database.pool.query('select due_at, unmet, stream_revision from due_billing where org = $1', [
          log.org,
        ])
      ).rows[0];
    const { customerKey } = aTerm();
    const attached = { subscriptionId: SUBSCRIPTION_ID, customerKey, currency: 'USD', effectiveAt: at };
    const addon = { start: at, invoiceWhen: 'invoice_on_subscription_end' } as TermAddon;
    await log.append('subscription', SUBSCRIPTION_ID, {
      type: 'AddonAttached',
      data: { ...attached, addon },
    });
    expect(await row()).toEqual({
      due_at: '2026-02-01T00:00:00.000000Z',
      unmet: true,
      stream_revision: '1',
    });
    const due = { subscriptionId: SUBSCRIPTION_ID, revision: '1', settled: false, nextDueGraced: true };
    const met = { runId: 'meets', customerKey, currency: 'USD', asOf: at };
    const terms = [{ ...due, nextDueAt: instant('2026-01-20') }];
    await log.append('account', 'an account', { type: 'NothingDue', data: { ...met, terms } });
    expect(await row()).toMatchObject({ due_at: '2026-01-20T00:00:00.000000Z', unmet: false });
  });

  it('is met by a run when a switch begins it that waits for the next invoice', async () => {
    const [february, start] = [instant('2026-02-01'), instant('2026-01-11')];
    const { basis, ...term } = aTerm();
    const continues = { billedAt: february } as TermBasis['continues'];
    const successor = {
      ...term,
      subscriptionId: namedId('successor'),
      start,
      basis: { ...basis, continues },
    };
    await log.append('subscription', successor.subscriptionId, started(successor as Term));
    const { rows } = await database.pool.query(
      'select due_at, graced, unmet from due_billing where org = $1 and subscription_id = $2',
      [log.org, successor.subscriptionId],
    );
    expect(rows).toEqual([{ due_at: february, graced: true, unmet: true }]);
  });

  it('is due from the former end on when a later end is set, and from the new one when it is earlier', async () => {
    const billed = async (nextDueAt: Instant | null) => {
      const nothing = { runId: 'a run', customerKey: aTerm().customerKey, currency: 'USD', asOf: at };
      const billingStatus = {
        subscriptionId: SUBSCRIPTION_ID,
        revision: '9',
        settled: false,
        nextDueGraced: true,
      };
      const terms = [{ ...billingStatus, nextDueAt }];
      await log.append('account', 'an account', { type: 'NothingDue', data: { ...nothing, terms } });
    };
    const moved = (formerEnd: Instant, end: Instant): SubscriptionEvent => ({
      type: 'EndDateChanged',
      data: { subscriptionId: SUBSCRIPTION_ID, end, formerEnd, effectiveAt: at },
    });
    const [february, march] = [instant('2026-02-01'), instant('2026-03-15')];
    await billed(null);
    await log.append('subscription', SUBSCRIPTION_ID, moved(february, march));
    expect(await dueOf()).toEqual({ due_at: february, graced: true });
    await billed(null);
    await log.append('subscription', SUBSCRIPTION_ID, moved(march, instant('2026-01-20')));
    expect(await dueOf()).toEqual({ due_at: instant('2026-01-20'), graced: true });
  });
});

describe('the instant from which a sweep looks for a repeat of its run', () => {
  const recorded = instant('2026-01-01T00:00:00Z');
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const causedAt = async (terms: readonly { readonly id: Uuid; readonly start: Instant }[]) => {
    const log = await projectedLog(database, dueBillingProjection);
    await database.pool.query('insert into billing_grace (org, late_event_grace_minutes) values ($1, 0)', [
      log.org,
    ]);
    for (const { id, start } of terms)
      await log.append('subscription', id, started({ ...aTerm(), subscriptionId: id, start }));
    const scan = new DueAccountsScan(new Database(database.pool, database.url, async () => {}));
    const found: Instant[] = [];
    for await (const { caused_at: at } of scan.accounts(instant('2026-03-01'), log.org as Uuid))
      found.push(at);
    return found;
  };

  it('is when the term was recorded, for one that starts in the past', async () => {
    const start = instant('2025-06-01');
    expect(await causedAt([{ id: SUBSCRIPTION_ID, start }])).toEqual([recorded]);
  });

  it('is when the last of its terms fell due, for one that was recorded before', async () => {
    const terms = [
      { id: SUBSCRIPTION_ID, start: instant('2026-01-05') },
      { id: namedId('second'), start: instant('2026-02-05') },
    ];
    expect(await causedAt(terms)).toEqual([instant('2026-02-05')]);
  });

  it('is when the change was recorded, for an account where nothing is due', async () => {
    const log = await projectedLog(database, dueBillingProjection);
    await database.pool.query('insert into billing_grace (org, late_event_grace_minutes) values ($1, 0)', [
      log.org,
    ]);
    const term = aTerm();
    const continues = { billedAt: instant('2026-04-01') } as TermBasis['continues'];
    await log.append(
      'subscription',
      SUBSCRIPTION_ID,
      started({ ...term, basis: { ...term.basis, continues } }),
    );
    const scan = new DueAccountsScan(new Database(database.pool, database.url, async () => {}));
    const due = async (until: string) => {
      for await (const account of scan.accounts(instant(until), log.org as Uuid)) return account;
    };
    const terms = [SUBSCRIPTION_ID];
    expect(await due('2026-03-01')).toMatchObject({ billable: false, caused_at: recorded, terms });
    expect(await due('2026-04-01')).toMatchObject({
      billable: true,
      caused_at: '2026-04-01T00:00:00.000000Z',
    });
  });
});
