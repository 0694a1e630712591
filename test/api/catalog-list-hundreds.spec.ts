import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { startTestApp, type TestApp } from '../support/app.js';
import { aPlanBody } from '../support/builders/catalog-bodies.js';

interface Version {
  readonly currency: string;
  readonly isCustom: boolean;
  readonly phase: 'active' | 'ended' | 'not_started';
}

interface Plan {
  readonly name: string;
  readonly duration: string | null;
  readonly tags: readonly string[];
  readonly versions: readonly Version[];
}

type Filters = Readonly<Record<string, readonly string[]>>;

const COUNT = 240;
const DURATIONS = ['monthly', 'quarterly', 'yearly', null];
const TAGS = ['Public', 'eu', 'beta'];
const PHASES = ['active', 'ended', 'not_started'] as const;

/** Plans with varied durations, tags, currencies, phases and kinds of versions. */
const PLANS: readonly Plan[] = Array.from({ length: COUNT }, (_, n) => ({
  name: `Plan ${String(n).padStart(3, '0')}`,
  duration: DURATIONS[n % 4]!,
  tags: TAGS.filter((_, place) => (n >> place) & 1),
  versions: [
    { currency: n % 3 === 0 ? 'EUR' : 'USD', isCustom: n % 5 === 0, phase: n % 7 === 0 ? 'ended' : 'active' },
    ...(n % 4 === 1 ? [{ currency: 'USD', isCustom: false, phase: 'not_started' as const }] : []),
  ],
}));

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  const post = async (path: string, body: object) =>
    (await app.request.post(path).send(body).expect(201)).body;
  await post('/api/customers/', { customer_id: 'acme' });
  const toEnd: string[] = [];
  for (const { name, duration, tags, versions } of PLANS) {
    const [first, second] = versions;
    const targets = first!.isCustom ? { target_customer_ids: ['acme'] } : {};
    const version = { currency_code: first!.currency, ...targets };
    const plan = await post('/api/plans/', aPlanBody(name, version, { plan_duration: duration, tags }));
    if (first!.phase === 'ended') toEnd.push(plan.versions[0].version_id);
    if (second)
      await post('/api/plan_versions/', { plan_id: plan.plan_id, version: 2, currency_code: 'USD' });
  }
  for (const version of toEnd) {
    await app.request
      .patch(`/api/plan_versions/${version}/`)
      .send({ active_to: '2026-01-01T06:00:00Z' })
      .expect(200);
  }
  await app.advance('2026-01-02T00:00:00Z');
});
afterAll(() => app.stop());

/** Returns the plans and versions that pass the filters by the rules of docs/contract.md#list-plans. */
function kept(filters: Filters): { name: string; versions: Version[] }[] {
  const of = (name: string) => filters[name] ?? [];
  const has = (plan: Plan) => (tag: string) =>
    plan.tags.some((one) => one.toLowerCase() === tag.toLowerCase());
  return PLANS.filter(
    (plan) =>
      (of('duration').length === 0 || of('duration').includes(plan.duration ?? 'none')) &&
      !of('exclude_tags').some(has(plan)) &&
      (of('include_tags').length === 0 || of('include_tags').some(has(plan))) &&
      of('include_tags_all').every(has(plan)),
  )
    .map(({ name, versions }) => ({
      name,
      versions: versions.filter(({ currency, isCustom, phase }) => {
        const [type = 'all'] = of('version_custom_type');
        return (
          (of('version_currency_code').length === 0 || of('version_currency_code').includes(currency)) &&
          (type === 'all' || isCustom === (type === 'custom_only')) &&
          (of('version_status').length === 0 || of('version_status').includes(phase))
        );
      }),
    }))
    .filter(({ versions }) => versions.length > 0);
}

const list = async (query: string) => {
  const { body } = await app.request.get(`/api/plans/?${query}`).expect(200);
  return (
    body as {
      plan_name: string;
      versions: { currency: { code: string }; target_customers: unknown[]; status: string }[];
    }[]
  ).map((plan) => ({
    name: plan.plan_name,
    versions: plan.versions.map(({ currency, target_customers: targets, status }) => ({
      currency: currency.code,
      isCustom: targets.length > 0,
      phase: status === 'inactive' ? 'ended' : status,
    })),
  }));
};

const queryOf = (filters: Filters) =>
  Object.entries(filters)
    .flatMap(([name, values]) => values.map((value) => `${name}=${value}`))
    .join('&');

const ALONE: readonly Filters[] = [
  ...DURATIONS.filter((one) => one !== null).map((one) => ({ duration: [one] })),
  { exclude_tags: ['EU'] },
  { exclude_tags: ['eu', 'beta'] },
  { include_tags: ['public'] },
  { include_tags: ['public', 'beta'] },
  { include_tags_all: ['public', 'BETA'] },
  { include_tags_all: ['public', 'eu', 'beta'] },
  { version_currency_code: ['EUR'] },
  { version_custom_type: ['custom_only'] },
  { version_custom_type: ['public_only'] },
  { version_custom_type: ['all'] },
  ...PHASES.map((phase) => ({ version_status: [phase] })),
  { version_status: ['ended', 'not_started'] },
];

describe('a list of hundreds of plans', () => {
  it('is whole without any filter, newest first, then by name', async () => {
    expect(await list('')).toEqual(kept({}));
  });

  it.each(ALONE)('keeps by %j what the contract says', async (filters) => {
    const wanted = kept(filters);
    expect(wanted.length).toBeGreaterThan(0);
    expect(await list(queryOf(filters))).toEqual(wanted);
  });

  it('keeps by any combination of the filters what each of them keeps', async () => {
    const some = (choices: readonly string[]) => fc.subarray([...choices]);
    const one = (choices: readonly string[]) => fc.subarray([...choices], { maxLength: 1 });
    const filters = fc.record({
      duration: one(['monthly', 'quarterly', 'yearly']),
      exclude_tags: one(TAGS),
      include_tags: some(TAGS),
      include_tags_all: some(TAGS),
      version_currency_code: one(['USD', 'EUR']),
      version_custom_type: one(['custom_only', 'public_only', 'all']),
      version_status: some(PHASES),
    });
    await fc.assert(
      fc.asyncProperty(filters, async (combined) => {
        expect(await list(queryOf(combined))).toEqual(kept(combined));
      }),
      { numRuns: 60 },
    );
  });

  it('takes as many statements as a list of one', async () => {
    const statements = async (query: string) => {
      const asked = jest.spyOn(pg.Client.prototype, 'query');
      await list(query);
      // Background work reads other tables.
      const texts = asked.mock.calls.map(
        ([sent]) => (sent as unknown as { text?: string }).text ?? String(sent),
      );
      asked.mockRestore();
      return texts.filter((text) => /\b(?:plan_versions|customers)\b/.test(text)).length;
    };
    const ofOne = await statements('limit=1');
    expect(ofOne).toBeGreaterThan(0);
    expect(await statements('limit=1000')).toBe(ofOne);
  });
});
