import type { ExecutionContext } from '@nestjs/common';
import { NoFilesInterceptor } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { EMPTY } from 'rxjs';
import { DomainError } from '../../../kernel/errors.js';
import type { IncomingBody } from './body-limiter.js';
import { rejectUnstorableText } from './body-checks.js';
import { sendContinue } from './unread-body.js';

const ONE_MB = 1024 * 1024;
const LIMITS = { fields: 1_000, fieldNameSize: 200, fieldSize: ONE_MB };

const reader = new (NoFilesInterceptor({ limits: LIMITS }))();

export const isMultipart = (request: Request): boolean =>
  /^multipart\/form-data *(?:;|$)/i.test(request.headers['content-type'] ?? '');

/** Fields of a multipart form become the body; files are refused. */
export async function readMultipart(
  request: Request,
  context: ExecutionContext,
  incoming: IncomingBody,
): Promise<void> {
  sendContinue(request, context.switchToHttp().getResponse<Response>());
  const tooLarge = refuseBeyond(ONE_MB, request, incoming);
  const read = Promise.resolve(reader.intercept(context, { handle: () => EMPTY }));
  await Promise.race([tooLarge, read.catch((error: unknown) => refuseBrokenOff(request, error))]);
  rejectUnstorableText(request.body);
}

/** The reader reports a sender that left as an error of its own, which is none of ours. */
function refuseBrokenOff(request: Request, error: unknown): never {
  if (!request.destroyed || request.complete) throw error;
  throw new DomainError('parse_error', 'The request cannot be read: its body did not arrive whole.');
}

/** The reader bounds each field, not all of them together. Rejects once more than this has come in. */
function refuseBeyond(limit: number, request: Request, incoming: IncomingBody): Promise<never> {
  return new Promise((_, reject) => {
    let read = 0;
    request.on('data', function count(part: Buffer) {
      read += part.length;
      try {
        incoming.grow(part.length);
        if (read > limit)
          throw new DomainError('payload_too_large', 'The body is larger than this operation takes.');
        return;
      } catch (error) {
        reject(error as Error);
      }
      request.off('data', count);
      request.unpipe();
      request.resume();
    });
  });
}
