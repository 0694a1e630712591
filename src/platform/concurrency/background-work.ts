import { Injectable } from '@nestjs/common';

/**
 * Loops that act on the world by themselves: billing, webhooks, policies of dead processes. They start when the process
 * listens, so that a process which cannot have its port has billed nobody.
 */
@Injectable()
export class BackgroundWork {
  readonly #starts: (() => void)[] = [];

  register(start: () => void): void {
    this.#starts.push(start);
  }

  start(): void {
    for (const start of this.#starts.splice(0)) start();
  }
}
