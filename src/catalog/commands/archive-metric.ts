import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { StreamRestrictions } from '../../platform/eventsourcing/stream-restrictions.js';
import { Database } from '../../platform/database/open-database.js';
import { metricDecider, type Metric } from '../domain/metric.js';
import { ReadModelCatchUp } from '../../platform/eventsourcing/read-model-catch-up.js';
import type { AddonRow, PlanVersionRow } from '../read-models.js';

export class ArchiveMetric extends Command<Metric> {
  constructor(
    readonly context: CommandContext,
    readonly metricId: Uuid,
  ) {
    super();
  }
}

@CommandHandler(ArchiveMetric)
export class ArchiveMetricHandler implements ICommandHandler<ArchiveMetric> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly database: Database,
    private readonly catchUp: ReadModelCatchUp,
    private readonly restrictions: StreamRestrictions,
  ) {}

  /** @throws DomainError `not_found`; `invalid_operation` while a version that is not deleted counts by it */
  async execute({ context, metricId }: ArchiveMetric): Promise<Metric> {
    const { org } = context;
    const { state } = await this.restrictions.restrict(org, streamName('metric', org, metricId), async () => {
      const versionsInUse = await this.versionsWith(org, metricId);
      const command = { type: 'ArchiveMetric', versionsInUse } as const;
      return this.runner.run(metricDecider, metricId, command, context);
    });
    return state!;
  }

  private async versionsWith(org: Uuid, metricId: Uuid): Promise<number> {
    await this.catchUp.requireHead();
    const hasMetric = sql<boolean>`components @> ${JSON.stringify([{ metricId }])}::jsonb`;
    const tables = this.database.db.withTables<{ plan_versions: PlanVersionRow; addons: AddonRow }>();
    const { count } = await tables
      .selectFrom('plan_versions')
      .select('version_id')
      .where('org', '=', org)
      .where('deleted_at', 'is', null)
      .where(hasMetric)
      .unionAll(tables.selectFrom('addons').select('version_id').where('org', '=', org).where(hasMetric))
      .$call((versions) => tables.selectFrom(versions.as('v')).select(sql<number>`count(*)::int`.as('count')))
      .executeTakeFirstOrThrow();
    return count;
  }
}
