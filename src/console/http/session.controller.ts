import { Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { DomainError } from '../../kernel/errors.js';
import { toWireId } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { Caller, RequireScope } from '../../platform/http/auth/caller.js';
import { credentialOf, sessionCookieOf } from '../../platform/http/auth/authentication.js';
import { NotAnOperation } from '../../platform/http/openapi/operation.js';
import { baseUrlOf } from '../../platform/http/server/base-url.js';
import { SESSION_HOURS, Sessions } from '../sessions.js';

/** Describes the session without its secret. */
interface SessionAnswer {
  readonly organization_id: string;
  readonly scope: Caller['scope'];
  /** The page sends it with each request, so that none counts for the session of another key. */
  readonly key_id: string;
  readonly key_prefix: string;
  readonly key_name: string;
  readonly expires_at: string;
  /** Tells whether `/api/test_clock/` has an answer. */
  readonly manual_clock: boolean;
}

/**
 * Exchanges an API key for a session of 12 hours in a cookie that no script can read. The key is in its usual
 * header, so wrong keys are throttled as everywhere, and no page of another site can send it. A session begins no other
 * one, which would outlive it.
 */
@Controller('console/session')
@RequireScope('read')
export class SessionController {
  constructor(
    private readonly sessions: Sessions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @NotAnOperation()
  async logIn(
    @Caller() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionAnswer> {
    requireKey(request);
    const token = await this.sessions.begin(caller);
    response.cookie(sessionCookieOf(request), token, {
      ...cookieFor(request),
      maxAge: SESSION_HOURS * 3_600_000,
    });
    return this.#describe(caller, token);
  }

  @Get()
  @NotAnOperation()
  getSession(@Caller() caller: Caller, @Req() request: Request): Promise<SessionAnswer> {
    return this.#describe(caller, tokenOf(request));
  }

  @Delete()
  @HttpCode(204)
  @NotAnOperation()
  async logOut(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    await this.sessions.end(tokenOf(request));
    response.clearCookie(sessionCookieOf(request), cookieFor(request));
  }

  async #describe(caller: Caller, token: string): Promise<SessionAnswer> {
    const session = await this.sessions.describe(caller, token);
    if (!session) throw new DomainError('authentication_failed', 'The session has ended. Log in again.');
    return {
      organization_id: toWireId('org', caller.org),
      scope: caller.scope,
      key_id: caller.keyId,
      key_prefix: session.key_prefix,
      key_name: session.key_name,
      expires_at: formatInstant(session.expires_at),
      manual_clock: this.config.clock === 'manual',
    };
  }
}

/** The API reads the cookie too, so the browser sends it to every path. */
const cookieFor = (request: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'strict',
  secure: baseUrlOf(request).startsWith('https:'),
  path: '/',
});

/** @throws DomainError for a request with the cookie of a session */
function requireKey(request: Request): void {
  if (credentialOf(request).type === 'key') return;
  throw new DomainError('invalid_operation', 'A session begins no other session. Log in with an API key.');
}

function tokenOf(request: Request): string {
  const { type, secret } = credentialOf(request);
  if (type === 'session') return secret;
  throw new DomainError(
    'invalid_operation',
    'This request carries an API key. Send the cookie of a session.',
  );
}
