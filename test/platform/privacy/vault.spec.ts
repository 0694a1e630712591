import { createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CustomerKeys } from '../../../src/customer/customer-directory.js';
import { boundToSubject, commitmentTo, parseSealedRecord } from '../../../src/kernel/sealed-record.js';
import { loadMasterKey } from '../../../src/platform/privacy/master-key.js';
import { Vault } from '../../../src/platform/privacy/vault.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

const PERSON = { name: 'Zofia Łącka', email: 'zofia@example.com' };

describe('the vault', () => {
  let database: TestDatabase;
  let vault: Vault;
  const masterKey = randomBytes(32);
  const org = randomUUID();

  beforeAll(async () => {
    database = await createTestDatabase();
    vault = new Vault(masterKey, new CustomerKeys(database.pool));
  });
  afterAll(() => database.drop());

  const destroyKey = (customerKey: string) =>
    database.pool.query('update customer_keys set wrapped_key = null where customer_key = $1', [customerKey]);

  it('what is sealed comes back, and its text says nothing of it', async () => {
    const customerKey = randomUUID();
    const sealed = await vault.seal(org, customerKey, PERSON);
    expect(await vault.unseal(org, customerKey, sealed)).toEqual(PERSON);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('zofia');
    expect(await vault.seal(org, customerKey, PERSON)).not.toBe(sealed);
  });

  it('another process with the same master key opens it', async () => {
    const customerKey = randomUUID();
    const sealed = await vault.seal(org, customerKey, PERSON);
    const other = new Vault(masterKey, new CustomerKeys(database.pool));
    expect(await other.unseal(org, customerKey, sealed)).toEqual(PERSON);
  });

  it('two sealings at the same moment use one key', async () => {
    const customerKey = randomUUID();
    const texts = await Promise.all([1, 2, 3, 4].map((n) => vault.seal(org, customerKey, { n })));
    const opened = await vault.unsealMany(
      org,
      texts.map((sealed) => ({ subject: customerKey, sealed })),
    );
    expect(opened).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  });

  it('a destroyed key opens nothing, at once and for ever, and seals nothing new', async () => {
    const [erased, other] = [randomUUID(), randomUUID()];
    const [gone, stays] = [await vault.seal(org, erased, PERSON), await vault.seal(org, other, PERSON)];
    expect(await vault.unseal(org, erased, gone)).toEqual(PERSON);
    await destroyKey(erased);
    expect(await vault.unseal(org, erased, gone)).toBeUndefined();
    expect(await vault.unseal(org, other, stays)).toEqual(PERSON);
    await expect(vault.seal(org, erased, PERSON)).rejects.toThrow('destroyed');
    expect(await vault.unseal(org, erased, gone)).toBeUndefined();
  });

  it('a list keeps its order, with gaps where somebody was erased', async () => {
    const keys = [randomUUID(), randomUUID(), randomUUID()];
    const items = await Promise.all(
      keys.map(async (customerKey, n) => ({
        subject: customerKey,
        sealed: await vault.seal(org, customerKey, { n }),
      })),
    );
    await destroyKey(keys[1]!);
    expect(await vault.unsealMany(org, [...items, items[0]!])).toEqual([
      { n: 0 },
      undefined,
      { n: 2 },
      { n: 0 },
    ]);
  });

  it('a list of any length is one statement', async () => {
    const items = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const customerKey = randomUUID();
        return { subject: customerKey, sealed: await vault.seal(org, customerKey, PERSON) };
      }),
    );
    let statements = 0;
    const counting = new Proxy(database.pool, {
      get: (pool, name) => {
        if (name === 'query') statements += 1;
        return Reflect.get(pool, name) as unknown;
      },
    });
    await new Vault(masterKey, new CustomerKeys(counting)).unsealMany(org, items);
    expect(statements).toBe(1);
  });

  it('what was sealed for one customer or tenant opens for no other', async () => {
    const [customerKey, thief, foreignOrg] = [randomUUID(), randomUUID(), randomUUID()];
    const sealed = await vault.seal(org, customerKey, PERSON);
    await vault.seal(org, thief, {});
    await expect(vault.unseal(org, thief, sealed)).rejects.toThrow();
    // The key of the other organization does not help either: key and text are bound to their owner.
    await database.pool.query(
      `insert into customer_keys (org, customer_key, wrapped_key)
       select $2, $1, wrapped_key from customer_keys where org = $3 and customer_key = $1`,
      [customerKey, foreignOrg, org],
    );
    await expect(vault.unseal(foreignOrg, customerKey, sealed)).rejects.toThrow('MASTER_KEY');
  });

  it('a changed text or another master key is an error, not an answer', async () => {
    const customerKey = randomUUID();
    const sealed = await vault.seal(org, customerKey, PERSON);
    const at = sealed.length - 4;
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    await expect(vault.unseal(org, customerKey, changed)).rejects.toThrow();
    await expect(vault.unseal(org, customerKey, JSON.stringify(PERSON))).rejects.toThrow(
      'The text is not sealed.',
    );
    const stranger = new Vault(randomBytes(32), new CustomerKeys(database.pool));
    await expect(stranger.unseal(org, customerKey, sealed)).rejects.toThrow('MASTER_KEY');
  });

  it('discloses one record with a key that opens no other of the customer', async () => {
    const customerKey = randomUUID();
    const [sealed, other] = [
      await vault.seal(org, customerKey, PERSON),
      await vault.seal(org, customerKey, {}),
    ];
    const disclosed = (await vault.disclose(org, customerKey, sealed))!;
    expect(disclosed.data).toEqual(PERSON);
    const openWith = (key: Buffer, text: string) => {
      const { iv, tag, ciphertext } = parseSealedRecord(text)!;
      const decipher = createDecipheriv('aes-256-gcm', key, iv);
      decipher.setAAD(Buffer.from(boundToSubject(org, customerKey)));
      decipher.setAuthTag(tag);
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString();
    };
    expect(openWith(disclosed.key!, sealed)).toBe(JSON.stringify(PERSON));
    expect(commitmentTo(disclosed.key!)).toBe(parseSealedRecord(sealed)!.commitment);
    expect(() => openWith(disclosed.key!, other)).toThrow();
    await destroyKey(customerKey);
    expect(await vault.disclose(org, customerKey, sealed)).toBeUndefined();
  });

  it('discloses no key of text that is sealed with the key of the customer itself', async () => {
    const customerKey = randomUUID();
    const sealed = (await vault.sealDeterministically(org, customerKey, PERSON))!;
    expect(await vault.unseal(org, customerKey, sealed)).toEqual(PERSON);
    expect(await vault.disclose(org, customerKey, sealed)).toEqual({ data: PERSON, key: null });
  });

  it('a record of no one customer opens under its own name and tenant only', () => {
    const sealed = vault.sealRecord(org, 'answer 1', PERSON);
    expect(sealed).not.toContain('zofia');
    expect(vault.openRecord(org, 'answer 1', sealed)).toEqual(PERSON);
    expect(() => vault.openRecord(org, 'answer 2', sealed)).toThrow();
    expect(() => vault.openRecord(randomUUID(), 'answer 1', sealed)).toThrow();
  });

  it('a keyed hash is the same for the same text of one tenant and differs otherwise', () => {
    const hash = vault.hmac(org, 'a@example.com');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(new Vault(masterKey, new CustomerKeys(database.pool)).hmac(org, 'a@example.com')).toBe(hash);
    const others = [
      vault.hmac(org, 'b@example.com'),
      vault.hmac(randomUUID(), 'a@example.com'),
      new Vault(randomBytes(32), new CustomerKeys(database.pool)).hmac(org, 'a@example.com'),
    ];
    expect(new Set([hash, ...others]).size).toBe(4);
  });
});

