import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { UsageEvidence } from '../../metering/usage-evidence.js';
import { UsageReader, type CountRequest } from '../../metering/usage-reader.js';
import type { UsageClose } from '../domain/event-data.js';
import type { RunTerm } from '../rating/run.js';
import { usageBasisOf } from '../rating/usage-basis.js';

interface Recounted {
  readonly close: UsageClose;
  readonly metricName: string;
  readonly request: CountRequest;
}

/** Counts usage once more as it was counted for an invoice, at the watermark of that time, and says what differs. */
@Injectable()
export class UsageRecount {
  constructor(
    private readonly reader: UsageReader,
    private readonly evidence: UsageEvidence,
  ) {}

  /** Sentences for an auditor; none when every count stands. @param terms those the closes belong to */
  async differences(org: Uuid, closes: readonly UsageClose[], terms: readonly RunTerm[]): Promise<string[]> {
    const differences: string[] = [];
    const known: Recounted[] = [];
    for (const close of closes) {
      const term = terms.find((candidate) => isOf(candidate, close));
      const component = term?.content.components.find(({ metricId }) => metricId === close.metricId);
      if (!term || !component) {
        differences.push(`close ${close.closeId} counts a metric that no term of the invoice has`);
        continue;
      }
      known.push({
        close,
        metricName: component.metricName,
        request: {
          org,
          customerKey: term.term.customerKey,
          definition: component.metric,
          filters: term.term.filters,
          window: close.window,
          sealedUpTo: BigInt(close.sealedUpTo),
          ...(close.period && { basis: usageBasisOf(component, close.period, term.term) }),
        },
      });
    }
    const counts = await this.reader.countMany(known.map(({ request }) => request));
    const asked = new Set<string>();
    for (const [index, one] of known.entries()) {
      const found = differencesOf(one, counts[index]!);
      if (found.length === 0) continue;
      differences.push(...found, ...(await this.culprits(one.request, asked)));
    }
    return differences;
  }

  /** What in the log is not as it was received: events where that can be said, else batches. */
  private async culprits(request: CountRequest, asked: Set<string>): Promise<string[]> {
    const { org, customerKey, sealedUpTo } = request;
    const { eventName } = request.definition;
    const question = `${customerKey} ${eventName}`;
    if (asked.has(question)) return [];
    asked.add(question);
    const events = await this.evidence.alteredEvents(org, customerKey, eventName);
    if (events.length > 0) {
      return events.map((id) => `usage event ${JSON.stringify(id)} is not as it was received`);
    }
    const batches = await this.evidence.alteredBatches(org, sealedUpTo);
    return batches.map((number) => `usage batch ${number} does not hold the events it was received with`);
  }
}

/** An add-on that a switch moved is counted on by another term. */
const isOf = ({ term, addon }: RunTerm, { subscriptionId, addonSubscriptionId }: UsageClose): boolean =>
  addonSubscriptionId === undefined
    ? !addon && term.subscriptionId === subscriptionId
    : addon?.addonSubscriptionId === addonSubscriptionId;

const COMPARED = ['quantity', 'eventCount', 'absentValues', 'digest'] as const;

function differencesOf(
  { close, metricName }: Recounted,
  count: Pick<UsageClose, (typeof COMPARED)[number]>,
): string[] {
  const { closeId, window } = close;
  const what = `usage of ${JSON.stringify(metricName)} from ${formatInstant(window.start)} to ${formatInstant(window.end)} (close ${closeId})`;
  return COMPARED.flatMap((field) =>
    close[field] === count[field]
      ? []
      : [`${what}: ${field} stored ${close[field]}, counted ${count[field]}`],
  );
}
