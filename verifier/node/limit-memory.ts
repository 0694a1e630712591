import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the heaps of all threads near the size of their live objects: V8 collects garbage when a heap has
 * grown by half. It sets no limit. Call it before the heap grows. The space for young objects may grow: kept at
 * its first size, a quarter of the processor time went into collecting it.
 */
export function limitMemory(): void {
  setFlagsFromString('--heap-growing-percent=50');
}

/** Space for young objects of a second thread, in MiB; the first thread has what V8 gives it, 48. */
export const YOUNG_SPACE_MB = 24;
