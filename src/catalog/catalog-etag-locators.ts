import { Injectable, type OnModuleInit } from '@nestjs/common';
import { fromWireId } from '../kernel/ids.js';
import { streamName } from '../kernel/stream.js';
import { EtagLocators } from '../platform/http/etag/etag-locators.js';
import { PlanCatalog } from './plan-catalog.js';

/** Locates the streams that ETags of the catalog come from; a version has the ETag of its plan. */
@Injectable()
export class CatalogEtagLocators implements OnModuleInit {
  constructor(
    private readonly streams: EtagLocators,
    private readonly plans: PlanCatalog,
  ) {}

  onModuleInit(): void {
    for (const kind of ['plan', 'addon', 'metric', 'feature'] as const) {
      this.streams.register(`${kind}_id`, (org, text) => {
        const id = fromWireId(kind, text);
        return id && streamName(kind, org, id);
      });
    }
    this.streams.register('version_id', async (org, text) => {
      const versionId = fromWireId('plan_version', text);
      const planId = versionId && (await this.plans.planOf(org, versionId));
      return planId && streamName('plan', org, planId);
    });
  }
}
