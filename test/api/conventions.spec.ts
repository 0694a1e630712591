import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type request from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { anotherTenant } from '../support/another-tenant.js';
import { allOperations, type Operation } from '../support/api-contract/operation.js';
import { filledPath, type Ids } from '../support/api-contract/samples.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { richTenant } from '../support/rich-tenant.js';

let app: TestApp;
let document: OpenApiDocument;
let operations: readonly Operation[];

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
  document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get())) as OpenApiDocument;
  operations = allOperations(document).filter((operation) => !operation.isPublic && !operation.isBootstrap);
});
afterAll(() => app.stop());

let tenants = 0;
/** Creates an organization. Each operation that changes something gets its own. */
async function freshTenant(operation?: Operation) {
  const { request: agent } = await anotherTenant(app);
  const ids = await richTenant({ ...app, request: agent }, `tenant-${(tenants += 1)}`);
  return { agent, ids: operation?.acceptedIds(ids) ?? ids };
}

/** Returns the refusal of an operation, or the name alone if it was accepted. */
const refusalOf = ({ name }: Operation, { status, body }: request.Response) =>
  status < 400 ? { name } : { name, status, body: body as unknown };

const reads = () => operations.filter(({ operation }) => operation.method === 'get');

describe('every operation that reads', () => {
  let ids: Ids;
  beforeAll(async () => {
    ids = await richTenant(app, 'reads');
  });

  it('is there with and without the slash at the end of its path, without a redirect', async () => {
    for (const one of reads()) {
      const path = filledPath(one.operation.path, ids);
      const given = one.queryNames().filter((name) => /^(customer|feature|metric)_id$/.test(name));
      const query = one.requiredQuery(ids) || given.map((name) => `${name}=${ids[name]}`).join('&');
      const [bare, slashed] = [path.replace(/\/$/, ''), path.replace(/\/?$/, '/')];
      const answers = [
        await app.request.get(`${bare}?${query}`).redirects(0),
        await app.request.get(`${slashed}?${query}`).redirects(0),
      ];
      expect({ path, statuses: answers.map(({ status }) => status) }).toEqual({ path, statuses: [200, 200] });
      expect(answers[1]!.body).toEqual(answers[0]!.body);
    }
  });

  it('takes an id of ours with or without prefix and dashes', async () => {
    const named = reads().filter(({ operation }) => /\{\w+\}\/$/.test(operation.path));
    for (const { operation } of named) {
      const name = /\{(\w+)\}/.exec(operation.path)![1]!;
      const id = ids[name]!;
      const hex = /[0-9a-f-]{32,36}$/.exec(id)?.[0].replaceAll('-', '');
      if (!hex) continue;
      const prefix = id.slice(0, id.lastIndexOf('_') + 1);
      const dashed = hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
      const { body: whole } = await app.request.get(filledPath(operation.path, ids)).expect(200);
      for (const form of [hex, dashed, `${prefix}${hex}`, `${prefix}${dashed}`]) {
        const { status, body } = await app.request.get(filledPath(operation.path, { [name]: form }));
        expect({ form, status, body }).toEqual({ form, status: 200, body: whole });
      }
      for (const none of [`${prefix}${hex}0`, `${prefix}zz`, `x_${hex}`, hex.slice(1)]) {
        const { status } = await app.request.get(filledPath(operation.path, { [name]: none }));
        expect({ none, status }).toEqual({ none, status: 404 });
      }
    }
  });
});

