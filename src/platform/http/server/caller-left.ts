import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '../../../kernel/errors.js';

/** `@CallerLeft() left: AbortSignal`: aborts when the caller closes the connection before the answer is there. */
export const CallerLeft = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const response = context.switchToHttp().getResponse<Response>();
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished)
      left.abort(new DomainError('invalid_operation', 'The caller left before there was an answer.'));
  });
  return left.signal;
});
