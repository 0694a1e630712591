import { SampleMaker, type Samples } from './samples.js';
import type { JsonSchema } from './schema.js';

type Texts = Readonly<Record<string, string>>;

/** Descriptions that the document gets by name; `Owner.name` wins over `name`. */
export interface Vocabulary {
  /** Parameters and properties. */
  readonly fields: Texts;
  /** Values of enumerations, by the name of the property. */
  readonly choices: Readonly<Record<string, Texts>>;
  /** Operations, by operationId. */
  readonly operations: Texts;
  /** Bodies that work, by operationId. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** Values of properties in answers. */
  readonly samples: Samples;
  /** Values of parameters. */
  readonly parameters: Samples;
}

/** Writes descriptions into schemas and parameters that have none of their own. */
export class Describer {
  constructor(private readonly vocabulary: Vocabulary) {}

  /** The schema with its properties described. @param owner its name, or that of the property that holds it */
  schema(schema: JsonSchema, owner: string): JsonSchema {
    const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
    const parts = ['items', 'additionalProperties'].filter((key) => isSchema(schema[key]));
    const either = schema['anyOf'] as readonly JsonSchema[] | undefined;
    return {
      ...schema,
      ...(either ? { anyOf: either.map((one) => this.schema(one, owner)) } : {}),
      ...Object.fromEntries(parts.map((key) => [key, this.schema(schema[key] as JsonSchema, owner)])),
      ...(properties
        ? {
            properties: Object.fromEntries(
              Object.entries(properties).map(([name, of]) => [name, this.#property(of, owner, name)]),
            ),
          }
        : {}),
    };
  }

  /** The parameter with its description, and its choices explained. */
  parameter(parameter: JsonSchema, operationId: string): JsonSchema {
    const name = parameter['name'] as string | undefined;
    if (name === undefined) return parameter;
    const schema = this.#choices(parameter['schema'] as JsonSchema, operationId, name);
    const description = this.#text(operationId, name, parameter['description']);
    const example = new SampleMaker(this.vocabulary.parameters, {}).parameter(operationId, name, schema);
    const said = { ...parameter, ...descriptionWithChoices(description, choicesOf(schema)) };
    // A page for people fills in an `example` at once: an optional parameter has its example in the schema.
    return parameter['required'] === true
      ? { ...said, schema, example }
      : { ...said, schema: { ...schema, examples: [example] } };
  }

  /** The description of an operation; undefined where there is none. */
  operation(id: string, own: string | undefined): string | undefined {
    return own ?? this.vocabulary.operations[id];
  }

  /** The body that "try it out" begins with; undefined where there is none. */
  example(id: string, own: unknown): unknown {
    return own ?? this.vocabulary.examples[id];
  }

  #property(schema: JsonSchema, owner: string, name: string): JsonSchema {
    const inner = this.#choices(this.schema(schema, name), owner, name);
    return {
      ...inner,
      ...descriptionWithChoices(this.#text(owner, name, schema['description']), choicesOf(inner)),
    };
  }

  #text(owner: string, name: string, own: unknown): string | undefined {
    const { fields } = this.vocabulary;
    const key = `${owner}.${name}` in fields ? `${owner}.${name}` : own === undefined ? name : undefined;
    if (key === undefined) return own as string;
    return fields[key];
  }

  /** Adds `x-enumDescriptions` to the enumeration of a schema, of its items or of its alternatives. */
  #choices(schema: JsonSchema, owner: string, name: string): JsonSchema {
    const { choices } = this.vocabulary;
    const key = `${owner}.${name}` in choices ? `${owner}.${name}` : name;
    const texts = choices[key];
    if (!texts) return schema;
    const explain = (of: JsonSchema): JsonSchema => {
      const values = of['enum'] as readonly unknown[] | undefined;
      if (!values) return of;
      const known = values.filter((value): value is string => typeof value === 'string' && value in texts);
      return { ...of, 'x-enumDescriptions': Object.fromEntries(known.map((value) => [value, texts[value]])) };
    };
    return {
      ...explain(schema),
      ...(isSchema(schema['items']) ? { items: explain(schema['items']) } : {}),
      ...(Array.isArray(schema['anyOf']) ? { anyOf: (schema['anyOf'] as JsonSchema[]).map(explain) } : {}),
    };
  }
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

function choicesOf(schema: JsonSchema): Texts {
  const places = [schema, schema['items'], ...((schema['anyOf'] as unknown[] | undefined) ?? [])];
  return Object.assign({}, ...places.map((of) => isSchema(of) && of['x-enumDescriptions'])) as Texts;
}

/** Returns the description with a line for each choice, for tools that do not read the extension. */
function descriptionWithChoices(
  description: string | undefined,
  choices: Texts,
): { readonly description?: string } {
  if (description === undefined) return {};
  const lines = Object.entries(choices).map(([value, text]) => `- \`${value}\`: ${text}`);
  return { description: [description, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n') };
}
