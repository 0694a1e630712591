import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Vault } from '../../../src/platform/privacy/vault.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aChargeBody } from '../../support/builders/catalog-bodies.js';
import { recount } from '../../support/recount.js';
import { shopOf } from '../../support/shop.js';
import { withoutProofs } from '../../tamper/hostile-changes.js';
import { pack, unpack, withLines, withManifest, withoutFiles, type Forged } from './edit-bundle.js';
import { checkInPython } from './run-python.js';
import { verify } from './verify-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-personal-data-'));
const inFolder = (name: string): string => path.join(folder, name);
const FILE = 'personal-data/0001.jsonl';
let app: TestApp;
let key: string;

const sign = () => app.request.post('/api/audit/checkpoints/').expect(201);
const verifyWith = (file: string, ...options: string[]) => verify(inFolder(file), '--key', key, ...options);
async function exported(file: string, ...options: string[]) {
  expect((await recount(app, 'audit', 'export', inFolder(file), ...options)).isWell).toBe(true);
  return unpack(readFileSync(inFolder(file)));
}
const personsOf = async (file: string, ...options: string[]) => {
  const { text } = await verifyWith(file, '--json', ...options);
  const { invoices } = JSON.parse(text) as { invoices: { number: string; personal_data: Forged }[] };
  return invoices.map(({ number, personal_data: data }) => ({ number, data }));
};

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  const shop = shopOf(app);
  const plan = await shop.plan('Basic', { recurring_charges: [aChargeBody({ amount: 5 })] });
  const newCustomer = (name: string) =>
    shop.customer(name, { customer_name: `Name of ${name}`, email: `${name}@example.com` });
  for (const name of ['moved', 'erased']) await newCustomer(name);
  // Earlier releases sealed profiles with the key of the customer itself; descriptions of credits are still sealed so.
  const vault = app.service.app.get(Vault, { strict: false });
  const { seal } = vault;
  vault.seal = async (...profile) => (await vault.sealDeterministically(...profile))!;
  await newCustomer('former');
  vault.seal = seal;
  for (const name of ['former', 'moved', 'erased']) await shop.subscribe(name, plan, '2026-01-01');
  await app.advance('2026-01-20T00:00:00Z');
  const moved = { email: 'new@example.com', tax_ids: [{ type: 'vat', value: 'DE123456789' }] };
  await app.request.patch('/api/customers/moved/').send(moved).expect(200);
  await app.advance('2026-02-02T00:00:00Z');
  await app.request.patch('/api/customers/moved/').send({ email: 'latest@example.com' }).expect(200);
  await app.request.post('/api/customers/erased/delete/').send({}).expect(200);
  await app.request.post('/api/customers/erased/erase/').expect(200);
  key = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
  await sign();
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('personal data in a bundle', () => {
  it('is there only where it is asked for', async () => {
    const files = await exported('plain.zip', '--customer', 'moved');
    expect([...files.keys()]).not.toContain(FILE);
    expect(JSON.parse(files.get('manifest.json')!.toString())).toMatchObject({ version: 3 });
    expect(await personsOf('plain.zip', '--show-personal-data')).toMatchObject([
      { data: null },
      { data: null },
    ]);
  });

  it('is that of each invoice, opened by the verifier from the sealed bytes of the events', async () => {
    const files = await exported('moved.zip', '--customer', 'moved', '--personal-data');
    expect(JSON.parse(files.get('manifest.json')!.toString())).toMatchObject({ version: 4 });
    const shown = await personsOf('moved.zip', '--show-personal-data');
    expect(shown.map(({ data }) => [data.result, data.data.email, data.data.taxIds])).toEqual([
      ['as sealed', 'moved@example.com', undefined],
      ['as sealed', 'new@example.com', [{ type: 'vat', value: 'DE123456789' }]],
    ]);
    const { code, text } = await verifyWith('moved.zip', '--show-personal-data');
    expect(code).toBe(0);
    expect(text).toContain(`customer of ${shown[0]!.number}, as sealed: {`);
    // Details that changed after the last invoice are not disclosed.
    expect(files.get(FILE)!.toString()).not.toContain('latest@');
    expect(JSON.parse(await checkInPython(inFolder('moved.zip'), shown[1]!.number, key))).toMatchObject({
      disclosed: 2,
    });
  });

  it('is printed only where the verifier is asked to', async () => {
    expect(await personsOf('moved.zip')).toMatchObject([{ data: { result: 'as sealed' } }, {}]);
    for (const options of [[], ['--json']]) {
      expect((await verifyWith('moved.zip', ...options)).text).not.toContain('example.com');
    }
  });

  it('of an erased person is in none', async () => {
    const files = await exported('erased.zip', '--customer', 'erased', '--personal-data');
    expect(files.get(FILE)!.toString()).toBe('');
    expect((await verifyWith('erased.zip')).code).toBe(0);
    const all = await exported('all.zip', '--from', '2026-01-01', '--personal-data');
    expect(all.get(FILE)!.toString()).not.toContain('erased@');
    expect((await personsOf('all.zip')).filter(({ data }) => data === null)).not.toEqual([]);
  });

  it('that an earlier release sealed is stated and not proven, without the key of the customer', async () => {
    const files = await exported('former.zip', '--customer', 'former', '--personal-data');
    expect(JSON.parse(files.get(FILE)!.toString().split('\n')[0]!)).toMatchObject({ key: null });
    const { code, text } = await verifyWith('former.zip');
    expect(text).toContain('is what the operator states');
    expect(code).toBe(3);
    const [first] = await personsOf('former.zip');
    await checkInPython(inFolder('former.zip'), first!.number, key);
    await pack(
      withLines(files, FILE, ([first, ...rest]) => [{ ...first, key: 'AAAA' }, ...rest]),
      inFolder('keyed.zip'),
    );
    expect(await verifyWith('keyed.zip')).toMatchObject({
      code: 2,
      text: expect.stringMatching(/line 1: a key is given, and customer-\S+@\d+ has none of its own/),
    });
  });
});

