import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Kysely, PostgresDialect } from 'kysely';
import { catalogProjection } from '../../projections/catalog/projection.js';
import { plansProjection } from '../../projections/plans/projection.js';
import { BatchWriter } from '../../projections/runtime/batch-writer.js';
import { loadCheckpoint } from '../../projections/runtime/checkpoint.js';
import { createReadModels } from '../../projections/runtime/read-model-tables.js';
import type { Projection } from '../../projections/runtime/projection.js';
import { subscriptionsProjection } from '../../projections/subscriptions/projection.js';
import { featureDecider } from '../../src/catalog/domain/feature.js';
import { metricDecider } from '../../src/catalog/domain/metric.js';
import { planDecider, type PlanCommand } from '../../src/catalog/domain/plan.js';
import type { Plan } from '../../src/catalog/domain/plan-state.js';
import type { CreatePlanCommand } from '../../src/catalog/domain/publish-version.js';
import { metricOf } from '../../src/catalog/queries/metrics.js';
import { planViewsOf } from '../../src/catalog/queries/plans.js';
import { selectPlans } from '../../src/catalog/queries/select-plans.js';
import type { MetricRow } from '../../src/catalog/read-models.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { instant, plusMicros, SECOND, type Instant } from '../../src/kernel/instant.js';
import { Policies } from '../../src/platform/eventsourcing/policies/policies.js';
import { CommandRunner } from '../../src/platform/eventsourcing/command-runner/command-runner.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { aMetricProposal, aPlanCommand, aPriceContent, aVersionDraft } from '../support/builders/catalog.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const START = instant('2026-01-01T00:00:00.000001Z');
const text = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((s) => s.isWellFormed() && !s.includes('\0'));

const planCommands = fc
  .record({
    name: text,
    description: fc.option(text),
    duration: fc.constantFrom('monthly', 'quarterly', 'yearly', null),
    tags: fc.array(fc.stringMatching(/^[-a-zA-Z0-9_]+$/)),
    initialVersion: fc.record({
      number: fc.integer({ min: 1, max: 9 }),
      currency: fc.constantFrom('USD', 'JPY'),
      localizedName: fc.option(text),
      dayAnchor: fc.option(fc.integer({ min: 1, max: 31 })),
      targetCustomerKeys: fc.array(fc.uuid(), { maxLength: 3 }),
    }),
  })
  .map(({ initialVersion: { currency, ...version }, ...plan }): CreatePlanCommand => {
    const content = aPriceContent({ currency });
    const initialVersion = aVersionDraft({ ...version, content, versionId: randomUUID() });
    return aPlanCommand({ ...plan, planId: randomUUID(), initialVersion });
  });

