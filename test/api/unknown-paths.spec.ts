import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

describe('a path without an operation', () => {
  it.each(['/api', '/api/'])('answers GET %s as the address itself', async (path) => {
    const { body } = await request(app.url).get(path).expect(200);
    expect(body).toEqual((await request(app.url).get('/').expect(200)).body);
  });

  it.each([
    ['/api/customer/', 'Did you mean /api/customers/?'],
    ['/api/invoices/260101-000001/pdfurl', 'Did you mean /api/invoices/{invoice_id}/pdf_url/?'],
    ['/api/v1/plans/', 'Did you mean /api/plans/?'],
    ['/api/openapi.jsn', 'Did you mean /api/openapi.json?'],
    ['/api/plans/%00/', 'GET /api/openapi.json lists all paths.'],
    ['/api/plans/%ff/', 'GET /api/openapi.json lists all paths.'],
    ['/wp-login.php', 'GET /api/openapi.json lists all paths.'],
    [`/api/${'a'.repeat(3000)}`, 'GET /api/openapi.json lists all paths.'],
  ])('says where to go instead of %s', async (path, advice) => {
    const { body } = await request(app.url).get(path).expect(404);
    expect(body.detail).toBe(`There is nothing at this path. ${advice}`);
  });
});
