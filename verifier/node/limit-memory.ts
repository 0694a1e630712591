import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the heaps of all threads near the size of their live objects: V8 collects garbage when a heap has
 * grown by half, and the space for young objects stays small. It sets no limit. Call it before the heap
 * grows.
 */
export function limitMemory(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--semi-space-growth-factor=1');
}
