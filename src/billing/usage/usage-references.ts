import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { FindMissingMetrics } from '../../catalog/queries/metrics.js';
import { invalidFields, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { TermReader } from '../../subscription/term-reader.js';

/** Resources that narrow a list of usage or events. */
interface References {
  readonly metricId: Uuid | undefined;
  readonly subscriptionId: Uuid | undefined;
}

/** Checks that the ids of a filter exist. Otherwise a mistyped id would be answered as if nothing had been used. */
@Injectable()
export class UsageReferences {
  constructor(
    private readonly queries: QueryBus,
    private readonly subscriptions: TermReader,
  ) {}

  /** @throws DomainError `does_not_exist` naming each that does not exist; StoreUnavailable */
  async requireKnown(org: Uuid, { metricId, subscriptionId }: References): Promise<void> {
    const [missing, subscription] = await Promise.all([
      metricId && this.queries.execute(new FindMissingMetrics(org, [metricId])),
      subscriptionId && this.subscriptions.load(org, subscriptionId),
    ]);
    const unknown = (what: 'metric' | 'subscription') => ({
      code: 'does_not_exist' as const,
      attr: `${what}_id`,
      detail: unknownId(what),
    });
    const faults = [
      ...(subscriptionId && !subscription ? [unknown('subscription')] : []),
      ...(metricId && missing && missing.has(metricId) ? [unknown('metric')] : []),
    ];
    if (faults[0]) throw invalidFields(faults[0], ...faults.slice(1));
  }
}
