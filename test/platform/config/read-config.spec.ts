import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/platform/config/read-config.js';
import { ConfigError } from '../../../src/platform/config/environment-reader.js';

const mistakes = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
  return [];
};
const KEY = '0123456789abcdef'.repeat(4);

describe('the environment', () => {
  it('has settings of the embedded PostgreSQL, which are refused beside a DATABASE_URL', () => {
    const env = { EMBEDDED_PORT: '5433', EMBEDDED_READER_PASSWORD: 'read' };
    expect(readConfig(env)).toMatchObject({ embeddedPort: 5433, embeddedReaderPassword: 'read' });
    expect(mistakes({ ...env, DATABASE_URL: 'postgres://h/r', MASTER_KEY: KEY })).toEqual([
      expect.stringMatching(/^EMBEDDED_PORT and EMBEDDED_READER_PASSWORD are for the embedded/),
    ]);
  });

  it('may be empty: everything has a default', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      managementPort: undefined,
      databaseUrl: undefined,
      eventStoreUrl: undefined,
      dataDir: '.data',
      apiKey: undefined,
      bootstrapKey: undefined,
      roles: new Set(['api', 'projections', 'scheduler']),
      clock: 'system',
      clockStart: undefined,
      logLevel: 'info',
      masterKey: undefined,
      allowPrivateWebhooks: false,
      rateLimit: 5_000,
      publicUrl: undefined,
      trustedProxies: [],
      auditOrigin: 'recount',
      auditBucket: undefined,
      auditWitnesses: [],
      auditKeys: undefined,
      auditKeysFile: undefined,
      auditDirectory: undefined,
      auditCheckpointMinutes: 60,
    });
  });

  it('is read as it says; what is left empty counts as not set', () => {
    const config = readConfig({
      PORT: '0',
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://u:p@db/recount',
      EVENTSTORE_URL: 'esdb://admin:changeit@es:2113?tls=false',
      DATA_DIR: '/var/lib/recount',
      API_KEY: '',
      ROLES: 'api, scheduler',
      CLOCK: 'manual',
      CLOCK_START: '2026-01-31 12:00:00',
      LOG_LEVEL: 'warn',
      MASTER_KEY: KEY,
    });
    expect(config).toMatchObject({
      port: 0,
      host: '0.0.0.0',
      dataDir: '/var/lib/recount',
      apiKey: undefined,
      bootstrapKey: undefined,
      roles: new Set(['api', 'scheduler']),
      clock: 'manual',
      clockStart: '2026-01-31T12:00:00.000000Z',
      masterKey: KEY,
    });
  });

  it('names proxies by address, range or kind, and the URL that links begin with', () => {
    const proxies = '10.0.0.0/8, 192.0.2.1,2001:db8::/32, ::1, loopback';
    const config = readConfig({ PUBLIC_URL: 'https://billing.example.com/', TRUSTED_PROXIES: proxies });
    expect(config).toMatchObject({
      publicUrl: 'https://billing.example.com',
      trustedProxies: ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::1', 'loopback'],
    });
    const wrong = ['10.0.0.0/33', '10.0.0.0/0', 'proxy.internal', '127.1', '10.0.0.0/8/8', ','];
    for (const list of wrong) expect(mistakes({ TRUSTED_PROXIES: list })).toHaveLength(1);
    const urls = ['billing.example.com', 'ftp://x', 'https://u:p@x', 'https://x/?a', 'https://x/#a'];
    for (const url of urls) expect(mistakes({ PUBLIC_URL: url })).toHaveLength(1);
  });

  it('is refused with a sentence for every mistake, all at once', () => {
    const all = mistakes({
      PORT: '70000',
      DATABASE_URL: 'mysql://db',
      EVENTSTORE_URL: 'es:2113',
      API_KEY: 'short',
      ROLES: 'api,worker',
      CLOCK: 'atomic',
      CLOCK_START: 'yesterday',
      LOG_LEVEL: 'loud',
      MASTER_KEY: 'secret',
    });
    const named = all.map((sentence) => sentence.split(' ')[0]);
    expect(named.sort()).toEqual(
      'API_KEY CLOCK CLOCK_START DATABASE_URL EVENTSTORE_URL LOG_LEVEL MASTER_KEY PORT ROLES'.split(' '),
    );
    for (const sentence of all) expect(sentence).toMatch(/^[A-Z_]+ .+\.$/);
  });

  it('never repeats a secret', () => {
    const all = mistakes({ MASTER_KEY: 'my-secret', API_KEY: 'key 1', DATABASE_URL: 'postgre://u:pass@db' });
    expect(all).toHaveLength(3);
    expect(all.join()).not.toMatch(/my-secret|key 1|pass@/);
  });

  it('takes an API_KEY of 32 to 200 printable characters, wherever it was made', () => {
    const refusal: unknown = expect.stringMatching(/^API_KEY must be 32 to 200 printable .+\.$/);
    for (const key of ['x'.repeat(31), 'x'.repeat(201), `${'x'.repeat(31)} x`, 'ä'.repeat(40)])
      expect(mistakes({ API_KEY: key })).toEqual([refusal]);
    for (const key of ['x'.repeat(32), '~'.repeat(200)])
      expect(readConfig({ API_KEY: key }).apiKey).toBe(key);
  });

  it('takes a BOOTSTRAP_KEY as long as an API_KEY, and another one', () => {
    const key = 'x'.repeat(32);
    expect(readConfig({ BOOTSTRAP_KEY: key }).bootstrapKey).toBe(key);
    for (const env of [{ BOOTSTRAP_KEY: 'short' }, { BOOTSTRAP_KEY: key, API_KEY: key }] as Record<
      string,
      string
    >[])
      expect(mistakes(env)).toEqual([expect.stringMatching(/^BOOTSTRAP_KEY must be .+\.$/)]);
  });

  it.each([
    'esdb://es:2113?tls=false',
    'esdb://a:1,b:2,c:3',
    'esdb://admin:p%40ss%3Aword@a.example:2113,b.example:2113?tls=true&tlsCAFile=/etc/ca.pem',
    'esdb+discover://cluster.example:2113?nodePreference=leader&keepAliveInterval=10000',
    'esdb://es:2113?tls=false&tlsVerifyCert=false',
  ])('takes %s for EventStoreDB, a node or a cluster', (url) => {
    expect(readConfig({ EVENTSTORE_URL: url }).eventStoreUrl).toBe(url);
  });

  it('says what is wrong with a URL of EventStoreDB, and no part of it: not of its password, nor on the console', () => {
    const printed: unknown[] = [];
    const { warn } = globalThis.console;
    globalThis.console.warn = (...line: unknown[]) => void printed.push(line);
    const wrong: Record<string, string> = {
      'http://admin:hunter2@es:2113': 'expected',
      'esdb://admin:hunter2@es:port': 'port number is expected',
      'esdb://admin:hunter2@': 'host is expected',
      'esdb://admin:hunt?er2@es:2113': 'option',
      'esdb://admin:hunt:er2@es:2113': 'percent-encoded',
      'esdb://admin:hunt@er2@es:2113': 'percent-encoded',
      'esdb://admin:hunt%er2@es:2113': 'cannot be read',
      'esdb://admin:hunter2@es:2113?tlsCaFiles=x': 'no option "tlsCaFiles"',
      'esdb://admin:hunter2@es:2113?tlsVerifyCert=false': 'tlsCAFile',
      'esdb://admin:hunter2@es:2113?tls=maybe': 'true or false is expected',
    };
    for (const [url, reason] of Object.entries(wrong)) {
      const [sentence, ...others] = mistakes({ EVENTSTORE_URL: url });
      expect(others).toEqual([]);
      expect(sentence).toContain(reason);
      expect(sentence).toMatch(/^EVENTSTORE_URL must be such as .+\.$/);
      expect(sentence).not.toMatch(/hunt|er2/);
    }
    globalThis.console.warn = warn;
    expect(printed).toEqual([]);
  });

  it('has a port for the management of its own, as that asks for no key', () => {
    expect(readConfig({ MANAGEMENT_PORT: '9464' }).managementPort).toBe(9464);
    expect(mistakes({ MANAGEMENT_PORT: '3000' })).toEqual([
      expect.stringMatching(/^MANAGEMENT_PORT must be/),
    ]);
    expect(mistakes({ MANAGEMENT_PORT: 'x' })).toEqual([expect.stringMatching(/^MANAGEMENT_PORT must be/)]);
  });

  it('needs a master key of its own beside a database of its own', () => {
    expect(mistakes({ DATABASE_URL: 'postgres://db/recount' })).toEqual([
      expect.stringContaining('MASTER_KEY is required'),
    ]);
  });

  it('sets the time of the manual clock only', () => {
    expect(mistakes({ CLOCK_START: '2026-01-01' })).toEqual([expect.stringContaining('CLOCK=manual')]);
  });

  it('starts the manual clock in years that leave room on both sides', () => {
    const start = (at: string) => mistakes({ CLOCK: 'manual', CLOCK_START: at });
    const refusal: unknown = expect.stringMatching(/^CLOCK_START must be in the years 1900 to 8999/);
    expect(start('1899-12-31T23:59:59Z')).toEqual([refusal]);
    expect(start('9000-01-01')).toEqual([refusal]);
    for (const at of ['1900-01-01', '8999-12-31T23:59:59.999999Z'])
      expect(readConfig({ CLOCK: 'manual', CLOCK_START: at }).clockStart).toMatch(at.slice(0, 10));
  });

  it('takes witnesses as pairs of a verifier key and a URL', () => {
    const key = 'witness.example/w1+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2';
    const other = key.replace('w1', 'w2');
    const AUDIT_WITNESSES = `${key} https://witness.example/prefix/,\n${other} http://10.0.0.7:7380`;
    expect(readConfig({ AUDIT_WITNESSES }).auditWitnesses).toEqual([
      { key, url: 'https://witness.example/prefix' },
      { key: other, url: 'http://10.0.0.7:7380' },
    ]);
    const many = Array.from(
      { length: 13 },
      (_, index) => `${key.replace('w1', `w${index}`)} https://w.example`,
    );
    for (const wrong of [key, `${key} w.example`, 'w1 https://w.example', `${key} https://w.example?x=1`]) {
      expect(mistakes({ AUDIT_WITNESSES: wrong })).toEqual([
        expect.stringMatching(/^AUDIT_WITNESSES must be/),
      ]);
    }
    for (const wrong of [`${key} https://a.example ${key} https://b.example`, many.join('\n')]) {
      expect(mistakes({ AUDIT_WITNESSES: wrong })).toEqual([
        expect.stringMatching(/^AUDIT_WITNESSES must be/),
      ]);
    }
  });

  it('takes a bucket with its keys', () => {
    const env = {
      AUDIT_BUCKET: 'https://s3.example/bucket/folder/',
      AUDIT_BUCKET_ACCESS_KEY: 'id',
      AUDIT_BUCKET_SECRET_KEY: 'secret',
    };
    const bucket = { url: 'https://s3.example/bucket/folder', accessKeyId: 'id', secretAccessKey: 'secret' };
    expect(readConfig(env).auditBucket).toEqual({ ...bucket, region: 'us-east-1' });
    expect(readConfig({ ...env, AUDIT_BUCKET_REGION: 'eu-central-1' }).auditBucket!.region).toBe(
      'eu-central-1',
    );
    expect(mistakes({ ...env, AUDIT_BUCKET: 's3://bucket' })).toEqual([
      expect.stringMatching(/^AUDIT_BUCKET must be the URL of a bucket/),
    ]);
    expect(mistakes({ AUDIT_BUCKET: env.AUDIT_BUCKET })).toEqual([
      'AUDIT_BUCKET needs AUDIT_BUCKET_ACCESS_KEY and AUDIT_BUCKET_SECRET_KEY.',
    ]);
  });
});
