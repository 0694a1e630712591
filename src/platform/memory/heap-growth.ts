import { setFlagsFromString } from 'node:v8';

/** Garbage that the heap may gather before it is collected, in per cent of what was alive at the last collection. */
const PERCENT = 50;

/**
 * From now on memory follows what is alive, which has a bound. Left alone V8 lets the heap of a busy process grow to
 * four times of that where the machine has memory, the more so the longer the work takes: a sweep of many accounts
 * would look as if it held them all. No limit: what needs more gets it. To be called before the heap has grown.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${PERCENT}`);
}
