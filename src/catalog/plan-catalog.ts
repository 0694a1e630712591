import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import type { PlanDuration } from '../kernel/period.js';
import { streamName } from '../kernel/event.js';
import {
  orgOfScope,
  sessionOf,
  type ReadScope,
} from '../platform/eventsourcing/command-runner/command-context.js';
import {
  readState,
  rememberedState,
  type ReadState,
} from '../platform/eventsourcing/command-runner/stream-state-cache.js';
import { Database } from '../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { planDecider } from './domain/plan.js';
import type { Plan, PlanVersion } from './domain/plan-state.js';
import { ReadModelCatchUp } from '../platform/eventsourcing/read-model-catch-up.js';
import type { PlanVersionRow } from './read-models.js';

export interface CatalogVersion {
  readonly planId: Uuid;
  /** Revision of the plan's stream at which its changeable fields were read. */
  readonly revision: bigint;
  readonly planName: string;
  readonly duration: PlanDuration | null;
  readonly version: PlanVersion;
}

/** Plan that is still sold, with all its versions. */
export interface PlanOnSale extends Plan {
  /** Revision of the plan's stream at which it was read. */
  readonly revision: bigint;
  /** Instant of `performance.now()` at which the read began. */
  readonly readAt: number;
}

/** Selects a version by its id, or the plan whose version is to be found. */
export type VersionSelector = { readonly planId: Uuid } | { readonly versionId: Uuid };

/**
 * Reads plans for other modules, from the log. Prices never change and stay in memory; fields that change are read from
 * the stream each time.
 */
@Injectable()
export class PlanCatalog {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly database: Database,
    private readonly catchUp: ReadModelCatchUp,
  ) {}

  /** Returns a catalog that reads another view of the log. */
  withStore(store: EventStore): PlanCatalog {
    return new PlanCatalog(store, this.database, this.catchUp);
  }

  /** Returns a plan with all its versions, as candidates for `resolveVersion`. @throws StoreUnavailable */
  async candidates(scope: ReadScope, planId: Uuid): Promise<Plan | undefined> {
    return (await this.read(scope, planId)).plan;
  }

  /** @throws DomainError `unavailable`, StoreUnavailable */
  async onSale(scope: ReadScope, wanted: VersionSelector): Promise<PlanOnSale | undefined> {
    const planId =
      'planId' in wanted ? wanted.planId : await this.planOf(orgOfScope(scope), wanted.versionId);
    if (planId === undefined) return undefined;
    const readAt = sessionOf(scope)?.readsSince ?? performance.now();
    const { plan, revision } = await this.read(scope, planId);
    return plan?.deletedAt === null ? { ...plan, revision: revision!, readAt } : undefined;
  }

  /**
   * Returns one version of a plan; undefined if the plan has no such version.
   * Deleted versions are returned: their terms are still priced by them. @throws StoreUnavailable
   */
  async versionOf(scope: ReadScope, planId: Uuid, versionId: Uuid): Promise<CatalogVersion | undefined> {
    const { plan, revision } = await this.read(scope, planId);
    return versionIn(planId, versionId, { state: plan, revision });
  }

  /** Returns a version for its prices, which never change: a plan that is remembered with it is not read again. */
  async soldVersion(org: Uuid, planId: Uuid, versionId: Uuid): Promise<CatalogVersion | undefined> {
    const known = rememberedState(this.store, streamName('plan', org, planId), planDecider);
    return versionIn(planId, versionId, known) ?? this.versionOf(org, planId, versionId);
  }

  /**
   * Returns the plan of a version. If the read model lacks the version, waits until the read model has caught up, as the
   * version may be new.
   * @throws DomainError `unavailable` if the read model takes too long
   */
  async planOf(org: Uuid, versionId: Uuid): Promise<Uuid | undefined> {
    return this.catchUp.find(() => this.locate(org, versionId));
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
    scope: ReadScope,
    planId: Uuid,
  ): Promise<{ plan: Plan | undefined; revision: bigint | undefined }> {
    const stream = streamName('plan', orgOfScope(scope), planId);
    const session = sessionOf(scope);
    const { state, revision } = await readState(this.store, stream, planDecider, undefined, session);
    return { plan: state, revision };
  }
}

function versionIn(
  planId: Uuid,
  versionId: Uuid,
  { state: plan, revision }: Partial<ReadState<Plan | undefined>> = {},
): CatalogVersion | undefined {
  const version = plan?.versions.find((candidate) => candidate.versionId === versionId);
  if (!plan || !version || revision === undefined) return undefined;
  return { planId, revision, planName: plan.name, duration: plan.duration, version };
}
