import { isIP } from 'node:net';
import { CALCULABLE_YEARS, outsideCalculable, parseInstant } from '../../kernel/instant.js';
import { faultOfConnectionString } from '../eventsourcing/store/eventstoredb/connection-string.js';
import { readAudit } from './audit-settings.js';
import { SHORTEST_KEY, type Config, type Role } from './config.js';
import { isBaseUrl, isUrl, EnvironmentReader } from './environment-reader.js';

const ROLES: readonly Role[] = ['api', 'projections', 'scheduler'];
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MASTER_KEY = /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;

/** Reads the variables of docs/operating.md#settings; an empty variable counts as not set. @throws ConfigError */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const environment = new EnvironmentReader(env);
  const config = {
    ...readServer(environment),
    ...readStores(environment),
    ...readKeys(environment),
    ...readRequestRules(environment),
    ...readAudit(environment),
    ...readProcess(environment),
    ...readClock(environment),
  };
  environment.requireValid();
  return config;
}

function readServer(environment: EnvironmentReader): Pick<Config, 'port' | 'host' | 'managementPort'> {
  const port = environment.port('PORT') ?? 3000;
  const managementPort = environment.port('MANAGEMENT_PORT');
  if (managementPort !== undefined && managementPort === port && port !== 0) {
    environment.addError('MANAGEMENT_PORT must be another port than PORT: it asks for no key.');
  }
  return { port, host: environment.text('HOST') ?? '127.0.0.1', managementPort };
}

type Stores = 'databaseUrl' | 'embeddedPort' | 'embeddedReaderPassword' | 'eventStoreUrl' | 'dataDir';

function readStores(environment: EnvironmentReader): Pick<Config, Stores> {
  const databaseUrl = environment.text('DATABASE_URL');
  if (databaseUrl && !isUrl(databaseUrl, ['postgres:', 'postgresql:'])) {
    environment.addError('DATABASE_URL must be a URL such as postgres://user:password@host:5432/recount.');
  }
  const embeddedPort = environment.port('EMBEDDED_PORT') || undefined;
  const embeddedReaderPassword = environment.text('EMBEDDED_READER_PASSWORD');
  if (databaseUrl && (embeddedPort ?? embeddedReaderPassword) !== undefined) {
    environment.addError(
      'EMBEDDED_PORT and EMBEDDED_READER_PASSWORD are for the embedded PostgreSQL: unset DATABASE_URL.',
    );
  }
  const eventStoreUrl = environment.text('EVENTSTORE_URL');
  const fault = eventStoreUrl && faultOfConnectionString(eventStoreUrl);
  if (fault) {
    environment.addError(
      `EVENTSTORE_URL must be such as esdb://user:password@host:2113?tls=true, or esdb://a:2113,b:2113,c:2113 for a cluster; ${fault}.`,
    );
  }
  const dataDir = environment.text('DATA_DIR') ?? '.data';
  return { databaseUrl, embeddedPort, embeddedReaderPassword, eventStoreUrl, dataDir };
}

function readKeys(environment: EnvironmentReader): Pick<Config, 'apiKey' | 'bootstrapKey' | 'masterKey'> {
  const apiKey = readApiKey(environment, 'API_KEY');
  const bootstrapKey = readApiKey(environment, 'BOOTSTRAP_KEY');
  if (bootstrapKey !== undefined && bootstrapKey === apiKey) {
    environment.addError('BOOTSTRAP_KEY must be another key than API_KEY: it belongs to no organization.');
  }
  const masterKey = environment.text('MASTER_KEY');
  if (masterKey && !MASTER_KEY.test(masterKey)) {
    environment.addError(
      'MASTER_KEY must be 32 bytes in base64 or hex, such as `openssl rand -base64 32` prints.',
    );
  }
  if (environment.text('DATABASE_URL') && !masterKey) {
    environment.addError(
      'MASTER_KEY is required with DATABASE_URL: 32 bytes in base64 or hex, to be kept by you.',
    );
  }
  return { apiKey, bootstrapKey, masterKey };
}

