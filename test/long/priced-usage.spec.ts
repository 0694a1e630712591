import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp } from '../support/app.js';
import { recount } from '../support/recount.js';
import { shopOf, type Shop } from '../support/shop.js';
import { withoutProofs } from '../tamper/hostile-changes.js';
import { pack, unpack, withLines, type BundleFiles, type Forged } from '../cli/evidence/edit-bundle.js';
import { checkInPython } from '../cli/evidence/run-python.js';
import { verify } from '../cli/evidence/verify-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-priced-'));
const fileOf = (name: string): string => path.join(folder, `${name}.zip`);
let key: string;

const free = { type: 'free', range_start: 0, range_end: 5 };
const unit = (changes: object = {}) => ({
  type: 'per_unit',
  range_start: 5,
  cost_per_batch: 1,
  metric_units_per_batch: 1,
  ...changes,
});
const FILTERED = {
  aggregation_type: 'sum',
  property_name: 'bytes',
  numeric_filters: [{ property_name: 'size', operator: 'gte', comparison_value: '10' }],
  categorical_filters: [
    { property_name: 'code', operator: 'isin', comparison_value: ['200', 'true', '1000000000000000000000'] },
    { property_name: 'region', operator: 'isnotin', comparison_value: ['us'] },
  ],
};
const BULK = [
  { ...free, range_end: 3 },
  unit({ range_start: 4, range_end: 7, cost_per_batch: 2 }),
  unit({ range_start: 7, range_end: 20, metric_units_per_batch: 4, batch_rounding_type: 'round_nearest' }),
];

/** Usage of which the filters let 2 + 4 + 8 + 16 pass. */
const SENT: readonly object[] = [
  { bytes: 1, size: 9, code: 200 },
  { bytes: 2, size: '10', code: '200' },
  { bytes: 4, size: 10.5, code: true, region: 'eu' },
  { bytes: 8, size: 1e3, code: 1e21, region: null },
  { bytes: 16, size: 11, code: 200.0, region: ['us'] },
  { bytes: 32, size: 11, code: 200, region: 'us' },
  { bytes: 64, size: 11, code: null },
  { bytes: 128, size: true, code: 200 },
  { bytes: 256, code: 200 },
].map((properties) => ({ team: 'a', ...properties }));

async function sold(shop: Shop, customer: string, plan: string, changes: object = {}): Promise<string> {
  await shop.customer(customer);
  const subscription = await shop.subscribe(customer, plan, '2026-01-01', changes);
  return subscription.subscription_id as string;
}

