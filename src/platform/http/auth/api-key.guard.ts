import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import { Authentication } from './authentication.js';
import { PUBLIC, REQUIRED_SCOPES } from './caller.js';
import { defaultScopes, isGranted, type RequiredScope } from './key-scopes.js';

interface Rule {
  readonly isPublic: boolean;
  readonly scopes: readonly RequiredScope[] | undefined;
}

/** Every request but the public ones carries an API key with the scope its route asks for. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  /** Rules from the decorators of each route, read once. */
  readonly #rules = new Map<unknown, Rule>();

  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: Authentication,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.#ruleOf(context);
    if (rule.isPublic) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const caller = await this.authentication.authenticate(request);
    const required = rule.scopes ?? defaultScopes(request.method);
    if (!isGranted(caller.scope, required)) {
      const names = required.map((scope) => `\`${scope}\``).join(' or ');
      throw new DomainError(
        'permission_denied',
        `This operation requires an API key with the ${names} scope.`,
      );
    }
    return true;
  }

  #ruleOf(context: ExecutionContext): Rule {
    const handler = context.getHandler();
    let rule = this.#rules.get(handler);
    if (!rule) {
      const places = [handler, context.getClass()];
      rule = {
        isPublic: this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, places) ?? false,
        scopes: this.reflector.getAllAndOverride<readonly RequiredScope[] | undefined>(
          REQUIRED_SCOPES,
          places,
        ),
      };
      this.#rules.set(handler, rule);
    }
    return rule;
  }
}
