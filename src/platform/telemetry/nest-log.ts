import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger.js';

/** Nest's own messages in our log; its account of every route and module at start is left to `debug`. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug({ from: 'nest' }, String(message));
  }

  warn(message: unknown): void {
    this.logger.warn({ from: 'nest' }, String(message));
  }

  error(message: unknown, stack?: unknown): void {
    const err = message instanceof Error ? message : undefined;
    this.logger.error({ from: 'nest', err, stack: err ? undefined : stack }, String(message));
  }
}
