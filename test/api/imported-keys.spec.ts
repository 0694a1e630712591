import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { KeyAudit } from '../../src/audit/doctor/key-audit.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { ApiKeyImport } from '../../src/organization/api-keys/import-keys.js';
import { KeyRecords } from '../../src/organization/api-keys/key-records.js';
import { apiKeysDecider, KEYS } from '../../src/organization/domain/api-keys.js';
import { startContext } from '../../src/platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../src/platform/eventsourcing/command-runner/command-runner.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** Stores keys as a release without events of keys did. */
const insert = (org: Uuid, prefix: string, count: number) =>
  app.pool.query(
    `insert into api_keys (id, org, prefix, key_hash, name, scope)
     select gen_random_uuid(), $1, $2::text || n, sha256(convert_to($2 || n, 'UTF8')), 'Old', 'read'
     from generate_series(1, $3::integer) as n`,
    [org, prefix, count],
  );
const count = async (org: Uuid, condition: string) =>
  (await app.pool.query(`select from api_keys where org = $1 and ${condition}`, [org])).rowCount;
const differencesOf = async (org: Uuid) =>
  (await app.service.app.get(KeyAudit, { strict: false }).differences(0)).filter((one) => one.includes(org));
const takeIn = () => app.service.app.get(ApiKeyImport, { strict: false }).run();

describe('keys from before their events', () => {
  it('are taken in once', async () => {
    const org = randomUUID();
    await insert(org, 'once-', 2);
    await takeIn();
    expect(await differencesOf(org)).toEqual([]);
    await insert(org, 'later-', 1);
    await takeIn();
    expect(await differencesOf(org)).toEqual([
      `key later-1 of organization ${org} is in the table and no event created it`,
    ]);
  });

  it('are all taken in, though they are more than one append holds and a start has died between two', async () => {
    const org = randomUUID();
    await insert(org, 'many-', 2_050);
    const records = (await app.service.app.get(KeyRecords, { strict: false }).unrecorded()).get(org)!;
    const keys = records.slice(0, 1_000).map(({ isRevoked: _, hasForeignSeal: _seal, ...key }) => key);
    const first = startContext(org, randomUUID());
    const runner = app.service.app.get(CommandRunner, { strict: false });
    await runner.run(apiKeysDecider, KEYS, { type: 'ImportKeys', keys }, first);
    expect(await count(org, 'recorded')).toBe(1_000);

    await takeIn();
    expect(await count(org, 'recorded')).toBe(2_050);
    expect(await differencesOf(org)).toEqual([]);

    await insert(org, 'forged-', 1);
    await takeIn();
    expect(await count(org, 'recorded is null')).toBe(1);
  });

  it('are not taken in by an organization that has made one since', async () => {
    const org = randomUUID();
    await insert(org, 'beside-', 1);
    const [key] = (await app.service.app.get(KeyRecords, { strict: false }).unrecorded()).get(org)!;
    const { isRevoked: _, hasForeignSeal: _seal, ...made } = key!;
    const runner = app.service.app.get(CommandRunner, { strict: false });
    const context = startContext(org, randomUUID());
    await runner.run(
      apiKeysDecider,
      KEYS,
      { type: 'CreateKey', key: { ...made, keyId: randomUUID() } },
      context,
    );
    await takeIn();
    expect(await count(org, 'recorded is null')).toBe(1);
  });
});
