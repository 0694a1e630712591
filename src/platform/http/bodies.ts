import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../kernel/errors.js';
import { InvalidRequest } from './invalid-request.js';

const ONE_MB = 1024 * 1024;
/** A thousand events at once (api-completed.md section 3). */
const TRACK = /^\/api\/track\/?(?:\?|$)/;

const JSON_BODY = /^application\/(?:json|[\w.-]+\+json) *(?:;|$)/i;
const ACCEPTED =
  /^(?:application\/(?:json|[\w.-]+\+json|x-www-form-urlencoded)|multipart\/form-data) *(?:;|$)/i;

const isJson = (request: IncomingMessage): boolean => JSON_BODY.test(request.headers['content-type'] ?? '');
const isTrack = (request: IncomingMessage): boolean => TRACK.test(request.url ?? '');

/** JSON and forms, each up to its limit; multipart is read after the caller is known (multipart.ts). */
export function readBodies(app: NestExpressApplication): void {
  app.use(refuseOtherMediaTypes);
  const json = { strict: false, verify: noteEscapes };
  app.useBodyParser('json', { ...json, type: (r) => isJson(r) && isTrack(r), limit: 5 * ONE_MB });
  app.useBodyParser('json', { ...json, type: (r) => isJson(r) && !isTrack(r), limit: ONE_MB });
  app.useBodyParser('urlencoded', { extended: false, limit: ONE_MB });
  app.use(refuseUnstorableText);
}

function refuseOtherMediaTypes(request: Request, _: Response, next: NextFunction): void {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
  if (!hasBody || ACCEPTED.test(type ?? '')) next();
  else
    next(
      new DomainError(
        'unsupported_media_type',
        'Send the body as JSON, with Content-Type: application/json.',
      ),
    );
}

const ESCAPES = Symbol('the body has characters written as escapes');
type Noted = IncomingMessage & { [ESCAPES]?: true };

/** Raw UTF-8 cannot say what PostgreSQL cannot store; `\u0000` and half a surrogate pair can, and any form field. */
function noteEscapes(request: IncomingMessage, _: unknown, body: Buffer): void {
  if (body.includes('\\u')) (request as Noted)[ESCAPES] = true;
}

/** Of the events of a request each fails alone: metering/domain looks at their text itself. */
function refuseUnstorableText(request: Request, _: Response, next: NextFunction): void {
  const isSuspect = (request as Noted)[ESCAPES] || (request.body !== undefined && !isJson(request));
  if (!isSuspect || isTrack(request) || isStorable(request.body)) next();
  else {
    next(
      new InvalidRequest({
        code: 'invalid',
        detail: 'The body holds a NUL character or half a surrogate pair, which cannot be stored.',
        attr: 'non_field_errors',
      }),
    );
  }
}

/** Without recursion: a body may be nested deeper than the stack is. */
function isStorable(body: unknown): boolean {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) return false;
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) left.push(key, member);
    }
  }
  return true;
}
