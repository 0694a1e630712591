import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { customersProjection } from '../../projections/customers/projection.js';
import type { CustomerEvent } from '../../src/customer/domain/events.js';
import type { CustomerRow } from '../../src/customer/read-models.js';
import { instant } from '../../src/kernel/instant.js';
import { CUSTOMER_KEY as customerKey } from '../support/builders/catalog.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { projectedLog, type ProjectedLog } from '../support/projected.js';

const profile = {
  customerKey,
  sealed: 'v1.first',
  currency: 'EUR',
  taxRate: '8.375',
  timezone: 'Europe/Warsaw',
  country: 'PL',
  paymentProvider: 'provider_a',
};
const registered: CustomerEvent = { type: 'CustomerRegistered', data: profile };
const changed: CustomerEvent = {
  type: 'CustomerDetailsChanged',
  data: {
    ...profile,
    sealed: 'v1.second',
    currency: null,
    taxRate: null,
    timezone: null,
    country: null,
    paymentProvider: null,
  },
};

describe('the rows of customers', () => {
  let database: TestDatabase;
  let log: ProjectedLog;
  const row = async (): Promise<CustomerRow | undefined> =>
    (await database.pool.query<CustomerRow>('select * from customers where org = $1', [log.org])).rows[0];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    log = await projectedLog(database, customersProjection);
  });
  afterAll(() => database.drop());

  it('a customer is a row whose person stays sealed', async () => {
    await log.append('customer', customerKey, registered);
    expect(await row()).toEqual({
      org: log.org,
      customer_key: customerKey,
      sealed: 'v1.first',
      currency: 'EUR',
      tax_rate: '8.375',
      timezone: 'Europe/Warsaw',
      country: 'PL',
      payment_provider: 'provider_a',
      created_at: instant('2026-01-01'),
      updated_at: instant('2026-01-01'),
      deleted_at: null,
      erased_at: null,
      stream_revision: '0',
    });
  });

  it('a change replaces the whole profile and keeps when it was registered', async () => {
    await log.append('customer', customerKey, registered);
    await log.append('customer', customerKey, changed);
    expect(await row()).toMatchObject({
      sealed: 'v1.second',
      currency: null,
      tax_rate: null,
      timezone: null,
      country: null,
      payment_provider: null,
      created_at: instant('2026-01-01'),
      stream_revision: '1',
    });
  });

  it('a batch applied again changes nothing', async () => {
    const events = await log.append('customer', customerKey, registered, changed);
    const before = await row();
    await log.repeat(events);
    await log.repeat(events.slice(0, 1));
    expect(await row()).toEqual(before);
  });
});
