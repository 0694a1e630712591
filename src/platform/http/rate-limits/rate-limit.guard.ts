import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { RateLimits } from './rate-limits.js';
import { costOfBody, defaultCost, REQUEST_COST } from './request-cost.js';
import { stateOf } from '../server/request-state.js';

/**
 * After the key guard: charges the request to its organization, each process for itself. What needs no key is charged
 * to nobody: liveness, signed links.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimits,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { caller, bodyBytes = 0 } = stateOf(request);
    if (!caller) return true;
    this.limits.admit(caller.org);
    const own = this.reflector.get<number | undefined>(REQUEST_COST, context.getHandler());
    this.limits.charge(caller.org, (own ?? defaultCost(request.method)) + costOfBody(bodyBytes));
    return true;
  }
}
