import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import type { PlanDuration } from '../kernel/period.js';
import { streamName } from '../kernel/stream.js';
import { readState } from '../platform/eventsourcing/command-runner/read-stream.js';
import { Database } from '../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { planAggregate } from './domain/plan.js';
import type { Plan, PlanVersion } from './domain/plan-state.js';
import { Freshness } from './freshness.js';
import type { PlanVersionRow } from './read-models.js';

export interface SoldVersion {
  readonly planId: Uuid;
  /** Revision of the plan's stream at which its changeable fields were read. */
  readonly revision: bigint;
  readonly planName: string;
  readonly duration: PlanDuration | null;
  readonly version: PlanVersion;
}

/**
 * Shows plans to other modules: read from the plan's stream, so never behind it. Prices never change and stay in
 * memory; what may change is read from the end of the stream every time.
 */
@Injectable()
export class PlanCatalog {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly database: Database,
    private readonly freshness: Freshness,
  ) {}

  /** The same, as another view of the log has it. */
  withStore(store: EventStore): PlanCatalog {
    return new PlanCatalog(store, this.database, this.freshness);
  }

  /** A plan with all its versions, as candidates for `resolveVersion`. @throws StoreUnavailable */
  async candidates(org: Uuid, planId: Uuid): Promise<Plan | undefined> {
    return (await this.read(streamName('plan', org, planId), undefined)).plan;
  }

  /**
   * One version of a plan, as it is or as it was at a revision of the plan's stream; undefined when the plan has no such
   * version. A deleted one is still what its terms are measured by. @throws StoreUnavailable
   */
  async versionOf(org: Uuid, planId: Uuid, versionId: Uuid, upTo?: bigint): Promise<SoldVersion | undefined> {
    const { plan, revision } = await this.read(streamName('plan', org, planId), upTo);
    const version = plan?.versions.find((candidate) => candidate.versionId === versionId);
    if (!plan || !version || revision === undefined) return undefined;
    return { planId, revision, planName: plan.name, duration: plan.duration, version };
  }

  /**
   * The plan that a version belongs to. A version that the read model does not show may just have been published: it is
   * unknown only when the read model has reached the log as it is now.
   * @throws DomainError `unavailable` when the read model does not get there in time
   */
  async planOf(org: Uuid, versionId: Uuid): Promise<Uuid | undefined> {
    const shown = await this.locate(org, versionId);
    if (shown) return shown;
    await this.freshness.require();
    return this.locate(org, versionId);
  }

  private async locate(org: Uuid, versionId: Uuid): Promise<Uuid | undefined> {
    const row = await this.database.db
      .withTables<{ plan_versions: PlanVersionRow }>()
      .selectFrom('plan_versions')
      .select('plan_id')
      .where('org', '=', org)
      .where('version_id', '=', versionId)
      .executeTakeFirst();
    return row?.plan_id;
  }

  private async read(
    stream: string,
    upTo: bigint | undefined,
  ): Promise<{ plan: Plan | undefined; revision: bigint | undefined }> {
    const { state, revision } = await readState(this.store, stream, planAggregate, upTo);
    return { plan: state, revision };
  }
}
