import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { DomainError } from '../../kernel/errors.js';
import { SharedLooks } from '../shared-looks.js';
import { PUBLIC, REQUIRED_SCOPES, type Caller } from './caller.js';
import { defaultScopes, isGranted, type RequiredScope } from './key-scopes.js';
import { stateOf } from './request-state.js';
import { KeyRegister } from './key-register.js';

interface Rule {
  readonly isPublic: boolean;
  readonly scopes: readonly RequiredScope[] | undefined;
}

/** Every request but the public ones carries an API key with the scope its route asks for. */
@Injectable()
export class KeyGuard implements CanActivate {
  /** What the decorators of a route say, read once. */
  readonly #rules = new Map<unknown, Rule>();
  readonly #callers: SharedLooks<string, Caller | undefined>;

  constructor(
    private readonly reflector: Reflector,
    register: KeyRegister,
  ) {
    this.#callers = new SharedLooks((key) => register.find(key));
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.#ruleOf(context);
    if (rule.isPublic) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const caller = await this.#callers.ask(presentedKey(request));
    if (!caller)
      throw new DomainError('authentication_failed', 'The API key is unknown, expired or revoked.');
    const required = rule.scopes ?? defaultScopes(request.method);
    if (!isGranted(caller.scope, required)) {
      const names = required.map((scope) => `\`${scope}\``).join(' or ');
      throw new DomainError(
        'permission_denied',
        `This operation requires an API key with the ${names} scope.`,
      );
    }
    stateOf(request).caller = caller;
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

/** The key of `Authorization: Token <key>` or `X-API-KEY: <key>`; both may be there when they agree. */
function presentedKey(request: Request): string {
  const token = /^Token +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const header = request.headers['x-api-key'];
  const plain = typeof header === 'string' && header !== '' ? header : undefined;
  if (token && plain && token !== plain) {
    throw new DomainError('authentication_failed', 'Authorization and X-API-KEY carry different keys.');
  }
  const key = token ?? plain;
  if (!key) {
    throw new DomainError(
      'not_authenticated',
      'Send an API key: "Authorization: Token <key>" or "X-API-KEY: <key>".',
    );
  }
  return key;
}
