import { isIP } from 'node:net';
import { parseInstant, type Instant } from '../../kernel/instant.js';
import { faultOfConnectionString } from '../eventsourcing/store/eventstoredb/connection-string.js';
import { SHORTEST_KEY, type BucketSetting, type Config, type Role, type WitnessSetting } from './config.js';

const ROLES: readonly Role[] = ['api', 'projections', 'scheduler'];
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MASTER_KEY = /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;

/** Thrown for invalid settings. The message has one sentence per mistake. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'));
  }
}

/** Reads the variables of docs/operating.md#settings; an empty variable counts as not set. @throws ConfigError */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const mistakes: string[] = [];
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  const complain = (sentence: string): undefined => void mistakes.push(sentence);

  const readPort = (name: string): number | undefined => {
    const port = Number(text(name));
    const isPort = Number.isInteger(port) && port >= 0 && port <= 65_535;
    if (text(name) && !isPort) {
      complain(`${name} must be a whole number from 0 to 65535, not "${text(name)}".`);
    }
    return text(name) ? port : undefined;
  };
  const port = readPort('PORT') ?? 3000;
  const managementPort = readPort('MANAGEMENT_PORT');
  if (managementPort !== undefined && managementPort === port && port !== 0) {
    complain('MANAGEMENT_PORT must be another port than PORT: it asks for no key.');
  }

  const databaseUrl = text('DATABASE_URL');
  if (databaseUrl && !isUrl(databaseUrl, ['postgres:', 'postgresql:'])) {
    complain('DATABASE_URL must be a URL such as postgres://user:password@host:5432/recount.');
  }
  const embeddedPort = readPort('EMBEDDED_PORT') || undefined;
  const embeddedReaderPassword = text('EMBEDDED_READER_PASSWORD');
  if (databaseUrl && (embeddedPort ?? embeddedReaderPassword) !== undefined) {
    complain(
      'EMBEDDED_PORT and EMBEDDED_READER_PASSWORD are for the embedded PostgreSQL: unset DATABASE_URL.',
    );
  }
  const eventStoreUrl = text('EVENTSTORE_URL');
  const fault = eventStoreUrl && faultOfConnectionString(eventStoreUrl);
  if (fault) {
    complain(
      `EVENTSTORE_URL must be such as esdb://user:password@host:2113?tls=true, or esdb://a:2113,b:2113,c:2113 for a cluster; ${fault}.`,
    );
  }

  const readKey = (name: string): string | undefined => {
    const key = text(name);
    if (key && !(key.length >= SHORTEST_KEY && /^[\x21-\x7e]{1,200}$/.test(key))) {
      complain(
        `${name} must be ${SHORTEST_KEY} to 200 printable ASCII characters without blanks, ` +
          'such as `openssl rand -hex 32` prints.',
      );
    }
    return key;
  };
  const apiKey = readKey('API_KEY');
  const bootstrapKey = readKey('BOOTSTRAP_KEY');
  if (bootstrapKey !== undefined && bootstrapKey === apiKey) {
    complain('BOOTSTRAP_KEY must be another key than API_KEY: it belongs to no organization.');
  }

  const masterKey = text('MASTER_KEY');
  if (masterKey && !MASTER_KEY.test(masterKey)) {
    complain('MASTER_KEY must be 32 bytes in base64 or hex, such as `openssl rand -base64 32` prints.');
  }
  if (databaseUrl && !masterKey) {
    complain('MASTER_KEY is required with DATABASE_URL: 32 bytes in base64 or hex, to be kept by you.');
  }

  const allowPrivateWebhooks = text('ALLOW_PRIVATE_WEBHOOKS') ?? 'false';
  if (!['true', 'false'].includes(allowPrivateWebhooks)) {
    complain(`ALLOW_PRIVATE_WEBHOOKS must be true or false, not "${allowPrivateWebhooks}".`);
  }

  const rateLimit = Number(text('RATE_LIMIT') ?? 5_000);
  if (!Number.isInteger(rateLimit) || rateLimit < 1) {
    complain(`RATE_LIMIT must be a whole number, the cost a second, not "${text('RATE_LIMIT')}".`);
  }

  const publicUrl = text('PUBLIC_URL')?.replace(/\/+$/, '');
  if (publicUrl !== undefined && !isBaseUrl(publicUrl)) {
    complain(`PUBLIC_URL must be a URL such as https://recount.example.com, not "${publicUrl}".`);
  }
  const trustedProxies = readProxies(text('TRUSTED_PROXIES'), complain);

  const auditOrigin = text('AUDIT_ORIGIN') ?? 'recount';
  if (!/^[^\s+\p{Cc}]{1,200}$/u.test(auditOrigin)) {
    complain('AUDIT_ORIGIN must be a name without blanks and +, such as logs.example.com/recount.');
  }
  const auditCheckpointMinutes = Number(text('AUDIT_CHECKPOINT_MINUTES') ?? 60);
  if (!Number.isInteger(auditCheckpointMinutes) || auditCheckpointMinutes < 1) {
    complain(`AUDIT_CHECKPOINT_MINUTES must be a whole number, not "${text('AUDIT_CHECKPOINT_MINUTES')}".`);
  }
  const auditBucket = readBucket(text, complain);
  const auditWitnesses = readWitnesses(text('AUDIT_WITNESSES'), complain);

  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(logLevel)) complain(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);

  const roles = readRoles(text('ROLES'), complain);
  const { clock, clockStart } = readClock(text('CLOCK') ?? 'system', text('CLOCK_START'), complain);

  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return {
    port,
    host: text('HOST') ?? '127.0.0.1',
    managementPort,
    databaseUrl,
    embeddedPort,
    embeddedReaderPassword,
    eventStoreUrl,
    dataDir: text('DATA_DIR') ?? '.data',
    apiKey,
    bootstrapKey,
    roles,
    clock,
    clockStart,
    logLevel,
    masterKey,
    allowPrivateWebhooks: allowPrivateWebhooks === 'true',
    rateLimit,
    publicUrl,
    trustedProxies,
    auditOrigin,
    auditKeys: text('AUDIT_KEYS'),
    auditKeysFile: text('AUDIT_KEYS_FILE'),
    auditDirectory: text('AUDIT_DIRECTORY'),
    auditCheckpointMinutes,
    auditWitnesses,
    auditBucket,
  };
}

