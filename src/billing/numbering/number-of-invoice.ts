import { sha256Hex } from '../../kernel/canonical-json.js';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import type { EventStore } from '../../platform/eventsourcing/store/event-store.js';
import type { ComputedInvoice } from '../accounts/domain/event-data.js';
import type { NumberSeriesEvent } from '../accounts/domain/events.js';
import { numberSeries } from './domain/number-series.js';

/** Checks that an invoice's number was assigned to this result, in the chain of its day. */
export async function differencesOfNumber(
  log: EventStore,
  org: Uuid,
  number: string,
  { invoiceId, resultHash }: Pick<ComputedInvoice, 'invoiceId' | 'resultHash'>,
): Promise<string[]> {
  let chained = '';
  for await (const event of log.readStream(streamName(numberSeries.category, org, number.split('-')[0]!))) {
    for (const assigned of (event.data as NumberSeriesEvent['data']).assignments) {
      if (assigned.invoiceId !== invoiceId) {
        chained = assigned.chainHash;
        continue;
      }
      const differences: string[] = [];
      if (assigned.number !== number)
        differences.push(`the number assigned is ${assigned.number}, and not ${number}`);
      if (assigned.resultHash !== resultHash)
        differences.push(
          `${number} was assigned to result hash ${assigned.resultHash}, the invoice has ${resultHash}`,
        );
      if (sha256Hex(chained + assigned.resultHash) !== assigned.chainHash)
        differences.push(`the chain of the day breaks at ${assigned.number}`);
      return differences;
    }
  }
  return [`${number} was not assigned to this invoice`];
}
