import { Inject, Injectable } from '@nestjs/common';
import { ProjectionProgress } from '../../projections/runtime/progress.js';
import type { PlanVersionRow } from '../../projections/plans/schema.js';
import { DomainError } from '../kernel/errors.js';
import type { Uuid } from '../kernel/ids.js';
import type { PlanDuration } from '../kernel/period.js';
import { streamName } from '../kernel/stream.js';
import { Database } from '../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../platform/event-store/event-store.js';
import { foldStream } from '../platform/event-store/fold-stream.js';
import type { PublishedVersion } from './domain/events.js';
import { planAggregate, type Plan } from './domain/plan.js';

export interface SoldVersion {
  readonly planId: Uuid;
  readonly planName: string;
  readonly duration: PlanDuration | null;
  readonly version: PublishedVersion;
}

const REMEMBERED = 1_000;
const READ_MODEL_WITHIN_MS = 2_000;

/** What other modules may know of plans: read from the plan's stream, so never behind it. */
@Injectable()
export class PlanCatalog {
  /**
   * By organization and version id, the least recently used first. Nothing of a published version changes; once its
   * features, targets or the plan's name can, only the price content may stay in here.
   */
  readonly #versions = new Map<string, SoldVersion>();

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly database: Database,
    private readonly progress: ProjectionProgress,
  ) {}

  /** A plan with all its versions, as candidates for `resolveVersion`. @throws StoreUnavailable */
  async candidates(org: Uuid, planId: Uuid): Promise<Plan | undefined> {
    const { state } = await foldStream(this.store, streamName('plan', org, planId), planAggregate);
    return state;
  }

  /** One version of a plan; undefined when the plan has no such version. @throws StoreUnavailable */
  async versionOf(org: Uuid, planId: Uuid, versionId: Uuid): Promise<SoldVersion | undefined> {
    const key = `${org}/${versionId}`;
    const found = this.#versions.get(key) ?? (await this.read(org, planId, versionId));
    if (!found || found.planId !== planId) return undefined;
    this.remember(key, found);
    return found;
  }

  /**
   * The plan that a version belongs to. A version that the read model does not show may just have been published: it is
   * unknown only when the read model has reached the log as it is now.
   * @throws DomainError `unavailable` when the read model does not get there in time
   */
  async planOf(org: Uuid, versionId: Uuid): Promise<Uuid | undefined> {
    const shown = await this.locate(org, versionId);
    if (shown) return shown;
    const head = await this.store.head();
    if (head && !(await this.progress.waitFor(head, READ_MODEL_WITHIN_MS))) {
      throw new DomainError('unavailable', 'The read models are behind. Try again in a moment.');
    }
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

  private async read(org: Uuid, planId: Uuid, versionId: Uuid): Promise<SoldVersion | undefined> {
    const plan = await this.candidates(org, planId);
    const version = plan?.versions.find((candidate) => candidate.versionId === versionId);
    return plan && version && { planId, planName: plan.name, duration: plan.duration, version };
  }

  private remember(key: string, version: SoldVersion): void {
    this.#versions.delete(key);
    if (this.#versions.size >= REMEMBERED) this.#versions.delete(this.#versions.keys().next().value!);
    this.#versions.set(key, version);
  }
}
