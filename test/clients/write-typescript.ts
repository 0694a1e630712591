import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import {
  answerOf,
  asObjects,
  type Document,
  isBare,
  isPaged,
  type Json,
  JSON_TYPE,
  type Method,
  methodsOf,
  nameOf,
  type Operation,
  parametersOf,
  REPEATABLE,
} from './document.js';

const HEAD = '// Written from the API document by `npm run generate:clients`. Changes here are lost.\n';
const UNUSED = ['paths', 'webhooks', '$defs'];

/** Generates the files of `clients/typescript/src/generated`, by name. */
export async function writeTypescript(document: Document): Promise<Record<string, string>> {
  const methods = methodsOf(document);
  const schema = await openapiTS(trimmed(document, methods), {
    alphabetize: false,
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  // Methods replace paths.
  const types = schema.filter(
    (node) => !UNUSED.includes((node as { name?: { text?: string } }).name?.text ?? ''),
  );
  return {
    'schema.ts': HEAD + astToString(types),
    'recount.ts': writeMethods(document, methods),
    'values.ts': writeValues(document),
  };
}

/** Enumerations to export as values, by the path of their property. */
const LISTS = {
  AUDIT_SUBJECT_KINDS: ['AuditLogEntry', 'subject', 'kind'],
  WEBHOOK_TRIGGERS: ['CreateWebhookBody', 'triggers'],
};

/** Generates enumerations with descriptions, which types do not have. */
function writeValues({ components }: Document): string {
  const lists = Object.entries(LISTS).map(([name, [owner, ...path]]) => {
    const property = path.reduce<Json>(
      (schema, part) => (schema['properties'] as Record<string, Json>)[part]!,
      components.schemas[owner!]!,
    );
    const values = ((property['items'] ?? property) as { enum: string[] }).enum;
    const lines = String(property['description']).matchAll(/^- `(.+?)`: (.+)$/gm);
    const descriptions = new Map(Array.from(lines, ([, value, description]) => [value, description]));
    const entries = values.map((value) => `  '${value}': ${JSON.stringify(descriptions.get(value))},\n`);
    return `/** Values of \`${[owner, ...path].join('.')}\`, with their descriptions. */
export const ${name} = {\n${entries.join('')}} as const;\n`;
  });
  return `${HEAD}\n${lists.join('\n')}`;
}

/**
 * Reduces the document to parameters and results of methods: refusals, headers and forms are handled by the
 * transport.
 */
function trimmed(document: Document, methods: readonly Method[]): OpenAPI3 {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { path, verb, operation } of methods) {
    const { operationId, requestBody } = operation;
    const [status, answer] = answerOf(operation);
    const content = requestBody && { [JSON_TYPE]: { schema: requestBody.content[JSON_TYPE]!.schema } };
    (paths[path] ??= {})[verb] = {
      operationId,
      parameters: [...parametersOf(operation, 'path'), ...parametersOf(operation, 'query').map(asObjects)],
      ...(content ? { requestBody: { required: true, content } } : {}),
      responses: { [status]: { description: '', content: answer.content } },
    };
  }
  const { schemas } = document.components;
  return {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths,
    components: { schemas },
  } as unknown as OpenAPI3;
}

function writeMethods({ components }: Document, methods: readonly Method[]): string {
  const used = new Set<string>();
  const body = methods.map((method) => writeMethod(method, components.schemas, used)).join('\n\n');
  return `${HEAD}import type { Pages } from '../pages.js';
import { type RequestOptions, Transport } from '../transport.js';
import type { operations, ${[...used].sort().join(', ')} } from './schema.js';

type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** The API of Recount: a method for each of its operations. */
export class Recount extends Transport {
${body}
}
`;
}

function writeMethod(
  { path, verb, operation }: Method,
  schemas: Document['components']['schemas'],
  used: Set<string>,
): string {
  const { operationId: id, requestBody } = operation;
  const use = (name: string): string => (used.add(name), name);
  const parameters = parametersOf(operation, 'path').map(({ name }) => ({ name, as: camelCase(name) }));
  // `as_of` is an option of the call, not a parameter of each method.
  const query = parametersOf(operation, 'query').filter(({ name }) => name !== 'as_of');
  const [status, answer] = answerOf(operation);
  const [type, { schema }] = Object.entries(answer.content)[0]!;
  const inline = `operations['${id}']['responses']['${status}']['content']['${type}']`;
  const typeOf = (of: Json): string => {
    const name = nameOf(of);
    const item = of['type'] === 'array' ? nameOf(of['items'] as Json) : undefined;
    if (item !== undefined) return `${use(item)}[]`;
    return name === undefined ? inline : use(name);
  };
  const bodySchema = requestBody?.content[JSON_TYPE]!.schema;
  const bodyName = bodySchema && nameOf(bodySchema);
  const written = bodyName === undefined ? bodySchema : schemas[bodyName];
  const isOptional = isBare(written);
  const bodyType =
    bodyName === undefined ? `operations['${id}']['requestBody']['content']['${JSON_TYPE}']` : use(bodyName);
  const isQueryRequired = query.some(({ required }) => required);
  const taken = (queryType: string, isOverload = false): string =>
    [
      ...parameters.map(({ as }) => `${as}: string`),
      ...(bodySchema
        ? [`body: ${bodyType}${isOptional && !isQueryRequired && !isOverload ? ' = {}' : ''}`]
        : []),
      ...(query.length > 0 ? [`query${isQueryRequired || isOverload ? '' : '?'}: ${queryType}`] : []),
      'options?: RequestOptions',
    ].join(', ');
  const url = `\`${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${camelCase(name)})}`)}\``;
  const address = parameters.length === 0 ? `'${path}'` : url;
  const signature = taken(`Query<'${id}'>`);
  const doc = writeDoc(operation);
  if (isPaged(answer)) {
    const item = nameOf(schema['items'] as Json);
    const of = item === undefined ? `${inline}[number]` : use(item);
    return `${doc}
  ${id}(${signature}): Pages<${of}> {
    return this.pages(${address}, query, options);
  }`;
  }
  const request = [
    `method: '${verb.toUpperCase()}'`,
    `path: ${address}`,
    ...(query.length > 0 ? ['query'] : []),
    ...(bodySchema ? ['body'] : []),
    ...(REPEATABLE.includes(id) ? ['isRepeatable: true'] : []),
  ].join(', ');
  const dryRun = query.some(({ name }) => name === 'preview')
    ? (schema['anyOf'] as Json[] | undefined)
    : undefined;
  const items = schema['type'] === 'array' ? nameOf(schema['items'] as Json) : undefined;
  const result = dryRun
    ? dryRun.map(typeOf).join(' | ')
    : type !== JSON_TYPE
      ? type.startsWith('text/')
        ? 'string'
        : 'Uint8Array'
      : items === undefined
        ? typeOf(schema)
        : `${use(items)}[]`;
  const others = query.length > 1 ? `Query<'${id}'> & ` : '';
  const overloads = dryRun
    ? `
  ${id}(${taken(`${others}{ readonly preview: true }`, true)}): Promise<${typeOf(dryRun[1]!)}>;
  ${id}(${taken(`${others}{ readonly preview?: false }`)
    .replace(' = {}', '')
    .replace('body:', isOptional && !isQueryRequired ? 'body?:' : 'body:')}): Promise<${typeOf(dryRun[0]!)}>;`
    : '';
  return `${doc}${overloads}
  ${id}(${signature}): Promise<${result}> {
    return this.request({ ${request} }, options);
  }`;
}

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function writeDoc({ summary, description, deprecated }: Operation): string {
  const lines = [
    summary,
    ...(description ? ['', ...description.split('\n')] : []),
    ...(deprecated ? ['', '@deprecated'] : []),
  ];
  return ['  /**', ...lines.map((line) => `   * ${line.replaceAll('*/', '* /')}`.trimEnd()), '   */'].join(
    '\n',
  );
}
