import request from 'supertest';
import { ApiDocument, type OpenApiDocument } from '../../../src/platform/http/openapi/api-document.js';
import { BOOTSTRAP_KEY, type TestApp } from '../app.js';
import { richTenant } from '../rich-tenant.js';
import { operationsOf, type DocumentedOperation } from './document-index.js';
import { bodySchema, filledPath, type Ids, type Json } from './samples.js';

export interface BodyReader {
  /** `post /api/plans/` */
  readonly name: string;
  readonly operation: DocumentedOperation;
  readonly schema: Json;
}

/** Prepares an organization with one record of each kind, and lists the operations that read a body. */
export async function bodyFixture(app: TestApp) {
  const document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get())) as OpenApiDocument;
  const ids: Ids = await richTenant(app, 'hostile');
  const operations = operationsOf(document);
  const readers = operations.flatMap((operation): BodyReader[] => {
    const schema = bodySchema(document, operation);
    return schema ? [{ name: `${operation.method} ${operation.path}`, operation, schema }] : [];
  });
  const pathOf = ({ path, method }: DocumentedOperation) => {
    const known = document.paths[path]![method]!['parameters'] as Json[];
    const names = known
      .filter((parameter) => parameter['in'] === 'query')
      .map((parameter) => String(parameter['name']))
      .filter((name) => name === 'customer_id' || name === 'plan_id');
    return `${filledPath(path, ids)}?${names.map((name) => `${name}=${ids[name]}`).join('&')}`;
  };
  const keyOf = ({ path }: Pick<DocumentedOperation, 'path'>): string =>
    path.startsWith('/api/organizations/') ? BOOTSTRAP_KEY : app.key;
  return {
    document,
    ids,
    operations,
    readers,
    pathOf,
    /** Returns the key that the operation requires. */
    keyOf,
    /** Sends a body as raw text. */
    send: (operation: DocumentedOperation, text: string, type = 'application/json') => {
      const agent = request(app.url) as unknown as Record<string, (path: string) => request.Test>;
      const sent = agent[operation.method]!(pathOf(operation)).set('X-API-KEY', keyOf(operation));
      return sent.set('Content-Type', type).serialize(String).send(text);
    },
  };
}

export type BodyFixture = Awaited<ReturnType<typeof bodyFixture>>;