beforeAll(async () => {
  const app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  try {
    const shop = shopOf(app);
    const planOf = (name: string, component: object) =>
      shop.plan(name, { recurring_charges: [], components: [component] });
    const filtered = await shop.metric({ metric_name: 'filtered', ...FILTERED });
    const counted = await shop.metric({ metric_name: 'counted' });
    await sold(shop, 'filters', await planOf('Filtered', { metric_id: filtered, tiers: [free, unit()] }), {
      subscription_filters: [{ property_name: 'team', value: 'a' }],
    });
    const bulk = { metric_id: counted, bulk_pricing_enabled: true, tiers: BULK };
    await sold(shop, 'bulk', await planOf('Bulk', bulk));
    const prepaid = (units: number, behavior: string) => ({
      metric_id: counted,
      tiers: [free, unit()],
      prepaid_charge: { units, charge_behavior: behavior },
    });
    const changed = await sold(shop, 'prepaid', await planOf('Prepaid', prepaid(6, 'full')));
    await sold(shop, 'prorated', await planOf('Prorated', prepaid(9, 'prorate')));
    await app.advance('2026-01-10T00:00:00Z');
    const batch = [
      ...[...SENT, { bytes: 512, size: 11, code: 200, team: 'b' }].map((properties) => ({
        customer: 'filters',
        at: '2026-01-09T12:00:00Z',
        properties,
      })),
      ...['bulk', 'prepaid', 'prorated'].flatMap((customer) =>
        Array.from({ length: 10 }, () => ({ customer, at: '2026-01-09T12:00:00Z' })),
      ),
    ];
    await shop.use(...batch);
    await app.request
      .post(`/api/subscriptions/${changed}/components/${counted}/change_prepaid_units/`)
      .send({ units: 8 })
      .expect(200);
    await app.advance('2026-02-02T00:00:00Z');
    await app.request.post('/api/audit/checkpoints/').expect(201);
    key = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
    for (const name of ['filters', 'bulk', 'prepaid', 'prorated']) {
      expect((await recount(app, 'audit', 'export', fileOf(name), '--customer', name)).isWell).toBe(true);
    }
  } finally {
    await app.stop();
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Verified {
  readonly number: string;
  readonly cost_due: string;
}
async function invoicesOf(name: string): Promise<Verified[]> {
  const { code, text } = await verify(fileOf(name), '--json', '--key', key);
  expect(code).toBe(0);
  return (JSON.parse(text) as { invoices: Verified[] }).invoices;
}
const checked = async (name: string, number: string) =>
  JSON.parse(await checkInPython(fileOf(name), number, key)) as Forged;

describe('a script of the standard library, written from the documentation alone, computes', () => {
  it('usage that filters of the metric and of the subscription let pass', async () => {
    const [invoice] = await invoicesOf('filters');
    expect(await checked('filters', invoice!.number)).toMatchObject({ lines: ['filtered'], cost_due: 2500 });
  });

  it('bulk pricing, with rounded batches', async () => {
    const [invoice] = await invoicesOf('bulk');
    // Ten units in batches of four are three batches.
    expect(await checked('bulk', invoice!.number)).toMatchObject({ lines: ['counted'], cost_due: 300 });
  });

  it.each([
    ['prepaid', [['counted (prepaid)'], [], ['counted', 'counted (prepaid)']]],
    ['prorated', [['counted (prepaid)'], ['counted', 'counted (prepaid)']]],
  ] as const)('%s units, and usage above them', async (name, lines) => {
    const found: string[][] = [];
    for (const { number, cost_due: due } of await invoicesOf(name)) {
      const one = await checked(name, number);
      expect(String(one.cost_due)).toBe(due);
      found.push([...one.lines].sort());
    }
    expect(found).toEqual(lines);
  });
});

describe('the script refuses a bundle without proofs after a change of', () => {
  const withEvents = (
    files: BundleFiles,
    type: string,
    change: (data: Forged) => void,
    part = '0001',
  ): BundleFiles =>
    withLines(withoutProofs(files), `events/${part}.jsonl`, (lines) => {
      for (const line of lines) if (line.type === type) change(line.data);
      return lines;
    });

  it.each<[string, string, (files: BundleFiles) => BundleFiles]>([
    [
      'a filter',
      'filters',
      (files) =>
        withEvents(
          files,
          'PlanVersionPublished',
          (data) => {
            data.version.content.components[0].metric.categoricalFilters.pop();
          },
          '0000',
        ),
    ],
    [
      'the tiers of bulk pricing',
      'bulk',
      (files) =>
        withEvents(
          files,
          'PlanVersionPublished',
          (data) => {
            data.version.content.components[0].volume = false;
          },
          '0000',
        ),
    ],
    [
      'prepaid units',
      'prorated',
      (files) =>
        withEvents(files, 'SubscriptionStarted', (data) => {
          data.term.prepaidUnits[0].units = '7';
        }),
    ],
  ])('%s', async (_, name, change) => {
    const invoices = await invoicesOf(name);
    await pack(change(await unpack(readFileSync(fileOf(name)))), fileOf('changed'));
    await expect(checkInPython(fileOf('changed'), invoices[0]!.number, key)).rejects.toThrow(
      /Assertion|Error/,
    );
  });
});
