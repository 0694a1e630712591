import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { PUBLIC_URL: 'https://billing.example' } });
});
afterAll(() => app.stop());

describe('behind https the cookie of the console', () => {
  const logIn = async (): Promise<string> => {
    const { headers } = await request(app.url).post('/console/session').set('X-API-KEY', app.key).expect(201);
    return (headers['set-cookie'] as unknown as string[])[0]!;
  };
  const asBrowser = (cookie: string) =>
    request.agent(app.url).set({ 'X-Recount-Console': '1', Cookie: cookie });

  it('is sent over https only, and to this host only', async () => {
    const cookie = await logIn();
    expect(cookie).toMatch(/^__Host-recount_console=[\w-]{43}; .*Path=\/; .*; Secure;/);
    expect(cookie).not.toContain('Domain');
  });

  it('counts in place of one that another site of the domain has set', async () => {
    const own = (await logIn()).split(';')[0]!;
    await asBrowser(own.replace('__Host-', '')).get('/console/session').expect(401);
    await asBrowser(`recount_console=${'a'.repeat(43)}; ${own}`)
      .get('/console/session')
      .expect(200);
  });

  it('is removed at logout', async () => {
    const own = (await logIn()).split(';')[0]!;
    const { headers } = await asBrowser(own).delete('/console/session').expect(204);
    const [removed] = headers['set-cookie'] as unknown as string[];
    expect(removed).toMatch(/^__Host-recount_console=;.*1970/);
    await asBrowser(own).get('/console/session').expect(401);
  });
});