function readApiKey(environment: EnvironmentReader, name: string): string | undefined {
  const key = environment.text(name);
  if (key && !(key.length >= SHORTEST_KEY && /^[\x21-\x7e]{1,200}$/.test(key))) {
    environment.addError(
      `${name} must be ${SHORTEST_KEY} to 200 printable ASCII characters without blanks, ` +
        'such as `openssl rand -hex 32` prints.',
    );
  }
  return key;
}

type RequestRules = 'allowPrivateWebhooks' | 'rateLimit' | 'publicUrl' | 'trustedProxies';

function readRequestRules(environment: EnvironmentReader): Pick<Config, RequestRules> {
  const allowPrivateWebhooks = environment.text('ALLOW_PRIVATE_WEBHOOKS') ?? 'false';
  if (!['true', 'false'].includes(allowPrivateWebhooks)) {
    environment.addError(`ALLOW_PRIVATE_WEBHOOKS must be true or false, not "${allowPrivateWebhooks}".`);
  }
  const publicUrl = environment.base('PUBLIC_URL');
  if (publicUrl !== undefined && !isBaseUrl(publicUrl)) {
    environment.addError(`PUBLIC_URL must be a URL such as https://recount.example.com, not "${publicUrl}".`);
  }
  return {
    allowPrivateWebhooks: allowPrivateWebhooks === 'true',
    rateLimit: environment.count('RATE_LIMIT', 5_000, 'a whole number, the cost a second'),
    publicUrl,
    trustedProxies: readProxies(environment),
  };
}

const RANGES = ['loopback', 'linklocal', 'uniquelocal'];

function readProxies(environment: EnvironmentReader): readonly string[] {
  const named =
    environment
      .text('TRUSTED_PROXIES')
      ?.split(',')
      .map((range) => range.trim()) ?? [];
  const unknown = named.filter((range) => !RANGES.includes(range) && !isRange(range));
  if (unknown.length > 0) {
    environment.addError(
      `TRUSTED_PROXIES must be a list of addresses, CIDR ranges or ${RANGES.join(', ')}; "${unknown.join(', ')}" is none of them.`,
    );
  }
  return named;
}

/** Returns whether text is an address or a CIDR range. */
function isRange(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)]!;
  return most > 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= most));
}

function readProcess(environment: EnvironmentReader): Pick<Config, 'logLevel' | 'roles'> {
  const logLevel = environment.text('LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(logLevel)) {
    environment.addError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  }
  return { logLevel, roles: readRoles(environment) };
}

function readRoles(environment: EnvironmentReader): ReadonlySet<Role> {
  const text = environment.text('ROLES');
  if (text === undefined) return new Set(ROLES);
  const named = text.split(',').map((role) => role.trim());
  const unknown = named.filter((role) => !ROLES.includes(role as Role));
  if (unknown.length > 0) {
    environment.addError(
      `ROLES must be a list of ${ROLES.join(', ')}; "${unknown.join(', ')}" is none of them.`,
    );
  }
  return new Set(named as Role[]);
}

function readClock(environment: EnvironmentReader): Pick<Config, 'clock' | 'clockStart'> {
  const clock = environment.text('CLOCK') ?? 'system';
  const start = environment.text('CLOCK_START');
  const clockStart = start === undefined ? undefined : parseInstant(start);
  if (clock !== 'system' && clock !== 'manual') {
    environment.addError(`CLOCK must be system or manual, not "${clock}".`);
  } else if (start !== undefined && clock === 'system') {
    environment.addError('CLOCK_START is for CLOCK=manual only: the system clock cannot be set.');
  }
  if (start !== undefined && !clockStart) {
    environment.addError(`CLOCK_START must be a date and time such as 2026-01-01T00:00:00Z, not "${start}".`);
  }
  if (clockStart && outsideCalculable(clockStart)) {
    environment.addError(`CLOCK_START must be in ${CALCULABLE_YEARS}, not "${start}".`);
  }
  return { clock: clock === 'manual' ? 'manual' : 'system', clockStart };
}
