import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PlanDuration } from '../../kernel/period.js';
import type { ExternalPlanLink } from './events.js';
import type { PublishedVersion } from './published-version.js';

export interface PlanVersion extends PublishedVersion {
  /** When it stops being sold; null: open. */
  readonly activeTo: Instant | null;
  /** Version that its subscriptions renew to; null: they keep it. */
  readonly replacedBy: Uuid | null;
  readonly deletedAt: Instant | null;
}

export interface Plan {
  readonly planId: Uuid;
  readonly name: string;
  readonly description: string | null;
  readonly duration: PlanDuration | null;
  readonly tags: readonly string[];
  readonly externalLinks: readonly ExternalPlanLink[];
  readonly createdAt: Instant;
  readonly deletedAt: Instant | null;
  /** In the order of their publication, also those that are deleted. */
  readonly versions: readonly PlanVersion[];
}

export type PlanState = Plan | undefined;
