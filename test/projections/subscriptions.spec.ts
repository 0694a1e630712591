import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { subscriptionsProjection } from '../../projections/subscriptions/projection.js';
import type { AccountEvent } from '../../src/billing/accounts/domain/events.js';
import type { TermBillingStatus } from '../../src/billing/accounts/domain/event-data.js';
import { instant, type Instant } from '../../src/kernel/instant.js';
import type { SubscriptionEvent, Term } from '../../src/subscription/domain/events.js';
import type { SubscriptionRow } from '../../src/subscription/read-models.js';
import { SUBSCRIPTION_ID, aTerm, started } from '../support/builders/subscription.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { projectedLog, type ProjectedLog } from '../support/projected.js';

const SUCCESSOR_ID = '66666666-0000-4000-8000-000000000002';
const boundary = instant('2026-02-01');
const filters = [{ propertyName: 'region', value: 'eu' }];
const term = aTerm({ filters, metadata: { po: 'A-17', seats: [1, null] } });
const successor: Term = {
  ...term,
  subscriptionId: SUCCESSOR_ID,
  start: boundary,
  end: instant('2026-03-01'),
  isNew: false,
};
const renewed: SubscriptionEvent = {
  type: 'SubscriptionRenewed',
  data: { subscriptionId: SUBSCRIPTION_ID, effectiveAt: boundary, successor },
};
const begun: SubscriptionEvent = {
  type: 'SubscriptionStarted',
  data: {
    term: successor,
    origin: { kind: 'renewal', predecessor: SUBSCRIPTION_ID, cause: 'the deciding event' },
  },
};

const runFound = (
  revision: string,
  nextDueAt: Instant | null,
  subscriptionId = SUBSCRIPTION_ID,
): AccountEvent => {
  const billingStatus: TermBillingStatus = {
    subscriptionId,
    revision,
    nextDueAt,
    nextDueGraced: false,
    settled: false,
  };
  const { customerKey, basis } = term;
  return {
    type: 'NothingDue',
    data: { runId: 'a run', customerKey, currency: basis.currency, asOf: boundary, terms: [billingStatus] },
  };
};

describe('the rows of subscriptions', () => {
  let database: TestDatabase;
  let log: ProjectedLog;
  const touchedRow = async (subscriptionId: string): Promise<SubscriptionRow | undefined> =>
    (
      await database.pool.query<SubscriptionRow>(
        'select * from subscriptions where org = $1 and subscription_id = $2',
        [log.org, subscriptionId],
      )
    ).rows[0];
  const start = () => log.append('subscription', SUBSCRIPTION_ID, started(term));
  const renew = () => log.append('subscription', SUBSCRIPTION_ID, renewed);
  const run = (...found: Parameters<typeof runFound>) =>
    log.append('account', 'an account', runFound(...found));

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    log = await projectedLog(database, subscriptionsProjection);
  });
  afterAll(() => database.drop());

  it('a started term is a row of its own columns', async () => {
    await start();
    expect(await touchedRow(SUBSCRIPTION_ID)).toEqual({
      org: log.org,
      subscription_id: SUBSCRIPTION_ID,
      customer_key: term.customerKey,
      plan_id: term.basis.planId,
      version_id: term.basis.versionId,
      basis: term.basis,
      currency: 'USD',
      start_at: instant('2026-01-01'),
      end_at: boundary,
      scheduled_end: true,
      auto_renew: true,
      is_new: true,
      state: 'open',
      filters,
      metadata: { po: 'A-17', seats: [1, null] },
      prepaid_units: [],
      predecessor: null,
      successor: null,
      nothing_more_due: false,
      stream_revision: '0',
    });
  });

  it('the successor shows from the deciding event, before its own stream begins', async () => {
    await start();
    await renew();
    expect(await touchedRow(SUBSCRIPTION_ID)).toMatchObject({ state: 'renewed', successor: SUCCESSOR_ID });
    const shown = {
      start_at: boundary,
      end_at: instant('2026-03-01'),
      state: 'open',
      is_new: false,
      predecessor: SUBSCRIPTION_ID,
      filters,
    };
    expect(await touchedRow(SUCCESSOR_ID)).toMatchObject({ ...shown, stream_revision: null });
    await log.append('subscription', SUCCESSOR_ID, begun);
    expect(await touchedRow(SUCCESSOR_ID)).toMatchObject({ ...shown, stream_revision: '0' });
  });

  it('an ended term has no successor', async () => {
    await start();
    await log.append('subscription', SUBSCRIPTION_ID, {
      type: 'SubscriptionEnded',
      data: { subscriptionId: SUBSCRIPTION_ID, effectiveAt: boundary },
    });
    expect(await touchedRow(SUBSCRIPTION_ID)).toMatchObject({
      state: 'ended',
      successor: null,
      end_at: boundary,
    });
  });

  it('nothing more is due when a run that read the term as it is says so', async () => {
    await start();
    await run('0', boundary);
    expect((await touchedRow(SUBSCRIPTION_ID))!.nothing_more_due).toBe(false);
    await run('0', null);
    expect((await touchedRow(SUBSCRIPTION_ID))!.nothing_more_due).toBe(true);
    // The renewal changes nothing that the term owes.
    await renew();
    expect((await touchedRow(SUBSCRIPTION_ID))!.nothing_more_due).toBe(true);
  });

  it('a run that had not read the last change of a term does not say whether more is due', async () => {
    await start();
    await run('0', null);
    await log.append('subscription', SUBSCRIPTION_ID, {
      type: 'EndDateChanged',
      data: { subscriptionId: SUBSCRIPTION_ID, end: boundary, effectiveAt: instant('2026-01-10') },
    });
    expect((await touchedRow(SUBSCRIPTION_ID))!.nothing_more_due).toBe(false);
    await run('0', null);
    expect((await touchedRow(SUBSCRIPTION_ID))!.nothing_more_due).toBe(false);
    await run('1', null);
    expect((await touchedRow(SUBSCRIPTION_ID))!.nothing_more_due).toBe(true);
  });

  it('a run that names a term nobody has shown leaves no row', async () => {
    await run('0', null, SUCCESSOR_ID);
    expect(await touchedRow(SUCCESSOR_ID)).toBeUndefined();
  });

  it('a batch applied again changes nothing', async () => {
    const events = [...(await start()), ...(await run('0', null)), ...(await renew())];
    events.push(...(await log.append('subscription', SUCCESSOR_ID, begun)), ...(await run('1', null)));
    const before = [await touchedRow(SUBSCRIPTION_ID), await touchedRow(SUCCESSOR_ID)];
    await log.repeat(events);
    expect([await touchedRow(SUBSCRIPTION_ID), await touchedRow(SUCCESSOR_ID)]).toEqual(before);
  });
});