describe('every query', () => {
  const ENCODINGS: readonly ((name: string, values: readonly string[]) => string)[] = [
    (name, values) => values.map((value) => `${name}=${value}`).join('&'),
    (name, values) => values.map((value) => `${name}[]=${value}`).join('&'),
    (name, values) => values.map((value) => `${name}%5B%5D=${value}`).join('&'),
    (name, values) => values.map((value, place) => `${name}[${place}]=${value}`).join('&'),
    (name, values) => `${name}=${values.join(',')}`,
  ];
  const FILTER_ENCODINGS: readonly ((name: string, property: string, value: string) => string)[] = [
    (name, property_name, value) =>
      `${name}=${encodeURIComponent(JSON.stringify([{ property_name, value }]))}`,
    (name, property_name, value) =>
      `${name}[]=${encodeURIComponent(JSON.stringify({ property_name, value }))}`,
    (name, property, value) => `${name}[0][property_name]=${property}&${name}[0][value]=${value}`,
    (name, property, value) => `${name}[0].property_name=${property}&${name}[0].value=${value}`,
    (name, property, value) => `${name}[0]property_name=${property}&${name}[0]value=${value}`,
  ];
  let agent: TestAgent;
  let ids: Ids;
  beforeAll(async () => {
    ({ agent, ids } = await freshTenant());
  });

  it('means the same in every encoding of a list, and is refused in none other', async () => {
    let lists = 0;
    for (const one of reads()) {
      const required = one.requiredQuery(ids);
      for (const { name, choices } of one.listParameters()) {
        lists += 1;
        const values = choices?.slice(0, 2) ?? ['queries', 'other'];
        const [first, ...others] = await Promise.all(
          ENCODINGS.map((write) =>
            agent.get(`${filledPath(one.operation.path, ids)}?${required}&${write(name, values)}`),
          ),
        );
        expect({ name: one.name, parameter: name, status: first!.status }).toMatchObject({ status: 200 });
        for (const { status, body } of others)
          expect({ status, body }).toEqual({ status: 200, body: first!.body });
        for (const wrong of [
          `${name}[x]=${values[0]}`,
          `${name}=`,
          `${name}=${values[0]},`,
          `${name}[0][a]=b`,
        ]) {
          const path = `${filledPath(one.operation.path, ids)}?${required}&${wrong}`;
          expect({ wrong, status: (await agent.get(path)).status }).toEqual({ wrong, status: 400 });
        }
      }
    }
    expect(lists).toBeGreaterThanOrEqual(6);
  });

  it('means the same in every encoding of subscription filters, and is refused in none other', async () => {
    const filtered = reads().filter((one) => one.takesFilters);
    expect(filtered.length).toBeGreaterThanOrEqual(3);
    for (const one of filtered) {
      const path = `${filledPath(one.operation.path, ids)}?${one.requiredQuery(ids)}`;
      const whole = await agent.get(path).expect(200);
      for (const [property, value] of [['region', 'nowhere']] as const) {
        const bodies = await Promise.all(
          FILTER_ENCODINGS.map(async (write) => {
            const { status, body } = await agent.get(
              `${path}&${write('subscription_filters', property, value)}`,
            );
            expect({ name: one.name, status }).toEqual({ name: one.name, status: 200 });
            return body as unknown;
          }),
        );
        for (const body of bodies) expect(body).toEqual(bodies[0]);
        expect(bodies[0]).not.toEqual(whole.body);
      }
      for (const wrong of [
        '=x',
        '=[1]',
        '={}',
        '[0][name]=a',
        '[0][value]=a',
        '=[{"property_name":"a"}]',
        '[a]=1',
        '=',
      ]) {
        const { status } = await agent.get(`${path}&subscription_filters${wrong}`);
        expect({ name: one.name, wrong, status }).toEqual({ name: one.name, wrong, status: 400 });
      }
    }
  });
});

describe('every operation that reads a body', () => {
  const readers = () => operations.filter((operation) => operation.readsBody);
  /** Returns whether an operation changes an existing resource. The other operations can share one organization. */
  const isAboutSomething = ({ name }: Operation) => /\{|\/(?:add|cancel|update)\/$/.test(name);

  it('ignores what it does not know, and takes null of an optional field as if it were left out', async () => {
    const shared = await freshTenant();
    for (const one of readers()) {
      const { agent, ids } = isAboutSomething(one) ? await freshTenant(one) : shared;
      const body = one.acceptedBody(ids) as Record<string, unknown>;
      const nulls = one.nullableFields().map((name) => [name, null] as const);
      const more = { ...Object.fromEntries(nulls), ...body, unknown_field: { a: [1] } };
      expect(refusalOf(one, await one.ask(agent, { ids, body: more }))).toEqual({ name: one.name });
    }
  });

  it.each(['form', 'multipart'])('of flat fields takes them from a %s as well', async (type) => {
    const shared = await freshTenant();
    let asked = 0;
    for (const one of readers().filter(({ operation }) => operation.method === 'post')) {
      const fields = Object.entries(one.acceptedBody(shared.ids) as Record<string, unknown>);
      if (fields.length === 0 || fields.some(([, value]) => typeof value === 'object')) continue;
      const { agent, ids } = isAboutSomething(one) ? await freshTenant(one) : shared;
      const texts = Object.entries(one.acceptedBody(ids) as Record<string, unknown>).map(
        ([name, value]) => [name, String(value)] as const,
      );
      const prepared: request.Test = one.ask(agent, { ids });
      const answer = await (type === 'form'
        ? prepared.type('form').send(Object.fromEntries(texts))
        : texts.reduce((form, [name, value]) => form.field(name, value), prepared));
      expect(refusalOf(one, answer)).toEqual({ name: one.name });
      asked += 1;
    }
    expect(asked).toBeGreaterThan(10);
  });
});
