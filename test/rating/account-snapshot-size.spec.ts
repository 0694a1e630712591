import { describe, expect, it } from '@jest/globals';
import {
  dueSnapshot,
  initialAccount,
  type AccountState,
} from '../../src/billing/accounts/domain/account-state.js';
import { namedId } from '../../src/kernel/ids.js';
import { MAX_APPEND_BYTES } from '../../src/platform/eventsourcing/store/event-store.js';

const METADATA = { commandId: namedId('command'), correlationId: 'é'.repeat(100), actor: namedId('key') };

const accountOf = (terms: number, runsSinceSnapshot = 8): AccountState => ({
  ...initialAccount(),
  runsSinceSnapshot,
  terms: new Map(
    Array.from({ length: terms }, (_, at) => {
      const subscriptionId = namedId(`term ${at}`);
      const status = { revision: '0', nextDueAt: null, nextDueGraced: false, settled: false };
      return [subscriptionId, { subscriptionId, ...status }];
    }),
  ),
});
const eventsOf = (count: number, characters: number) =>
  Array.from({ length: count }, () => ({ data: { name: 'ü'.repeat(characters) } }));

describe('a snapshot of an account', () => {
  it('is due from the eighth run on, and stays due where it was not taken, as in the sale of a credit', () => {
    const taken = Array.from({ length: 12 }, (_, runs) => dueSnapshot(accountOf(1, runs), 'USD', []));
    expect(taken.flatMap((snapshot, runs) => (snapshot ? [runs] : []))).toEqual([8, 9, 10, 11]);
  });

  it('is taken of an account with thousands of terms', () => {
    expect(dueSnapshot(accountOf(5_000), 'USD', eventsOf(1, 10))?.terms).toHaveLength(5_000);
  });

  it.each([
    ['a large event', 1, 300_000],
    ['many small events', 1_200, 10],
  ])('is not taken beside %s, which would exceed an append with it', (_, count, characters) => {
    const run = eventsOf(count, characters);
    expect(dueSnapshot(accountOf(3_000), 'USD', run)).toBeUndefined();
    const small = dueSnapshot(accountOf(1_000), 'USD', run)!;
    const events = [...run, { data: small }].map(({ data }) => ({ data, metadata: METADATA }));
    expect(Buffer.byteLength(JSON.stringify(events))).toBeLessThan(MAX_APPEND_BYTES);
  });
});
