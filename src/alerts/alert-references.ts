import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { PlanCatalog } from '../catalog/plan-catalog.js';
import { FindMissingMetrics } from '../catalog/queries/metrics.js';
import { CustomerReader } from '../customer/customer-directory.js';
import { invalidFields, unknownId } from '../kernel/errors.js';
import type { Uuid } from '../kernel/ids.js';

/** Resources that an alert refers to. */
interface References {
  readonly metricId: Uuid;
  readonly planId: Uuid | null;
  readonly customerKey: Uuid | null;
}

/** Checks by the log that the customer, metric and plan of a new alert exist: any of them may be new. */
@Injectable()
export class AlertReferences {
  constructor(
    private readonly customers: CustomerReader,
    private readonly plans: PlanCatalog,
    private readonly queries: QueryBus,
  ) {}

  /** @throws DomainError `does_not_exist` naming each that does not exist; StoreUnavailable */
  async requireKnown(org: Uuid, { metricId, planId, customerKey }: References): Promise<void> {
    const [customer, missing, plan] = await Promise.all([
      customerKey && this.customers.loadPresent(org, customerKey),
      this.queries.execute(new FindMissingMetrics(org, [metricId])),
      planId && this.plans.candidates(org, planId),
    ]);
    const unknown = (what: 'customer' | 'metric' | 'plan') => ({
      code: 'does_not_exist' as const,
      attr: `${what}_id`,
      detail: unknownId(what),
    });
    const faults = [
      ...(customerKey && !customer ? [unknown('customer')] : []),
      ...(missing.has(metricId) ? [unknown('metric')] : []),
      ...(planId && !plan ? [unknown('plan')] : []),
    ];
    if (faults[0]) throw invalidFields(faults[0], ...faults.slice(1));
  }
}
