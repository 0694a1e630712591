import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/platform/config/read-config.js';
import { createLogger } from '../../../src/platform/telemetry/logger.js';
import { startService } from '../../../src/service.js';
import { startFailure } from '../../../src/start-failure.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-start-'));
const file = path.join(folder, 'file');
const link = path.join(folder, 'link');
const taken = createServer();
let port: number;
beforeAll(async () => {
  writeFileSync(file, '');
  symlinkSync(path.join(folder, 'nowhere'), link);
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  port = (taken.address() as AddressInfo).port;
});
afterAll(() => {
  taken.close();
  rmSync(folder, { recursive: true, force: true });
});

async function failureOf(env: Readonly<Record<string, string>>): Promise<string> {
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...env });
  const error: unknown = await startService(config, createLogger('silent')).then(
    async (service) => service.stop(),
    (reason: unknown) => reason,
  );
  return startFailure(error, config);
}

describe('a service that cannot start names the setting and what to do', () => {
  const AWAY = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', MASTER_KEY: '0'.repeat(64) };

  it.each<[string, () => string, RegExp]>([
    ['below a file', () => path.join(file, 'data'), /file\/data cannot be used: .+ is a file \(ENOTDIR\)\./],
    ['that is a file', () => file, /file cannot be used: .+ file\b.* \((?:ENOTDIR|EEXIST)\)\./],
    ['at a link to nothing', () => link, /link cannot be used: .+ be made there \(ENOENT\)\./],
    [
      'below /proc',
      () => '/proc/data/recount',
      /recount cannot be used: \/proc\/data .+ be made there \(ENOENT\)\./,
    ],
    ['that is /proc', () => '/proc', /proc cannot be used: \/proc\/.+ be made there \(ENOENT\)\./],
  ])('DATA_DIR %s', async (_, dataDir, sentence) => {
    for (const key of ['', '0'.repeat(64)]) {
      const text = await failureOf({ DATA_DIR: dataDir(), MASTER_KEY: key });
      expect(text).toMatch(/^DATA_DIR /);
      expect(text).toMatch(sentence);
      expect(text).toMatch(/ set DATA_DIR to a folder that the account of this process may write\.$/);
    }
  });

  it.each(['PORT', 'MANAGEMENT_PORT'])(
    '%s that is in use, also while it waits for its stores',
    async (name) => {
      expect(await failureOf({ ...AWAY, [name]: String(port) })).toBe(
        `${name} ${port} of 127.0.0.1 is in use already. Stop the process that listens there, or set ${name} to another port.`,
      );
    },
  );

  it('EMBEDDED_PORT that is in use', async () => {
    const env = { DATA_DIR: path.join(folder, 'used'), EMBEDDED_PORT: String(port) };
    expect(await failureOf(env)).toBe(
      `EMBEDDED_PORT ${port} of 127.0.0.1 is in use already. Stop the process that listens there, or set EMBEDDED_PORT to another port.`,
    );
  });

  it('HOST that is no address of the machine', async () => {
    const env = { ...AWAY, PORT: String(port), HOST: '192.0.2.1' };
    expect(await failureOf(env)).toMatch(/^HOST 192\.0\.2\.1 is no address of this machine\. Set HOST to/);
  });

  it('errors of other files keep their own message', () => {
    const error = Object.assign(new Error('spawn postgres ENOENT'), {
      code: 'ENOENT',
      path: '/usr/bin/postgres',
    });
    expect(startFailure(error, readConfig({ DATA_DIR: '/var/lib/recount' }))).toBe('spawn postgres ENOENT');
  });
});
