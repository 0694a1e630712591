import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Role } from '../config/config.js';
import { inBackground } from './long-work.js';

/**
 * Runs the loops of a process that act without a request, such as policies and schedulers. They start after the process
 * listens, so that a process that cannot bind its port changes nothing, and end with the application.
 */
@Injectable()
export class BackgroundWork implements OnApplicationShutdown {
  readonly #loops: ((stopping: AbortSignal) => Promise<unknown> | void)[] = [];
  readonly #stopping = new AbortController();
  #running: readonly unknown[] = [];

  /** @param roles the roles of the process */
  constructor(private readonly roles: ReadonlySet<Role>) {}

  /**
   * Registers a loop, which runs if the process has a role.
   * @param loop gets a signal that aborts when the process stops; the process waits for its end
   */
  register(role: Role | 'any', loop: (stopping: AbortSignal) => Promise<unknown> | void): void {
    const isRun = role === 'any' ? this.roles.size > 0 : this.roles.has(role);
    if (isRun) this.#loops.push(loop);
  }

  start(): void {
    const { signal } = this.#stopping;
    setMaxListeners(0, signal);
    this.#running = this.#loops.splice(0).map((loop) => inBackground(() => loop(signal)));
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }
}

/**
 * Repeats work until a signal aborts.
 * @param work returns the milliseconds until it is repeated; undefined when it is done for good
 * @param failed gets an error of the work, and returns the milliseconds until the work is repeated
 */
export async function repeat(
  stopping: AbortSignal,
  work: () => Promise<number | undefined>,
  failed: (error: unknown) => number | Promise<number>,
): Promise<void> {
  while (!stopping.aborted) {
    let pause: number | undefined;
    try {
      pause = await work();
    } catch (error) {
      if (stopping.aborted) return;
      pause = await failed(error);
    }
    if (pause === undefined) return;
    await sleep(pause, undefined, { signal: stopping }).catch(() => undefined);
  }
}
