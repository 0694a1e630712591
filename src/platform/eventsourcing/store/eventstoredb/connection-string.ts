import { createRequire } from 'node:module';
import type * as Parser from '@eventstore/db-client/dist/Client/parseConnectionString.js';

/** Options that the client of EventStoreDB reads; for another option it prints the whole connection string. */
const OPTIONS = new Set(
  (
    'tls tlsCAFile userCertFile userKeyFile connectionName nodePreference discoveryInterval maxDiscoverAttempts ' +
    'gossipTimeout defaultDeadline keepAliveInterval keepAliveTimeout throwOnAppendFailure tlsVerifyCert'
  )
    .split(' ')
    .map(flat),
);

/** Thrown for an invalid connection string. Its message contains no part of the string, which has a password. */
export class ConnectionStringError extends Error {
  override readonly name = 'ConnectionStringError';
}

/**
 * Reads a connection string of EventStoreDB with the client's own parser: `esdb://host:2113`, the nodes of a cluster
 * `esdb://a:2113,b:2113,c:2113`, or a DNS name of all nodes, `esdb+discover://cluster:2113`.
 * @throws ConnectionStringError
 */
export function parseConnectionString(text: string): Parser.ConnectionOptions {
  refuseUnknownOptions(text);
  const options = parse(withoutTlsVerifyCert(text));
  if (/tlsVerifyCert=false/i.test(text) && options.tls !== false) {
    throw new ConnectionStringError(
      'tlsVerifyCert=false has no effect: name the certificate authority with tlsCAFile, or turn TLS off with tls=false',
    );
  }
  if (
    options.hosts.some(({ address }) => address.includes('@')) ||
    /^[^@?]*:[^@?]*:[^@?]*@/.test(authority(text))
  ) {
    throw new ConnectionStringError('"@", ":" and "/" in a user name or a password must be percent-encoded');
  }
  return options;
}

/** Returns why a connection string is invalid; undefined for a valid one. */
export function faultOfConnectionString(text: string): string | undefined {
  try {
    parseConnectionString(text);
    return undefined;
  } catch (error) {
    if (error instanceof ConnectionStringError) return error.message;
    throw error;
  }
}

function parse(text: string): Parser.ConnectionOptions {
  // The parser loads gRPC, so only a process with EVENTSTORE_URL loads it.
  const load = createRequire(import.meta.url);
  const parser = load('@eventstore/db-client/dist/Client/parseConnectionString.js') as typeof Parser;
  try {
    return parser.parseConnectionString(text);
  } catch (error) {
    const { location, expected } = error as { location?: readonly [number, number]; expected?: string };
    const where = location ? ` at character ${location[0] + 1}, where ${expected} is expected` : '';
    throw new ConnectionStringError(`it cannot be read${where}`);
  }
}

function refuseUnknownOptions(text: string): void {
  for (const option of optionsOf(text)) {
    const name = option.split('=')[0]!;
    if (OPTIONS.has(flat(name))) continue;
    throw new ConnectionStringError(
      /^\w+$/.test(name)
        ? `it has no option "${name}"`
        : 'its options are not of the form ?name=value&name=value',
    );
  }
}

/** Removes an option for which the client prints a warning with the whole connection string. */
function withoutTlsVerifyCert(text: string): string {
  const kept = optionsOf(text).filter((option) => flat(option.split('=')[0]!) !== 'tlsverifycert');
  const [base] = text.split('?');
  return kept.length === 0 ? base! : `${base}?${kept.join('&')}`;
}

function optionsOf(text: string): string[] {
  const start = text.indexOf('?');
  return start < 0 || start === text.length - 1 ? [] : text.slice(start + 1).split('&');
}

const authority = (text: string): string => text.replace(/^[^:]*:\/\//, '').split('?')[0]!;

/** Normalizes the name of an option as the parser does. */
function flat(name: string): string {
  return name.trim().toLowerCase().replace(/[_-]/g, '');
}
