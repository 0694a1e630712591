import { afterEach, beforeEach, describe } from '@jest/globals';
import { appendRules } from './append-rules.js';
import { concurrencyRules } from './concurrency-rules.js';
import { readRules } from './read-rules.js';
import type { Current, StoreUnderTest } from './store-under-test.js';
import { subscriptionRules } from './subscription-rules.js';

/** The contract of event store drivers (docs/architecture.md#event-store). */
export function eventStoreContract(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  describe(`event store contract: ${name}`, () => {
    let underTest: StoreUnderTest;
    beforeEach(async () => {
      underTest = await makeStore();
    });
    afterEach(() => underTest.cleanup());
    const current: Current = () => underTest;
    appendRules(current);
    readRules(current);
    subscriptionRules(current);
    concurrencyRules(current);
  });
}
