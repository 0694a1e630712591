import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type TestApp } from '../support/app.js';
import { newTenant } from '../support/another-tenant.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

interface Login {
  readonly cookie: string;
  readonly keyId: string;
}

async function logIn(key: string): Promise<Login> {
  const { headers, body } = await request(app.url).post('/console/session').set('X-API-KEY', key).expect(201);
  const [cookie] = headers['set-cookie'] as unknown as string[];
  return { cookie: cookie!.split(';')[0]!, keyId: body.key_id as string };
}

/** Sends as a page that was opened with one key, in a browser whose cookie is that of a login. */
const asPage = (keyId: string, { cookie }: Login) =>
  request.agent(app.url).set({ Cookie: cookie, 'X-Recount-Console': keyId });

describe('a page of the console', () => {
  it('acts in the session of the key that it was opened with', async () => {
    const login = await logIn(app.key);
    await asPage(login.keyId, login).get('/api/customers/').expect(200);
    const again = await logIn(app.key);
    await asPage(login.keyId, again).get('/api/customers/').expect(200);
  });

  it('reads and changes nothing once another tab has logged in to another organization', async () => {
    const ours = await logIn(app.key);
    const other = await newTenant(app.service);
    const theirs = await logIn(other.key);
    const stale = asPage(ours.keyId, theirs);
    for (const send of [
      stale.get('/api/customers/'),
      stale.post('/api/customers/').send({ customer_id: 'both', customer_name: 'Of the first' }),
      stale.delete('/console/session'),
    ]) {
      const { body } = await send.expect(401);
      expect(body.title).toBe('authentication_failed');
      expect(body.detail).toContain('another API key since the page was opened');
    }
    const { body: customers } = await asPage(theirs.keyId, theirs).get('/api/customers/').expect(200);
    expect(customers).toEqual([]);
  });

  it('that asks whose session it is names no key', async () => {
    const { cookie, keyId } = await logIn(app.key);
    const { body } = await request(app.url)
      .get('/console/session')
      .set({ Cookie: cookie, 'X-Recount-Console': '1' })
      .expect(200);
    expect(body.key_id).toBe(keyId);
  });

  it('is refused with another key of its organization too, which may have another scope', async () => {
    const { body: made } = await app.request
      .post('/api/api_keys/')
      .send({ name: 'reader', scope: 'read' })
      .expect(201);
    const writer = await logIn(app.key);
    const reader = await logIn(made.key as string);
    await asPage(writer.keyId, reader).get('/api/customers/').expect(401);
  });
});
