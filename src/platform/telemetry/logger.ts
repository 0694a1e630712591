import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import type { LoggerService } from '@nestjs/common';

/** Logger that the code depends on: facts first, then a sentence. An error is the fact `err`. */
export interface Logger {
  debug(facts: object, sentence: string): void;
  info(facts: object, sentence: string): void;
  warn(facts: object, sentence: string): void;
  error(facts: object, sentence: string): void;
}

/** Injection token of the process's logger. */
export const LOGGER = Symbol('Logger');

/** Paths of secrets: headers with keys (docs/contract.md#authentication) and URLs with passwords never reach a log. */
const SECRETS = [
  'req.headers.authorization',
  'req.headers["x-api-key"]',
  'req.headers.cookie',
  'res.headers["set-cookie"]',
  '*.password',
  '*.secret',
  '*.databaseUrl',
];

/** Fields of errors that name no data: codes, socket addresses, and names of the schema. */
const FACTS =
  'code errno syscall address port severity schema table column constraint routine kind stream revision'.split(
    ' ',
  );
const DEEPEST_CAUSE = 3;

/**
 * Returns the log entry of an error: name, message, stack, causes and plain facts. Other fields are left out: `pg` attaches
 * its client with statements and the key that cancels them, and PostgreSQL reports the values of a refused row.
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

/** Recognizes errors of another realm, such as errors of Node itself. */
const isErrorLike = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'message' in value && 'stack' in value;

/** Creates a logger of JSON lines with wall time. @param destination default stdout */
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
