import type { Uuid } from '../../kernel/ids.js';
import { comparePositions } from '../../kernel/event.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { EventStore } from '../../platform/eventsourcing/store/event-store.js';
import type { AccountEvent } from '../accounts/domain/events.js';

/** Events read at once: the runs of an account since the cause of one of them are usually few. */
const READ_AT_ONCE = 20;

/**
 * Finds the event that records a run. It reads the account backwards to the cause, as a run is never recorded before its
 * cause. So it finds a run that the latest snapshot no longer contains.
 * @param stream of the account
 * @param cause without a time and a position: reads the whole stream
 */
export async function findRun(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  runId: Uuid,
  { causedAt, causationPosition }: Pick<CommandContext, 'causedAt' | 'causationPosition'>,
): Promise<{ readonly invoiceId: Uuid | undefined } | undefined> {
  for (let from: bigint | undefined; ;) {
    const start = from === undefined ? {} : { from };
    let count = 0;
    for await (const event of store.readStream(stream, {
      ...start,
      direction: 'backwards',
      limit: READ_AT_ONCE,
    })) {
      const { metadata, position } = event;
      if (causedAt !== undefined && metadata.recordedAt < causedAt) return undefined;
      // Events of one instant, as of a manual clock, are told apart by their positions.
      if (causationPosition && comparePositions(position, causationPosition) < 0) return undefined;
      const { type, data } = event as unknown as AccountEvent;
      if (type === 'InvoiceComputed' && data.runId === runId) return { invoiceId: data.invoiceId };
      if (type === 'NothingDue' && data.runId === runId) return { invoiceId: undefined };
      from = event.revision - 1n;
      count += 1;
    }
    if (count < READ_AT_ONCE || from! < 0n) return undefined;
  }
}
