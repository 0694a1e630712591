/** A strict schema of the parts of OpenAPI 3.1 that the document uses. It refuses unknown fields. */
const REF = {
  type: 'object',
  required: ['$ref'],
  properties: { $ref: { type: 'string', pattern: '^#/components/' } },
};
const orRef = (name: string) => ({
  if: { type: 'object', required: ['$ref'] },
  then: REF,
  else: { $ref: `#/$defs/${name}` },
});
const TEXT = { type: 'string', minLength: 1 };
const SCHEMA = { $ref: 'https://json-schema.org/draft/2020-12/schema' };
const mapOf = (value: object, keys = '.') => ({
  type: 'object',
  patternProperties: { [keys]: value },
  additionalProperties: false,
});
const exactly = (required: string[], properties: object) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});

export const OPENAPI_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...exactly(['openapi', 'info', 'servers', 'tags', 'paths', 'components', 'security'], {
    openapi: { const: '3.1.0' },
    info: exactly(['title', 'version', 'summary', 'description', 'license'], {
      title: TEXT,
      version: TEXT,
      summary: TEXT,
      description: TEXT,
      license: exactly(['name', 'identifier'], { name: TEXT, identifier: TEXT }),
    }),
    servers: {
      type: 'array',
      minItems: 1,
      items: exactly(['url', 'description'], { url: { pattern: '^https?://' }, description: TEXT }),
    },
    tags: { type: 'array', items: exactly(['name', 'description'], { name: TEXT, description: TEXT }) },
    security: { type: 'array', items: mapOf({ type: 'array', maxItems: 0 }) },
    paths: mapOf({ $ref: '#/$defs/pathItem' }, '^/'),
    components: exactly([], {
      schemas: mapOf(SCHEMA, '^[a-zA-Z0-9._-]+$'),
      parameters: mapOf({ $ref: '#/$defs/parameter' }, '^[a-zA-Z0-9._-]+$'),
      headers: mapOf({ $ref: '#/$defs/header' }, '^[a-zA-Z0-9._-]+$'),
      securitySchemes: mapOf(
        exactly(['type', 'in', 'name'], {
          type: { const: 'apiKey' },
          in: { enum: ['header'] },
          name: TEXT,
          description: TEXT,
        }),
      ),
    }),
  }),
  $defs: {
    pathItem: mapOf({ $ref: '#/$defs/operation' }, '^(get|post|put|patch|delete)$'),
    operation: exactly(['operationId', 'summary', 'description', 'tags', 'parameters', 'responses'], {
      operationId: { type: 'string', pattern: '^\\w+$' },
      summary: { type: 'string', pattern: '[.?]$' },
      description: TEXT,
      tags: { type: 'array', items: TEXT, minItems: 1, maxItems: 1 },
      deprecated: { const: true },
      security: { type: 'array' },
      parameters: { type: 'array', items: orRef('parameter'), uniqueItems: true },
      requestBody: exactly(['content'], {
        required: { type: 'boolean' },
        content: { $ref: '#/$defs/content' },
      }),
      responses: { ...mapOf(orRef('response'), '^([2-5]\\d\\d|default)$'), minProperties: 2 },
    }),
    parameter: {
      // Client generators do not support parameters with `content` in place of a schema.
      ...exactly(['name', 'in', 'required', 'schema'], {
        name: TEXT,
        in: { enum: ['path', 'query', 'header'] },
        required: { type: 'boolean' },
        description: TEXT,
        schema: SCHEMA,
        example: true,
      }),
      if: { properties: { in: { const: 'path' } } },
      then: { properties: { required: { const: true } } },
    },
    header: exactly(['schema', 'description'], {
      required: { type: 'boolean' },
      description: TEXT,
      schema: SCHEMA,
    }),
    content: {
      ...mapOf(exactly(['schema'], { schema: SCHEMA, example: true }), '^\\w+/[\\w.+-]+$'),
      minProperties: 1,
    },
    response: exactly(['description', 'content'], {
      description: TEXT,
      headers: mapOf(orRef('header')),
      content: { $ref: '#/$defs/content' },
    }),
  },
};
