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
/** Each of their events has an id, or they only read: they need no Idempotency-Key, which the service would keep for ever. */
export const REPEATABLE = ['trackEvents', 'verifyEventsReceived'];

export const methodsOf = ({ paths }: Document): Method[] =>
  Object.entries(paths).flatMap(([path, byVerb]) =>
    Object.entries(byVerb).map(([verb, operation]) => ({ path, verb, operation })),
  );

export const parametersOf = ({ parameters }: Operation, place: string): Parameter[] =>
  parameters.filter((one): one is Parameter => 'in' in one && one.in === place);

export const answerOf = ({ responses }: Operation) =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))!;

export const nameOf = (schema: Json): string | undefined =>
  (schema['$ref'] as string | undefined)?.replace('#/components/schemas/', '');

/** Filters are objects in a client; it sends them as the JSON text that the service takes. */
export const asObjects = (parameter: Parameter): Parameter =>
  parameter.name === 'subscription_filters'
    ? { ...parameter, schema: { type: 'array', items: { $ref: '#/components/schemas/SubscriptionFilter' } } }
    : parameter;

/** Whether a body may be left out: none of its fields is required. */
export const isBare = (written: Json | undefined): boolean =>
  written !== undefined &&
  ((written['required'] as string[] | undefined) ?? []).length === 0 &&
  !('anyOf' in written);

/** Whether the answer is a list with a link to its next page. */
export const isPaged = ({ headers, content }: ReturnType<typeof answerOf>[1]): boolean =>
  'Link' in (headers ?? {}) && Object.values(content)[0]!.schema['type'] === 'array';
