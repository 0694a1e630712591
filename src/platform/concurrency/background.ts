import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';

const background = new AsyncLocalStorage<true>();

/**
 * Runs work of the process itself, such as schedulers and projections. It has database connections that requests
 * cannot use up (`pg-pool.ts`).
 */
export const inBackground = <Result>(work: () => Result): Result => background.run(true, work);

/** Returns whether the current work is the process's own, not that of a request. */
export const isInBackground = (): boolean => background.getStore() ?? false;

/**
 * Starts loops that act without a request, such as policies and schedulers. They start after the process listens, so that
 * a process that cannot bind its port changes nothing.
 */
@Injectable()
export class BackgroundWork {
  readonly #starts: (() => void)[] = [];

  register(start: () => void): void {
    this.#starts.push(start);
  }

  start(): void {
    for (const start of this.#starts.splice(0)) inBackground(start);
  }
}
