import type { ExecutionContext } from '@nestjs/common';
import { NoFilesInterceptor } from '@nestjs/platform-express';
import type { Request } from 'express';
import { EMPTY } from 'rxjs';
import { DomainError } from '../../kernel/errors.js';

const ONE_MB = 1024 * 1024;
const LIMITS = { fields: 1_000, fieldNameSize: 200, fieldSize: ONE_MB };

const reader = new (NoFilesInterceptor({ limits: LIMITS }))();

export const isMultipart = (request: Request): boolean =>
  /^multipart\/form-data *(?:;|$)/i.test(request.headers['content-type'] ?? '');

/** Fields of a multipart form become the body; files are refused. */
export async function readMultipart(request: Request, context: ExecutionContext): Promise<void> {
  const tooLarge = refuseBeyond(ONE_MB, request);
  await Promise.race([tooLarge, reader.intercept(context, { handle: () => EMPTY })]);
}

/** The reader bounds each field, not all of them together. Rejects once more than this has come in. */
function refuseBeyond(limit: number, request: Request): Promise<never> {
  return new Promise((_, reject) => {
    let read = 0;
    request.on('data', function count(part: Buffer) {
      read += part.length;
      if (read <= limit) return;
      request.off('data', count);
      request.unpipe();
      reject(new DomainError('payload_too_large', 'The body is larger than this operation takes.'));
      request.resume();
    });
  });
}