describe('the master key', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'recount-master-key-'));
  });
  afterAll(() => rmSync(dataDir, { recursive: true }));

  const bytes = randomBytes(32);

  it('is read from base64, base64url and hex', () => {
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      expect(loadMasterKey({ masterKey: ` ${bytes.toString(encoding)}\n`, dataDir })).toEqual(bytes);
    }
  });

  it('of another length, or no encoding at all, is refused with a sentence that does not repeat it', () => {
    for (const wrong of ['', 'secret', randomBytes(16).toString('hex'), randomBytes(33).toString('base64')]) {
      expect(() => loadMasterKey({ masterKey: wrong, dataDir })).toThrow(
        'MASTER_KEY must be 32 bytes in base64 or hex.',
      );
    }
  });

  it('has to be given when the database is somewhere else', () => {
    expect(() => loadMasterKey({ databaseUrl: 'postgres://elsewhere/recount', dataDir })).toThrow(
      'MASTER_KEY is required with DATABASE_URL',
    );
  });

  it('beside an embedded database is made once, kept, and closed to others', () => {
    const nested = join(dataDir, 'made');
    const made = loadMasterKey({ dataDir: nested });
    expect(made).toHaveLength(32);
    expect(loadMasterKey({ dataDir: nested })).toEqual(made);
    expect(statSync(join(nested, 'master.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(nested, 'master.key'), 'utf8').trim()).toBe(made.toString('base64'));
  });

  it('given wins over the one kept, and a spoiled file is reported by its name', () => {
    const spoiled = mkdtempSync(join(dataDir, 'spoiled-'));
    writeFileSync(join(spoiled, 'master.key'), 'half');
    expect(loadMasterKey({ masterKey: bytes.toString('hex'), dataDir: spoiled })).toEqual(bytes);
    expect(() => loadMasterKey({ dataDir: spoiled })).toThrow('master.key must be 32 bytes');
  });
});
