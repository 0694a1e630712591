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
  type Parameter,
  parametersOf,
  REPEATABLE,
} from './document.js';
import { argument, docstring, PythonTypes, snakeCase } from './python-types.js';

const HEAD = '# Written from the API document by `npm run generate:clients`. Changes here are lost.\n';

/** Generates the files of `clients/python/recount_client/generated`, by name. */
export function writePython(document: Document): Record<string, string> {
  const { schemas } = document.components;
  const types = new PythonTypes(new Set(Object.keys(schemas)));
  for (const [name, schema] of Object.entries(schemas)) types.define(name, schema);
  const methods = methodsOf(document).map((method) => writeMethod(method, schemas, types));
  return {
    '__init__.py': HEAD,
    'models.py': `${HEAD}"""What the API takes and answers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

${types.text}
`,
    'client.py': `${HEAD}"""A method for each operation of the API."""

from __future__ import annotations

from typing import Any, Literal, overload

from ..pages import Pages
from ..transport import RequestOptions, Transport, segment
from .models import (
${types.names
  .filter((name) => methods.some((text) => new RegExp(`\\b${name}\\b`).test(signaturesIn(text))))
  .map((name) => `    ${name},\n`)
  .join('')})


class Recount(Transport):
    """The API of Recount: a method for each of its operations."""

${methods.join('\n\n')}
`,
  };
}

/** Removes docstrings, which mention names of types. */
const signaturesIn = (text: string): string => text.replace(/"""[^]*?"""/g, '');

interface Taken {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
}

function writeMethod(
  { path, verb, operation }: Method,
  schemas: Record<string, Json>,
  types: PythonTypes,
): string {
  const { operationId: id, requestBody } = operation;
  const hint = id[0]!.toUpperCase() + id.slice(1);
  const [, answer] = answerOf(operation);
  const [mediaType, { schema }] = Object.entries(answer.content)[0]!;
  const bodySchema = requestBody?.content[JSON_TYPE]!.schema;
  const written = bodySchema && (schemas[nameOf(bodySchema) ?? ''] ?? bodySchema);
  const body: Taken[] = bodySchema
    ? [{ name: 'body', type: types.typeOf(bodySchema, `${hint}Body`), isOptional: isBare(written) }]
    : [];
  const places = parametersOf(operation, 'path').map(({ name }) => ({
    name,
    type: 'str',
    isOptional: false,
  }));
  // `as_of` is an option of the call, not a parameter of each method.
  const query = parametersOf(operation, 'query')
    .filter(({ name }) => name !== 'as_of')
    .map(asObjects);
  const asked = query.map((parameter): Taken => {
    const type = types.typeOf(parameter.schema, `${hint}${parameter.name}`);
    return { name: argument(parameter.name), type, isOptional: parameter.required !== true };
  });
  const url = path.replace(/\{(\w+)\}/g, '{segment($1)}');
  const address = places.length === 0 ? `'${path}'` : `f'${url}'`;
  const parts = [
    ...(query.length > 0
      ? [`query={${query.map(({ name }) => `'${name}': ${argument(name)}`).join(', ')}}`]
      : []),
    ...(body.length > 0 ? [body[0]!.isOptional ? 'body=body or {}' : 'body=body'] : []),
    ...(REPEATABLE.includes(id) ? ['is_repeatable=True'] : []),
    'options=options',
  ];
  const name = snakeCase(id);
  const doc = docstring(describe(operation, query), '        ');
  if (isPaged(answer)) {
    const item = types.typeOf(schema['items'] as Json, `${hint}Item`);
    return method(name, [...places, ...body], asked, `Pages[${item}]`, [
      ...doc,
      ...call('return self.pages', [address, ...parts]),
    ]);
  }
  const file = mediaType.startsWith('text/') ? 'str' : 'bytes';
  const isDryRun = query.some(({ name: one }) => one === 'preview') && Array.isArray(schema['anyOf']);
  const result = mediaType === JSON_TYPE ? types.typeOf(schema, `${hint}Answer`) : file;
  const lines = [
    ...doc,
    ...call(`result: ${result} = self.request`, [`'${verb.toUpperCase()}'`, address, ...parts]),
    '        return result',
  ];
  if (!isDryRun) return method(name, [...places, ...body], asked, result, lines);
  const [done, preview] = (schema['anyOf'] as Json[]).map((part) => types.typeOf(part, hint));
  const others = asked.filter((one) => one.name !== 'preview');
  const overloads = [
    { type: 'Literal[True]', isOptional: false, result: preview! },
    { type: 'Literal[False]', isOptional: true, result: done! },
  ].map(({ type, isOptional, result: of }) =>
    [
      '    @overload',
      method(name, [...places, ...body], [...others, { name: 'preview', type, isOptional }], of, [
        '        ...',
      ]),
    ].join('\n'),
  );
  const both = [...others, { name: 'preview', type: 'bool', isOptional: true }];
  return [...overloads, method(name, [...places, ...body], both, result, lines)].join('\n\n');
}

function method(
  name: string,
  placed: readonly Taken[],
  named: readonly Taken[],
  result: string,
  body: readonly string[],
): string {
  const options = { name: 'options', type: 'RequestOptions', isOptional: true };
  const taken = [
    'self',
    ...placed.map(written),
    '*',
    ...[...named, options].sort(requiredFirst).map(written),
  ];
  const line = `    def ${name}(${taken.join(', ')}) -> ${result}:`;
  const head =
    line.length <= 110
      ? [line]
      : [`    def ${name}(`, ...taken.map((one) => `        ${one},`), `    ) -> ${result}:`];
  return [...head, ...body].join('\n');
}

const requiredFirst = (a: Taken, b: Taken): number => Number(a.isOptional) - Number(b.isOptional);

function written({ name, type, isOptional }: Taken): string {
  if (!isOptional) return `${name}: ${type}`;
  if (type === 'Literal[False]' || (name === 'preview' && type === 'bool')) return `${name}: ${type} = False`;
  return `${name}: ${type.endsWith('None') ? type : `${type} | None`} = None`;
}

function call(what: string, parts: readonly string[]): string[] {
  const line = `        ${what}(${parts.join(', ')})`;
  if (line.length <= 110) return [line];
  return [`        ${what}(`, ...parts.map((part) => `            ${part},`), '        )'];
}

function describe({ summary, description, deprecated }: Operation, query: readonly Parameter[]): string {
  const parameters = query
    .filter((one) => one.description)
    .map(({ name, description: text }) => `:param ${argument(name)}: ${text!.split('\n')[0]}`);
  return [
    summary,
    ...(description ? ['', description] : []),
    ...(deprecated ? ['', 'Deprecated.'] : []),
    ...(parameters.length > 0 ? ['', ...parameters] : []),
  ].join('\n');
}
