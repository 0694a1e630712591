import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import { type DomainEvent, streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import type { StreamDecider } from '../../platform/eventsourcing/command-runner/command-context.js';
import { forEachConcurrent } from '../../platform/concurrency/limits.js';
import { EVENT_STORE, type EventStore, foldStream } from '../../platform/eventsourcing/store/event-store.js';
import { featureDecider } from '../domain/feature.js';
import { metricDecider } from '../domain/metric.js';
import type { VersionOutline, VersionReferences } from '../domain/version-proposal.js';

/** Finds the metrics, features and customers that a version names, in the log. Archived metrics count as missing. */
export class FindVersionReferences extends Query<VersionReferences> {
  constructor(
    readonly org: Uuid,
    readonly outline: VersionOutline,
  ) {
    super();
  }
}

/** Streams read concurrently. */
const AT_ONCE = 8;

@QueryHandler(FindVersionReferences)
export class FindVersionReferencesHandler implements IQueryHandler<FindVersionReferences> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly customers: CustomerDirectory,
    private readonly organizations: OrganizationReader,
  ) {}

  /** @throws StoreUnavailable */
  async execute({ org, outline }: FindVersionReferences): Promise<VersionReferences> {
    const metricIds = outline.components.flatMap(({ metricId }) => metricId ?? []);
    const featureIds = outline.featureIds.flatMap((featureId) => featureId ?? []);
    const [organization, metrics, features, customerKeys] = await Promise.all([
      this.organizations.load(org),
      this.read(metricDecider, org, metricIds),
      this.read(featureDecider, org, featureIds),
      this.customers.exist(org, outline.targetCustomerKeys),
    ]);
    for (const [id, { archivedAt }] of metrics) if (archivedAt !== null) metrics.delete(id);
    if (!organization) throw new Error(`there is no organization ${org}`);
    const organizationCurrency = organization.settings.defaultCurrency;
    return { organizationCurrency, metrics, features, customerKeys };
  }

  /** Reads the streams that exist, by id. */
  private async read<Defined, Command, Event extends DomainEvent>(
    decider: StreamDecider<Defined | undefined, Command, Event>,
    org: Uuid,
    ids: readonly Uuid[],
  ): Promise<Map<Uuid, Defined>> {
    const found = new Map<Uuid, Defined>();
    await forEachConcurrent(new Set(ids), AT_ONCE, async (id) => {
      const { state } = await foldStream(this.store, streamName(decider.category, org, id), decider);
      if (state !== undefined) found.set(id, state);
    });
    return found;
  }
}
