import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import type { LoggerService } from '@nestjs/common';

/** The logger that the code depends on: facts first, then a sentence. An error goes under `err`. */
export interface Logger {
  debug(facts: object, sentence: string): void;
  info(facts: object, sentence: string): void;
  warn(facts: object, sentence: string): void;
  error(facts: object, sentence: string): void;
}

/** Injection token of the process's logger. */
export const LOGGER = Symbol('Logger');

/** Keys travel in these headers (docs/contract.md#authentication), and database URLs carry a password: none of them reaches a log. */
const SECRETS = [
  'req.headers.authorization',
  'req.headers["x-api-key"]',
  'req.headers.cookie',
  'res.headers["set-cookie"]',
  '*.password',
  '*.secret',
  '*.databaseUrl',
];

/** Facts of an error that name no data: codes, where a socket led, and what of the schema PostgreSQL speaks of. */
const FACTS =
  'code errno syscall address port severity schema table column constraint routine kind stream revision'.split(
    ' ',
  );
const DEEPEST_CAUSE = 3;

/**
 * An error as it is logged: what it is called and says, where it came from, and its plain facts. Everything else that
 * hangs on an error stays out. The pool of PostgreSQL hangs its client on one, with the key by which a server lets
 * statements be cancelled and the statements themselves; PostgreSQL says of a row that it refused what is in it.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) && !isErrorLike(error)) return typeof error === 'object' ? '[object]' : error;
  const { name, message, stack, cause, errors } = error as Error & { errors?: unknown };
  const facts = Object.entries(error as object).filter(
    ([fact, value]) => FACTS.includes(fact) && ['string', 'number', 'bigint'].includes(typeof value),
  );
  const isDeep = depth === DEEPEST_CAUSE;
  return {
    type: name,
    message,
    stack,
    ...Object.fromEntries(facts.map(([fact, value]) => [fact, String(value)])),
    ...(cause === undefined || isDeep ? {} : { cause: describeError(cause, depth + 1) }),
    ...(!Array.isArray(errors) || isDeep
      ? {}
      : { errors: errors.slice(0, 5).map((one: unknown) => describeError(one, depth + 1)) }),
  };
}

/** Errors of Node itself may be those of another realm. */
const isErrorLike = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'message' in value && 'stack' in value;

/** JSON lines with wall time; on stdout unless told otherwise. */
export function createLogger(level: string, destination?: DestinationStream): PinoLogger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => describeError(error) },
      redact: { paths: SECRETS, censor: '[hidden]' },
    },
    destination ?? pino.destination(1),
  );
}

/** Writes Nest's own log lines to the logger; the routes and modules at start are `debug` lines. */
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
