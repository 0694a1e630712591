import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadDrawdowns } from '../../src/billing/credits/get-credit.js';
import type { CreditRow } from '../../src/billing/read-models/credits.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { Database } from '../../src/platform/database/open-database.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
});
afterAll(() => app.stop());

describe('the drawdowns of a page of credits', () => {
  it('are divided in one pass, each to its credit, in the order of their times', async () => {
    const ids = Array.from({ length: 20 }, () => randomUUID() as Uuid);
    await app.pool.query(
      `insert into credit_drawdowns (org, credit_id, invoice_id, amount, applied_at)
        select $1, id, gen_random_uuid(), n, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 day'
        from unnest($2::uuid[]) id cross join generate_series(1, 50) n`,
      [app.org, ids],
    );
    let looks = 0;
    const credits = ids.map((id) => ({
      get credit_id() {
        looks += 1;
        return id;
      },
    })) as unknown as CreditRow[];
    const views = await loadDrawdowns(app.service.app.get(Database), app.org, credits);
    expect(looks).toBeLessThan(5 * ids.length);
    const amounts = Array.from({ length: 50 }, (_, n) => n + 1);
    for (const [index, { drawdowns }] of views.entries()) {
      expect(drawdowns.map(({ amount }) => Number(amount))).toEqual(amounts);
      expect(new Set(drawdowns.map((row) => row.credit_id))).toEqual(new Set([ids[index]]));
    }
  });
});
