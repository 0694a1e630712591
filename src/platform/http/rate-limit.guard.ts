import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../kernel/errors.js';
import { CONFIG, type Config } from '../config/config.js';
import { KeyWindows } from './key-windows.js';
import { stateOf } from './request-state.js';

/** `Retry-After` of a refusal is as long (problem.ts). */
const WINDOW_MS = 1_000;

/**
 * After the key guard: so many requests of one API key in a second, counted by each process for itself. A key that is
 * none counts for nobody, nor does what needs none: liveness, signed links.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  readonly #windows: KeyWindows;

  constructor(@Inject(CONFIG) { rateLimit }: Config) {
    this.#windows = new KeyWindows(WINDOW_MS, rateLimit);
  }

  canActivate(context: ExecutionContext): boolean {
    const { caller } = stateOf(context.switchToHttp().getRequest<Request>());
    if (!caller || this.#windows.take(caller.keyId)) return true;
    throw new DomainError('throttled', 'This API key sends more requests than it may. Wait a second.');
  }
}
