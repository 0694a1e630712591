import { type Json, nameOf } from './document.js';

const KEYWORDS = new Set([
  'and',
  'as',
  'class',
  'def',
  'from',
  'global',
  'if',
  'import',
  'in',
  'is',
  'not',
  'or',
  'with',
]);
const WIDTH = 110;

/** Returns a wire name as an argument name: Python keywords get an underscore. */
export const argument = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : name);

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

const quoted = (value: unknown): string =>
  value === null
    ? 'None'
    : typeof value === 'boolean'
      ? value
        ? 'True'
        : 'False'
      : JSON.stringify(value).replaceAll('"', "'");

/** Wraps text into indented lines. */
function wrapped(text: string, indent: string): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [''];
    const hanging = /^- /.test(paragraph) ? '  ' : '';
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1)!;
      if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) lines.push(hanging + word);
      else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    }
    return lines.map((line) => (line === '' ? '' : indent + line));
  });
}

/** Returns an indented docstring; empty without text. */
export function docstring(text: string | undefined, indent: string): string[] {
  if (!text) return [];
  const lines = wrapped(text.replaceAll('\\', '\\\\').replaceAll('"""', "'''"), indent);
  const first = `${indent}"""${lines[0]!.trim()}`;
  return lines.length === 1 ? [`${first}"""`] : [first, ...lines.slice(1), `${indent}"""`];
}

/** Generates Python types from schemas: TypedDict for objects, Literal for enums. */
export class PythonTypes {
  readonly #written = new Map<string, string>();

  constructor(private readonly reserved: ReadonlySet<string>) {}

  /** The generated classes and aliases, in order of use. */
  get text(): string {
    return [...this.#written.values()].join('\n\n\n');
  }

  get names(): string[] {
    return [...this.#written.keys()].sort();
  }

  /** Generates the type of a named schema. */
  define(name: string, schema: Json): void {
    if ('properties' in schema) this.#writeClass(name, schema);
    else this.#written.set(name, `${name}: TypeAlias = ${aliased(this.typeOf(schema, `${name}Value`))}`);
  }

  /** Returns the type of a schema. @param hint name for an object without a name */
  typeOf(schema: Json, hint: string): string {
    const ref = nameOf(schema);
    if (ref !== undefined) return ref;
    if ('const' in schema) return `Literal[${quoted(schema['const'])}]`;
    if (Array.isArray(schema['enum'])) return `Literal[${schema['enum'].map(quoted).join(', ')}]`;
    const parts = (schema['anyOf'] ?? schema['oneOf']) as readonly Json[] | undefined;
    if (parts)
      return union(parts.map((part, index) => this.typeOf(part, index === 0 ? hint : `${hint}${index + 1}`)));
    if ('allOf' in schema) throw new Error(`${hint}: the writer knows no allOf`);
    const type = schema['type'] as string | readonly string[] | undefined;
    if (Array.isArray(type))
      return union(type.map((one: string) => this.typeOf({ ...schema, type: one }, hint)));
    switch (type) {
      case 'null':
        return 'None';
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'array':
        return `list[${this.typeOf((schema['items'] ?? {}) as Json, `${hint}Item`)}]`;
      case 'object':
        return this.#object(schema, hint);
      default:
        return 'Any';
    }
  }

  #object(schema: Json, hint: string): string {
    if ('properties' in schema) {
      const name = this.reserved.has(hint) || this.#written.has(hint) ? `${hint}Object` : hint;
      this.#writeClass(name, schema);
      return name;
    }
    const values = schema['additionalProperties'];
    return typeof values === 'object'
      ? `dict[str, ${this.typeOf(values as Json, `${hint}Value`)}]`
      : 'dict[str, Any]';
  }

  #writeClass(name: string, schema: Json): void {
    // Reserves its position before the classes of its properties.
    this.#written.set(name, '');
    const required = new Set(schema['required'] as readonly string[] | undefined);
    const fields = Object.entries(schema['properties'] as Record<string, Json>).map(([field, property]) => {
      const type = this.typeOf(property, name + pascalCase(field));
      const description = property['description'] as string | undefined;
      return { field, type: required.has(field) ? type : `NotRequired[${type}]`, description };
    });
    const description = schema['description'] as string | undefined;
    if (fields.some(({ field }) => KEYWORDS.has(field))) {
      const entries = fields.flatMap(({ field, type, description: text }) => [
        ...(text ? wrapped(text, '        # ').map((line) => line || '        #') : []),
        `        '${field}': ${aliased(type)},`,
      ]);
      this.#written.set(
        name,
        [`${name} = TypedDict(`, `    '${name}',`, '    {', ...entries, '    },', ')'].join('\n'),
      );
      return;
    }
    const lines = fields.flatMap(({ field, type, description: text }) => [
      `    ${field}: ${type}`,
      ...docstring(text, '    '),
    ]);
    const head = docstring(description, '    ');
    const body = [...head, ...(head.length > 0 && lines.length > 0 ? [''] : []), ...lines];
    this.#written.set(
      name,
      [`class ${name}(TypedDict):`, ...(body.length > 0 ? body : ['    pass'])].join('\n'),
    );
  }
}

/** Quotes a type that Python evaluates, as it may refer to a later one. */
const aliased = (type: string): string => `"${type}"`;

const union = (parts: readonly string[]): string => [...new Set(parts)].join(' | ');
