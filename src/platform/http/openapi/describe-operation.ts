import type { Type } from '@nestjs/common';
import { bodySchema } from './body-schema.js';
import { describeQuery } from './described-query.js';
import type { Route } from './find-routes.js';
import { isGranted, KEY_SCOPES } from '../auth/caller.js';
import { queryReaders, type OperationSpec } from './operation.js';
import { PROBLEM } from './problem-schema.js';
import type { Components, JsonSchema, Schema } from './schema.js';
import type { Describer } from './vocabulary.js';

const JSON_TYPE = 'application/json';
const BODY_TYPES = [JSON_TYPE, 'application/x-www-form-urlencoded', 'multipart/form-data'];
const PATH_PARAM = /\{(\w+)\}/g;

/** The Operation Object of a route (OpenAPI 3.1). */
export function describeOperation(
  route: Route & { readonly tag: string },
  spec: OperationSpec,
  { components, describer }: { readonly components: Components; readonly describer: Describer },
): JsonSchema {
  const { operationId } = route;
  const query = describeQuery(queryReaders(route.method, spec));
  return {
    operationId,
    summary: spec.summary,
    tags: [route.tag],
    ...(spec.deprecated ? { deprecated: true } : {}),
    ...describeAccess(route, withPast(describer.operation(operationId, spec.description), spec)),
    parameters: [
      ...[...pathParameters(route.path), ...query.parameters].map((sent) =>
        describer.parameter(sent, operationId),
      ),
      ...headerParameters(route),
    ],
    ...(spec.body
      ? { requestBody: describeBody(spec, components, describer.example(operationId, spec.example)) }
      : {}),
    responses: describeAnswers(route, spec, query.isPaged, (schema) =>
      describer.schema(schema.write(components), operationId),
    ),
  };
}

/** Says why a read takes no `as_of`. */
function withPast(description: string | undefined, { noPast }: OperationSpec): string | undefined {
  if (noPast === undefined) return description;
  return [description, `Takes no \`as_of\`. ${noPast}`].filter((text) => text !== undefined).join('\n\n');
}

/** OpenAPI 3.1 takes the roles that a caller needs as the values of a security requirement. */
function describeAccess({ isPublic, takesKey, scopes }: Route, description: string | undefined): JsonSchema {
  if (isPublic && !takesKey) return { description, security: [] };
  const names = scopes.map((scope) => `\`${scope}\``).join(' or ');
  const access = isPublic
    ? `This operation works with an API key with the ${names} scope, or without a key.`
    : `This operation requires an API key with the ${names} scope.`;
  const schemes = scopes.flatMap((scope) => [{ token: [scope] }, { apiKey: [scope] }]);
  return {
    description: [description, access].filter((text) => text !== undefined).join('\n\n'),
    security: isPublic ? [{}, ...schemes] : schemes,
  };
}

const pathParameters = (path: string): JsonSchema[] =>
  [...path.matchAll(PATH_PARAM)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }));

const parameter = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

function headerParameters({ method, isPublic, takesIfMatch }: Route): JsonSchema[] {
  if (isPublic) return [parameter('X-Request-Id')];
  return [
    parameter('X-Request-Id'),
    ...(method === 'get' ? [parameter('X-Recount-Position')] : []),
    ...(method === 'post' ? [parameter('Idempotency-Key')] : []),
    ...(takesIfMatch ? [parameter('If-Match')] : []),
  ];
}

function describeBody(
  { body, bodyOptional }: OperationSpec,
  components: Components,
  example: unknown,
): JsonSchema {
  const schema = isClass(body) ? bodySchema(body, components) : (body as Schema<unknown>).write(components);
  return {
    required: !bodyOptional,
    content: Object.fromEntries(
      BODY_TYPES.map((type) => [
        type,
        { schema, ...(type === JSON_TYPE && example !== undefined ? { example } : {}) },
      ]),
    ),
  };
}

const isClass = (body: OperationSpec['body']): body is Type<object> => typeof body === 'function';

const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });

function describeAnswers(
  route: Route,
  spec: OperationSpec,
  isPaged: boolean,
  write: (schema: Schema<unknown>) => JsonSchema,
): JsonSchema {
  const isRead = route.method === 'get';
  const headers = {
    ...header('X-Request-Id'),
    ...header('X-API-Version'),
    ...(route.isPublic ? {} : header(isRead ? 'X-Recount-Stale' : 'X-Recount-Position')),
    ...(isPaged ? header('Link') : {}),
    ...(route.hasEtag ? header('ETag') : {}),
  };
  const answer = (schema: Schema<unknown>, type = 'application/json') => ({
    description: 'Done.',
    headers,
    content: { [type]: { schema: write(schema) } },
  });
  const refused = refusals(route, spec).map((status) => {
    const other = spec.others?.[status];
    const description = spec.refusals?.[status] ?? REFUSALS[status]!;
    return [status, refusal(status, description, write, other && answer(other).content)];
  });
  return {
    [route.status]: answer(spec.answer, spec.mediaType),
    ...(spec.partial ? { 206: answer(spec.answer, spec.mediaType) } : {}),
    ...Object.fromEntries(refused),
    default: refusal('default', 'Any other refusal.', write),
  };
}

/** The statuses that a caller has to reckon with; any other refusal has the same shape. */
function refusals(
  { method, path, isPublic, scopes, takesIfMatch }: Route,
  { body, refusals: own = {} }: OperationSpec,
): number[] {
  const statuses = [
    400,
    ...(isPublic ? [] : [401]),
    ...(isPublic || KEY_SCOPES.every((held) => isGranted(held, scopes)) ? [] : [403]),
    ...(path.includes('{') ? [404] : []),
    ...(method === 'get' ? [] : [409]),
    ...(takesIfMatch ? [412] : []),
    ...(body ? [413, 415] : []),
    ...(method === 'post' && !isPublic ? [422] : []),
    ...(isPublic ? [] : [429, 503]),
    ...Object.keys(own).map(Number),
  ];
  return [...new Set(statuses)].sort((one, other) => one - other);
}

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The request is malformed or not possible now; validation_errors names the fields.',
  401: 'No API key, or one that is not valid.',
  403: 'The API key does not have the required scope.',
  404: 'There is nothing under this id.',
  409: 'Somebody else changed the same thing at the same time.',
  412: 'The resource has another ETag than If-Match says.',
  413: 'The body is too large.',
  415: 'The body is of a type that is not read.',
  422: 'The Idempotency-Key was sent with another request.',
  429: 'The organization, or the address with wrong keys, sends more than it may.',
  503: 'A store does not answer.',
};

function refusal(
  status: number | 'default',
  description: string,
  write: (schema: Schema<unknown>) => JsonSchema,
  other?: JsonSchema,
): JsonSchema {
  return {
    description,
    headers: {
      ...header('X-Request-Id'),
      ...header('X-API-Version'),
      ...(status === 409 || status === 429 || status === 503 ? header('Retry-After') : {}),
      ...(status === 401 ? header('WWW-Authenticate') : {}),
    },
    content: { 'application/problem+json': { schema: write(PROBLEM) }, ...other },
  };
}
