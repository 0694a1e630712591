import { describe, expect, it } from '@jest/globals';
import { accountWithFullHistory } from '../../../src/billing/decider/domain/account.js';
import type { AccountEvent } from '../../../src/billing/accounts/domain/events.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { eventsOfBooks, storedBooks } from '../../books/books.js';

/** Groups the events of each account by stream. */
function accountsOf(events: readonly RecordedEvent[]): AccountEvent[][] {
  const streams = new Map<string, AccountEvent[]>();
  for (const event of events.filter(({ stream }) => stream.startsWith('account-'))) {
    const known = streams.get(event.stream) ?? [];
    streams.set(event.stream, [...known, event as unknown as AccountEvent]);
  }
  return [...streams.values()];
}

describe.each(storedBooks())('voids in the books that policy %s wrote', (name) => {
  it('recall counts, which the next run continues', () => {
    let recalled = 0;
    for (const events of accountsOf(eventsOfBooks(name))) {
      let state = accountWithFullHistory.initial();
      for (const [index, event] of events.entries()) {
        state = accountWithFullHistory.evolve(state, event);
        if (event.type !== 'InvoiceVoided') continue;
        for (const { chargeKey, ...count } of event.data.recalled.closes) {
          recalled += 1;
          expect(state.counts.get(chargeKey)).toEqual(count);
          const next = events
            .slice(index)
            .find((later) => later.type === 'UsagePeriodClosed' && later.data.chargeKey === chargeKey);
          if (next) expect(next.data).toMatchObject({ supersedes: count.closeId });
        }
      }
    }
    expect(recalled).toBeGreaterThan(0);
  });
});
