import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { TRIGGERS } from '../../src/webhooks/domain/triggers.js';
import { operationsOf } from '../support/api-contract/document-index.js';
import { filledPath, type Ids, type Json } from '../support/api-contract/samples.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { dropEventLog } from '../support/event-log.js';
import { sendTogether } from '../support/raw-request.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { richTenant } from '../support/rich-tenant.js';
import { until } from '../support/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const FORGED = {
  Host: 'evil.example',
  'X-Forwarded-Host': 'worse.example',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-For': '203.0.113.9',
};

/** URLs in a text, such as a JSON body or a header. */
const URLS = /https?:\/\/[^\s"\\<>;]+/g;
/** Paths of the service. Other URLs in answers were set by the seller. */
const IS_OWN = /\/(?:api|console)\//;

/** Kinds of links that the answers must contain, so that each kind is tested. */
const KINDS = [/[?&]cursor=/, /\/pdf\/\?/, /\/api\/docs$/, /\/api\/openapi\.json$/, /\/console\/$/] as const;

/** Returns the paths of all GETs of the API document, with ids of the tenant and pages of one item. */
function pathsOf(app: TestApp, ids: Ids): string[] {
  const document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get())) as OpenApiDocument;
  const reads = operationsOf(document).flatMap(({ method, path }) => {
    if (method !== 'get') return [];
    const parameters = document.paths[path]![method]!['parameters'] as Json[];
    const sent = parameters.flatMap(({ in: place, name, required }) => {
      if (place !== 'query') return [];
      if (name === 'limit') return ['limit=1'];
      return required === true
        ? [`${String(name)}=${encodeURIComponent(ids[String(name)] ?? '2026-01-01')}`]
        : [];
    });
    return [[filledPath(path, ids), ...(sent.length > 0 ? [sent.join('&')] : [])].join('?')];
  });
  return ['/', ...reads];
}

/** Returns every link to the service in the bodies and headers of the answers to requests with these headers. */
async function linksOf(app: TestApp, ids: Ids, headers: Record<string, string>): Promise<string[]> {
  const links: string[] = [];
  for (const path of pathsOf(app, ids)) {
    const answer = await app.request.get(path).set(headers);
    const text = [answer.text, answer.headers['link'], answer.headers['location']].join(' ');
    links.push(...(text.match(URLS) ?? []).filter((url) => IS_OWN.test(url)));
    expect([path, answer.status < 500]).toEqual([path, true]);
  }
  const { body: document } = await app.request.get('/api/openapi.json').set(headers).expect(200);
  for (const { url } of document.servers) links.push(`${url}/api/`);
  return links;
}

/** Expects links of every kind below the base URL, and no host that only a request header names. */
async function expectLinksTo(app: TestApp, ids: Ids, base: string, headers: Record<string, string>) {
  const links = await linksOf(app, ids, headers);
  expect(
    links.filter((link) => !link.startsWith(`${base}/api/`) && !link.startsWith(`${base}/console/`)),
  ).toEqual([]);
  expect(KINDS.filter((kind) => !links.some((link) => kind.test(link)))).toEqual([]);
}

/** Sends requests with 150 wrong keys together, each for another address. */
async function statusesOfWrongKeys(app: TestApp): Promise<number[]> {
  const heads = Array.from({ length: 150 }, (_, n) => [
    `X-API-KEY: wrong-key-with-thirty-two-characters-${n}`,
    `X-Forwarded-For: 203.0.113.${n}`,
  ]);
  return (await sendTogether(app.url, '/api/ping/', heads)).map(({ status }) => status);
}

/** Database of the services, which run one after another. */
let database: TestDatabase;
let ids: Ids;
let app: TestApp;

const start = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
  app = await startTestApp({ databaseUrl: database.url, clockStart: '2026-01-20T00:00:00Z', env });
};

beforeAll(async () => {
  database = await createTestDatabase('recount_with_read_models');
});
afterAll(async () => {
  dropEventLog(database.url);
  await database.drop();
});

describe('with PUBLIC_URL', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    await start({
      PUBLIC_URL: 'https://example.com/billing/',
      TRUSTED_PROXIES: 'loopback',
      ALLOW_PRIVATE_WEBHOOKS: 'true',
    });
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
  });

  it('every link begins with it, and payloads of webhooks link to no other address of the service', async () => {
    const webhook = { name: 'all', webhook_url: receiver.url, triggers: TRIGGERS };
    await app.request.post('/api/webhooks/').set(FORGED).send(webhook).expect(201);
    ids = await richTenant(app, 'links');
    for (const name of ['One', 'Two'])
      await app.request.post('/api/features/').send({ feature_name: name }).expect(201);
    await expectLinksTo(app, ids, 'https://example.com/billing', FORGED);
    const sent = await until(
      () => receiver.received.some(({ body }) => body.type === 'invoice.created') && receiver.received,
    );
    const links = JSON.stringify(sent.map(({ body }) => body)).match(URLS) ?? [];
    expect(
      links.filter((link) => IS_OWN.test(link) && !link.startsWith('https://example.com/billing/')),
    ).toEqual([]);
  });
});

describe('without PUBLIC_URL and TRUSTED_PROXIES', () => {
  beforeAll(() => start());
  afterAll(() => app.stop());

  it('every link leads to where the service was reached, whatever the headers of the request say', async () => {
    await expectLinksTo(app, ids, app.url, FORGED);
  });

  it('wrong keys count for the address of the connection', async () => {
    expect(new Set(await statusesOfWrongKeys(app))).toEqual(new Set([401, 429]));
  });
});

describe('behind a proxy that is named', () => {
  beforeAll(() => start({ TRUSTED_PROXIES: '10.0.0.0/8, loopback' }));
  afterAll(() => app.stop());

  it('every link leads to where it was reached', async () => {
    await expectLinksTo(app, ids, 'https://worse.example', FORGED);
    await expectLinksTo(app, ids, 'http://billing.example:8080', { Host: 'billing.example:8080' });
  });

  it('wrong keys count for the address that it names', async () => {
    expect(new Set(await statusesOfWrongKeys(app))).toEqual(new Set([401]));
  });
});
