import { AsyncLocalStorage } from 'node:async_hooks';

const background = new AsyncLocalStorage<true>();

/**
 * Runs work of the process itself, such as schedulers and projections. It has database connections that requests
 * cannot use up (`pg-pool.ts`).
 */
export const inBackground = <Result>(work: () => Result): Result => background.run(true, work);

/** Returns whether the current work is the process's own, not that of a request. */
export const isInBackground = (): boolean => background.getStore() ?? false;
