import { Injectable } from '@nestjs/common';
import { inBackground } from './background.js';

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
