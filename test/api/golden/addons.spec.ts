import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { addonFixtureOf, addonFee, type AddonFixture } from '../../support/addon-fixture.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { shopOf } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { golden } from './golden.js';

describe('golden: add-ons', () => {
  let app: TestApp;
  let fixture: AddonFixture;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    fixture = addonFixtureOf(app);
    const plan = await shopOf(app).plan('P');
    await fixture.subscribed('twice', plan, '2026-01-01');
    await fixture.subscribed('later', plan, '2026-01-01', { auto_renew: false });
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  golden('addon-attach-twice', async ({ expect: wanted }) => {
    fixture.resume('twice');
    const addon_id = await fixture.addon({ recurring_charges: addonFee() });
    await fixture.attach(addon_id);
    const { body } = await fixture.post('attach/', { addon_id }).expect(wanted!.status as number);
    expect(body.title).toBe(wanted!.title);
  });

  golden('addon-test-invoice-later', async ({ expect: wanted }) => {
    fixture.resume('later');
    const invoice_when = 'invoice_on_subscription_end';
    const addon = await fixture.addon({ recurring_charges: addonFee(), invoice_when });
    await app.advance('2026-01-06T12:00:00Z');
    const before = (await fixture.invoices()).length;
    await fixture.attach(addon);
    expect(await fixture.invoices()).toHaveLength(before);
    await app.advance('2026-02-01T01:00:00Z');
    const { line_items: lines } = await fixture.newest();
    expect(lines.map(({ subtotal }: { subtotal: number }) => subtotal.toFixed(2))).toEqual([
      wanted!.end_line,
    ]);
  });
});
