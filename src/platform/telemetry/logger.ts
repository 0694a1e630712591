import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';

/** What code that logs needs of a logger: facts first, then a sentence. An error goes under `err`. */
export interface Logger {
  debug(facts: object, sentence: string): void;
  info(facts: object, sentence: string): void;
  warn(facts: object, sentence: string): void;
  error(facts: object, sentence: string): void;
}

/** Injection token of the process's logger. */
export const LOGGER = Symbol('Logger');

/**
 * Keys travel in these headers (api.md section 5), database URLs carry a password, and what PostgreSQL says of a
 * row that it refused is a customer's data: none of them reaches a log.
 */
const SECRETS = [
  'req.headers.authorization',
  'req.headers["x-api-key"]',
  'req.headers.cookie',
  'res.headers["set-cookie"]',
  '*.password',
  '*.secret',
  '*.databaseUrl',
  'err.detail',
  'err.where',
];

/** JSON lines with wall time; on stdout unless told otherwise. */
export function createLogger(level: string, destination?: DestinationStream): PinoLogger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRETS, censor: '[hidden]' },
    },
    destination ?? pino.destination(1),
  );
}
