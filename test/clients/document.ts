export type Json = { readonly [key: string]: unknown };

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Json;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<string, { readonly schema: Json }>;
  };
  readonly responses: Readonly<
    Record<string, { readonly headers?: Json; readonly content: Record<string, { schema: Json }> }>
  >;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

export interface Method {
  readonly path: string;
  readonly verb: string;
  readonly operation: Operation;
}

export const JSON_TYPE = 'application/json';
/**
 * Operations that are safe to repeat without an Idempotency-Key, which the service would store forever: their events
 * have ids, or they only read.
 */
export const REPEATABLE = ['trackEvents', 'verifyEventsReceived'];

export const methodsOf = ({ paths }: Document): Method[] =>
  Object.entries(paths).flatMap(([path, byVerb]) =>
    Object.entries(byVerb).map(([verb, operation]) => ({ path, verb, operation })),
  );

export const parametersOf = ({ parameters }: Operation, location: string): Parameter[] =>
  parameters.filter((one): one is Parameter => 'in' in one && one.in === location);

export const answerOf = ({ responses }: Operation) =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))!;

export const nameOf = (schema: Json): string | undefined =>
  (schema['$ref'] as string | undefined)?.replace('#/components/schemas/', '');

/** Describes filters as objects, which the clients send as JSON text. */
export const asObjects = (parameter: Parameter): Parameter =>
  parameter.name === 'subscription_filters'
    ? { ...parameter, schema: { type: 'array', items: { $ref: '#/components/schemas/SubscriptionFilter' } } }
    : parameter;

/** Tells whether a body is optional because none of its fields is required. */
export const isBare = (written: Json | undefined): boolean =>
  written !== undefined &&
  ((written['required'] as string[] | undefined) ?? []).length === 0 &&
  !('anyOf' in written);

/** Tells whether the answer is a list with a link to its next page. */
export const isPaged = ({ headers, content }: ReturnType<typeof answerOf>[1]): boolean =>
  'Link' in (headers ?? {}) && Object.values(content)[0]!.schema['type'] === 'array';
