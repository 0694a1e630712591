import { setFlagsFromString } from 'node:v8';

/** Growth of the heap before a full collection, in per cent of its size after the last one. */
const PERCENT = 100;

/**
 * Tells V8 to collect garbage early, so that the heap of a busy process stays near the size of its live objects; by default
 * V8 lets it grow to four times that size. It sets no limit. Call it before the heap grows (docs/tooling.md#memory).
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${PERCENT}`);
}
