import { once } from 'node:events';
import { createServer, request as open, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import fc from 'fast-check';
import { DomainError } from '../../../src/kernel/errors.js';
import type { IncomingBody } from '../../../src/platform/http/body/body-limiter.js';
import { readForm } from '../../../src/platform/http/body/form-fields.js';
import { readMultipart } from '../../../src/platform/http/body/multipart-form.js';
import { listen } from '../../support/listen.js';

type Field = readonly [name: string, value: string];

const INCOMING = {
  grow: () => undefined,
  workOnPart: (_, work) => void work(),
} as Partial<IncomingBody> as IncomingBody;
const server = createServer((incoming, response) => {
  const sent = incoming as Request;
  readMultipart(sent, response as never, INCOMING).then(
    () => response.end(JSON.stringify({ body: entriesOf(sent.body) })),
    (error: unknown) => response.end(JSON.stringify({ refused: (error as DomainError).message })),
  );
});
let port: number;
beforeAll(async () => {
  port = await listen(server);
});
afterAll(() => void server.close());

/** Returns objects as lists of entries, so that `__proto__` is compared too. */
const entriesOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(entriesOf)
    : typeof value === 'object' && value !== null
      ? { members: Object.entries(value).map(([key, member]) => [key, entriesOf(member)]) }
      : value;

const urlencoded = (fields: readonly Field[]): Buffer =>
  Buffer.from(fields.map((field) => field.map(encodeURIComponent).join('=')).join('&'));

const read = (...names: readonly string[]) =>
  readForm(urlencoded(names.map((name, index) => [name, String(index)])));

function fromForm(fields: readonly Field[]): unknown {
  try {
    return { body: entriesOf(readForm(urlencoded(fields))) };
  } catch (error) {
    if (error instanceof DomainError) return { refused: error.message };
    throw error;
  }
}

async function fromMultipart(fields: readonly Field[]): Promise<unknown> {
  const parts = fields.map(
    ([name, value]) =>
      `--b\r\nContent-Disposition: form-data; name="${name.replaceAll('"', '%22')}"\r\n\r\n${value}\r\n`,
  );
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const sent = open({ port, host: '127.0.0.1', method: 'POST', headers });
  sent.end(`${parts.join('')}--b--\r\n`);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return JSON.parse(await textOf(answer)) as unknown;
}

describe('names of fields', () => {
  it('say where values are: in objects and lists', () => {
    expect(read('a', 'b[c]', 'b[d][e]')).toEqual({ a: '0', b: { c: '1', d: { e: '2' } } });
    expect(read('a[]', 'a[]')).toEqual({ a: ['0', '1'] });
    expect(read('a[]')).toEqual({ a: ['0'] });
    expect(read('a[1]', 'a[0]')).toEqual({ a: ['1', '0'] });
    expect(read('a[0][b]', 'a[0][c]', 'a[1][b]', 'a[1][d][]')).toEqual({
      a: [
        { b: '0', c: '1' },
        { b: '2', d: ['3'] },
      ],
    });
  });

  it('make a list where one without brackets is given several times', () => {
    expect(read('a', 'b', 'a', 'a')).toEqual({ a: ['0', '2', '3'], b: '1' });
  });

  it('may leave out indexes, which are closed up', () => {
    const body = read('a[7]', 'a[1000]', 'a[3]', 'b[5][9][x]');
    expect(body).toEqual({ a: ['2', '0', '1'], b: [[{ x: '3' }]] });
    expect(JSON.stringify(body)).not.toContain('null');
  });

  it('are the same in an urlencoded form and in a multipart form', async () => {
    const step = fc.constantFrom(
      '[]',
      '[0]',
      '[1]',
      '[2]',
      '[7]',
      '[1000]',
      '[1001]',
      '[x]',
      '[ü]',
      '[',
      ']',
      '[__proto__]',
    );
    const start = fc.constantFrom('a', 'b', 'ü', '__proto__', 'constructor', '"', '[', ' ');
    const name = fc
      .tuple(start, fc.array(step, { maxLength: 3 }))
      .map(([first, more]) => first + more.join(''));
    const field = fc.tuple(name, fc.constantFrom('', '1', 'ü😀', '%41+&=', '"'));
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 6 }), async (fields) => {
        expect(await fromMultipart(fields)).toEqual(fromForm(fields));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a hostile form', () => {
  const refusalOf = (...names: readonly string[]) => {
    const { refused } = fromForm(names.map((name) => [name, '1'])) as { refused?: string };
    return refused;
  };

  it.each(['a[999999999]', 'a[1001]', 'a[0][99999999999999999999]', `a${'[0]'.repeat(33)}`, 'x'.repeat(201)])(
    'is refused for the name %s',
    async (name) => {
      expect(refusalOf(name)).toMatch(/field name/);
      expect(await fromMultipart([[name, '1']])).toEqual({ refused: refusalOf(name) });
    },
  );

  it('is refused for members of entries without an index, which would be lost', () => {
    expect(refusalOf('filters[][name]')).toMatch(/index/);
  });

  it('is refused for more than 1,000 fields', async () => {
    const fields = Array.from({ length: 1001 }, (): Field => ['a', '1']);
    expect(fromForm(fields)).toEqual({ refused: expect.stringMatching(/1,000 fields/) });
    expect(await fromMultipart(fields)).toEqual(fromForm(fields));
    expect(fromForm(fields.slice(1))).toHaveProperty('body');
    expect(await fromMultipart(fields.slice(1))).toEqual(fromForm(fields.slice(1)));
  });

  it('makes no lists that are longer than the form', () => {
    const nested = Array.from({ length: 1000 }, (_, index) => `a${index}${'[1000]'.repeat(30)}`);
    expect(refusalOf(...nested)).toMatch(/index/);
    const deep = Array.from({ length: 1000 }, (_, index) => `a${index}${'[x]'.repeat(30)}`);
    expect(refusalOf(...deep)).toMatch(/levels/);
    const list = Array.from({ length: 1000 }, (_, index) => `a[${index}]`);
    expect(refusalOf(...list)).toBeUndefined();
    expect(refusalOf(...list.map((name) => `b${name}`))).toBeUndefined();
  });

  it('changes no prototype', () => {
    const names = [
      '__proto__[x]',
      '__proto__',
      'constructor[prototype][x]',
      'a[__proto__][x]',
      'a[0]',
      'a[length]',
    ];
    const body = read(...names, '__proto__[__proto__][x]', 'toString[x]');
    expect(({} as { x?: string }).x).toBeUndefined();
    expect(([] as { x?: string }).x).toBeUndefined();
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect(Object.hasOwn(body, '__proto__')).toBe(true);
  });
});
