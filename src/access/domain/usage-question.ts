import { runningWindow } from '../../billing/rating/running-window.js';
import { usageBasisOf } from '../../billing/rating/usage-basis.js';
import type { PlanComponent } from '../../pricing/price-content.js';
import type { Uuid } from '../../kernel/ids.js';
import { plusMicros, type Instant } from '../../kernel/instant.js';
import type { UsageQuestion } from '../../metering/domain/counter.js';
import type { PricedTerm } from '../../pricing/term-basis.js';
import type { SubscriptionFilter } from '../../subscription/domain/events.js';

export interface UsingTerm extends PricedTerm {
  readonly customerKey: Uuid;
  readonly filters: readonly SubscriptionFilter[];
}

/**
 * Question to the usage log for how much of a limit is used: the component's running window. A gauge counts its
 * current level (docs/contract.md#metric-access), which is the one that any window beginning after now starts with.
 */
export function usageQuestion(term: UsingTerm, component: PlanComponent, now: Instant): UsageQuestion {
  const { customerKey, filters } = term;
  if (component.metric.metricType === 'gauge') {
    const window = { start: plusMicros(now, 1n), end: plusMicros(now, 2n) };
    return { customerKey, filters, definition: { ...component.metric, proration: null }, window };
  }
  const window = runningWindow(term, component, now);
  const question = { customerKey, filters, definition: component.metric, window };
  if (component.metric.metricType === 'counter') return question;
  return { ...question, basis: usageBasisOf(component, window, term) };
}