describe('the rows of the catalog', () => {
  let database: TestDatabase;
  let store: InMemoryEventStore;
  let now: Instant;
  const context = (org: string) => ({ org, commandId: randomUUID(), correlationId: 'test', actor: 'system' });
  const runner = () =>
    new CommandRunner(store, { now: async () => now }, new Policies(), createLogger('silent'));

  /** Projects all events behind the checkpoint, in batches of this size. */
  async function project(projection: Projection, batchSize: number): Promise<void> {
    const writer = new BatchWriter(database.pool, projection);
    let { position } = await loadCheckpoint(database.pool, projection);
    const events: RecordedEvent[] = [];
    for await (const event of store.readAll(position.commit < 0n ? undefined : position)) events.push(event);
    for (let batch = events.splice(0, batchSize); batch.length > 0; batch = events.splice(0, batchSize)) {
      await writer.apply(position, batch, undefined);
      position = batch.at(-1)!.position;
    }
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    store = new InMemoryEventStore();
    now = START;
    await createReadModels(database.pool, [plansProjection, catalogProjection, subscriptionsProjection]);
  });
  afterAll(() => database.drop());

  it('return every plan as its stream folds, wherever batches end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(planCommands, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 7 }),
        async (commands, batchSize) => {
          const org = randomUUID();
          const folded: Plan[] = [];
          for (const command of commands) {
            now = plusMicros(now, SECOND);
            const { state } = await runner().run(planDecider, command.planId, command, context(org));
            folded.unshift(state!);
          }
          await project(plansProjection, batchSize);
          const db = new Kysely<Record<never, never>>({
            dialect: new PostgresDialect({ pool: database.pool }),
          });
          const rows = await selectPlans(db, org, {}, { limit: 10 }, now).execute();
          expect(planViewsOf(rows, new Map(), now).map(({ plan }) => plan)).toEqual(folded);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('return a plan as its stream folds after every kind of change', async () => {
    const org = randomUUID();
    const [planId, first, second] = [randomUUID(), randomUUID(), randomUUID()];
    const targets = { how: 'add', customerKeys: [randomUUID()], running: [] } as const;
    const feature = { featureId: randomUUID(), name: 'sso', description: null };
    const window = { activeFrom: now, activeTo: plusMicros(now, SECOND), localizedName: 'Okno' };
    const commands: PlanCommand[] = [
      aPlanCommand({ planId, initialVersion: aVersionDraft({ versionId: first }) }),
      { type: 'ChangePlanDetails', name: 'Renamed', description: 'changed' },
      { type: 'ChangePlanTags', how: 'set', tags: ['one', 'two'] },
      {
        type: 'PublishVersion',
        version: aVersionDraft({ versionId: second, number: null }),
        makeActive: 'replace_on_renewal',
      },
      { type: 'AddPlanFeature', feature, versionIds: 'all' },
      { type: 'ChangeVersion', versionId: second, ...window },
      { type: 'ChangeVersionTargets', versionId: second, change: targets },
      { type: 'ChangeVersionTargets', versionId: second, change: { how: 'make-public' } },
      { type: 'ReplaceVersion', versionId: second, replaceWith: first },
      { type: 'DeleteVersion', versionId: second, running: [] },
      { type: 'DeletePlan', running: [] },
    ];
    const db = new Kysely<Record<never, never>>({ dialect: new PostgresDialect({ pool: database.pool }) });
    for (const command of commands) {
      const { state, events } = await runner().run(planDecider, planId, command, context(org));
      expect(events).not.toEqual([]);
      await project(plansProjection, 2);
      const rows = await selectPlans(db, org, { planId }, { limit: 1 }, now).execute();
      // Only commands ask for the number that a custom version had.
      const versions = state!.versions.map((version) => ({ ...version, formerNumber: undefined }));
      expect(planViewsOf(rows, new Map(), now).map(({ plan }) => plan)).toEqual([{ ...state, versions }]);
    }
    expect(await selectPlans(db, org, {}, { limit: 10 }, now).execute()).toEqual([]);
  });

  it('return a metric and a feature as they were defined', async () => {
    const org = randomUUID();
    const metricId = randomUUID();
    const featureId = randomUUID();
    const proposal = aMetricProposal({
      aggregation: 'sum',
      propertyName: 'bytes',
      numericFilters: [{ propertyName: 'bytes', operator: 'gt', comparisonValue: '0.1' }],
      categoricalFilters: [{ propertyName: 'region', operator: 'isnotin', comparisonValue: ['eu', 'us'] }],
    });
    const metric = { type: 'DefineMetric', metricId, name: 'bytes', proposal } as const;
    const feature = { type: 'DefineFeature', featureId, name: 'sso', description: null } as const;
    const defined = await runner().run(metricDecider, metricId, metric, context(org));
    await runner().run(featureDecider, featureId, feature, context(org));
    await project(catalogProjection, 3);

    const metrics = await database.pool.query<MetricRow>('select * from metrics where org = $1', [org]);
    expect(metrics.rows.map(metricOf)).toEqual([defined.state]);
    expect(metrics.rows).toMatchObject([{ created_at: now, stream_revision: '0' }]);
    const features = await database.pool.query('select * from features where org = $1', [org]);
    expect(features.rows).toEqual([
      { org, feature_id: featureId, name: 'sso', description: null, created_at: now, stream_revision: '0' },
    ]);
  });

  it('say in the database what every column means', async () => {
    const { rows } = await database.pool.query<{ columns: string; comments: string }>(`
      select count(*) as columns, count(col_description(c.oid, a.attnum)) as comments
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relname in ('plans', 'plan_versions', 'metrics', 'features') and c.relkind = 'v'`);
    expect(Number(rows[0]!.columns)).toBeGreaterThan(40);
    expect(rows[0]!.comments).toBe(rows[0]!.columns);
  });
});