describe('personal data that a bundle leaves out is missing', () => {
  it.each<[string, (lines: Forged[]) => object[], number]>([
    ['the newer details', ([first]) => [first], 1],
    ['all details', () => [], 2],
  ])('%s', async (_, change, many) => {
    const honest = await unpack(readFileSync(inFolder('moved.zip')));
    await pack(withLines(honest, FILE, change), inFolder('less.zip'));
    const shown = await personsOf('less.zip');
    expect(shown.filter(({ data }) => data.result === 'missing')).toHaveLength(many);
    const { code, text } = await verifyWith('less.zip');
    expect(text).toContain(
      `not proven: the personal data of ${many} invoice${many === 1 ? '' : 's'} is missing, the first is ${shown[2 - many]!.number}: `,
    );
    expect(code).toBe(3);
  });
});

describe('a bundle is refused', () => {
  it.each<[string, (lines: Forged[]) => object[], RegExp]>([
    [
      'other personal data',
      ([first, ...rest]) => [
        { ...first, personal_data: { ...first.personal_data, name: 'Nobody' } },
        ...rest,
      ],
      /line 1: personal_data is not what customer-\S+@\d+ has sealed/,
    ],
    [
      'the key of another record',
      ([first, second]) => [{ ...first, key: second.key }, second],
      /line 1: the key is not that of customer-\S+@\d+/,
    ],
    [
      'the record of another event',
      ([first, ...rest]) => [{ ...first, revision: 99 }, ...rest],
      /line \d: (revision \d+ comes after 99|customer-\S+@99 is no event that seals personal data)/,
    ],
    [
      'the record of a customer that it does not have',
      (lines) => [...lines, { ...lines[0], stream: `${lines[0].stream}0` }],
      /line 3: it is of no customer whose events come next/,
    ],
    ['a member of no meaning', ([first, ...rest]) => [{ ...first, more: 1 }, ...rest], /"more" is no member/],
    [
      'details of the operator in the place of sealed ones',
      ([first, ...rest]) => [
        { ...first, key: null, personal_data: { ...first.personal_data, name: 'Nobody' } },
        ...rest,
      ],
      /line 1: key is null, and customer-\S+@\d+ has sealed with a key of its own/,
    ],
    ['a key that is no text', ([first, ...rest]) => [{ ...first, key: 1 }, ...rest], /key is no string/],
  ])('with %s', async (_, change, place) => {
    const honest = await unpack(readFileSync(inFolder('moved.zip')));
    await pack(withLines(honest, FILE, change), inFolder('forged.zip'));
    const { code, text } = await verifyWith('forged.zip');
    expect(text).toMatch(place);
    expect(text).not.toContain('example.com');
    expect(code).toBe(2);
  });

  it('without proofs, with an invoice that names no revision of its customer', async () => {
    const honest = withoutProofs(await unpack(readFileSync(inFolder('moved.zip'))));
    const forged = withLines(honest, 'events/0001.jsonl', (lines) =>
      lines.map((line) =>
        line.type === 'InvoiceComputed'
          ? { ...line, data: { ...line.data, inputs: { ...line.data.inputs, customerRevision: 'odd' } } }
          : line,
      ),
    );
    await pack(forged, inFolder('odd.zip'));
    expect(await verify(inFolder('odd.zip'))).toEqual({
      code: 2,
      text: expect.stringMatching(/^refused: account-\S+@\d+: .*odd/),
    });
  });

  it('whose version promises personal data without the file, or has the file without the version', async () => {
    const honest = await unpack(readFileSync(inFolder('moved.zip')));
    await pack(withoutFiles(honest, FILE), inFolder('less.zip'));
    expect((await verifyWith('less.zip')).text).toContain(`manifest.json: it does not list ${FILE}`);
    await pack(withManifest(honest, { version: 3 }), inFolder('old.zip'));
    expect((await verifyWith('old.zip')).text).toContain(`${FILE}: the bundle has no such part`);
  });
});

describe('GET /api/invoices/{id}/evidence/ with include=personal_data', () => {
  it('requires the scope admin', async () => {
    const { body } = await app.request
      .post('/api/api_keys/')
      .send({ name: 'reader', scope: 'write' })
      .expect(201);
    const asked = (apiKey: string) =>
      fetch(`${app.url}/api/invoices/260101-000001/evidence/?include=personal_data`, {
        headers: { 'X-API-KEY': apiKey },
      });
    const refused = await asked(body.key as string);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ title: 'permission_denied' });
    const files = await unpack(Buffer.from(await (await asked(app.key)).arrayBuffer()));
    expect(files.get(FILE)!.toString()).toContain('@example.com');
  });
});