type Complain = (sentence: string) => undefined;

function readRoles(text: string | undefined, complain: Complain): ReadonlySet<Role> {
  if (text === undefined) return new Set(ROLES);
  const named = text.split(',').map((role) => role.trim());
  const unknown = named.filter((role) => !ROLES.includes(role as Role));
  if (unknown.length > 0) {
    complain(`ROLES must be a list of ${ROLES.join(', ')}; "${unknown.join(', ')}" is none of them.`);
  }
  return new Set(named as Role[]);
}

function readClock(
  clock: string,
  start: string | undefined,
  complain: Complain,
): { clock: 'system' | 'manual'; clockStart: Instant | undefined } {
  const clockStart = start === undefined ? undefined : parseInstant(start);
  if (clock !== 'system' && clock !== 'manual') {
    complain(`CLOCK must be system or manual, not "${clock}".`);
  } else if (start !== undefined && clock === 'system') {
    complain('CLOCK_START is for CLOCK=manual only: the system clock cannot be set.');
  }
  if (start !== undefined && !clockStart) {
    complain(`CLOCK_START must be a date and time such as 2026-01-01T00:00:00Z, not "${start}".`);
  }
  return { clock: clock === 'manual' ? 'manual' : 'system', clockStart };
}

const RANGES = ['loopback', 'linklocal', 'uniquelocal'];

function readProxies(text: string | undefined, complain: Complain): readonly string[] {
  const named = text === undefined ? [] : text.split(',').map((range) => range.trim());
  const unknown = named.filter((range) => !RANGES.includes(range) && !isRange(range));
  if (unknown.length > 0) {
    complain(
      `TRUSTED_PROXIES must be a list of addresses, CIDR ranges or ${RANGES.join(', ')}; "${unknown.join(', ')}" is none of them.`,
    );
  }
  return named;
}

function readBucket(
  text: (name: string) => string | undefined,
  complain: Complain,
): BucketSetting | undefined {
  const url = text('AUDIT_BUCKET')?.replace(/\/+$/, '');
  const [accessKeyId, secretAccessKey] = [text('AUDIT_BUCKET_ACCESS_KEY'), text('AUDIT_BUCKET_SECRET_KEY')];
  if (url === undefined) return undefined;
  if (!isBaseUrl(url)) {
    complain(
      `AUDIT_BUCKET must be the URL of a bucket such as https://s3.eu-central-1.amazonaws.com/my-bucket, not "${url}".`,
    );
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    return complain('AUDIT_BUCKET needs AUDIT_BUCKET_ACCESS_KEY and AUDIT_BUCKET_SECRET_KEY.');
  }
  return { url, region: text('AUDIT_BUCKET_REGION') ?? 'us-east-1', accessKeyId, secretAccessKey };
}

/** Limit of witnesses: with the service's own signatures a note has at most 16, which every verifier accepts. */
const MAX_WITNESSES = 12;

function readWitnesses(text: string | undefined, complain: Complain): readonly WitnessSetting[] {
  const parts = text === undefined ? [] : text.split(/[\s,]+/).filter((part) => part !== '');
  const witnesses = parts.flatMap((key, index) =>
    index % 2 === 0 ? [{ key, url: (parts[index + 1] ?? '').replace(/\/+$/, '') }] : [],
  );
  const isRight = witnesses.every(
    ({ key, url }) => /^[^+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+={0,2}$/.test(key) && isBaseUrl(url),
  );
  const names = new Set(witnesses.map(({ key }) => key));
  if (!isRight || names.size < witnesses.length || witnesses.length > MAX_WITNESSES) {
    complain(
      `AUDIT_WITNESSES must be 1 to ${MAX_WITNESSES} different witnesses, each a verifier key and a URL, such as ` +
        'witness.example/w1+da77ade7+BOvN63jn… https://witness.example.',
    );
  }
  return witnesses;
}

/** Returns whether text is an address or a CIDR range. */
function isRange(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)]!;
  return most > 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= most));
}

/** Returns whether links can be made by appending to a URL: it has no query, fragment or credentials. */
function isBaseUrl(text: string): boolean {
  if (!isUrl(text, ['http:', 'https:'])) return false;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '') && !/[?#]/.test(text);
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}
