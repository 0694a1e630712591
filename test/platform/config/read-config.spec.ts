import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from '../../../src/platform/config/read-config.js';

const mistakes = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
};
const KEY = '0123456789abcdef'.repeat(4);

describe('the environment', () => {
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
});
