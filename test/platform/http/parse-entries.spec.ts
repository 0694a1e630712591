import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonLimits } from '../../../src/platform/http/body/json-limits.js';
import { parseEntries } from '../../../src/platform/http/body/body-parsers.js';
import { ReceivedBytes } from '../../../src/platform/http/body/receive-body.js';

/** Returns the value of a JSON text, or `refused` for other text. */
function whole(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text).toString()) as unknown;
  } catch {
    return 'refused';
  }
}

async function inEntries(text: string, bytes = 7): Promise<unknown> {
  const limits = new JsonLimits();
  const buffer = Buffer.from(text);
  const received = new ReceivedBytes();
  for (let at = 0; at < buffer.length; at += bytes) {
    const part = buffer.subarray(at, at + bytes);
    limits.push(part);
    received.push(part);
  }
  return parseEntries(randomUUID(), received, limits.entries).catch((error: unknown) => {
    if (error instanceof SyntaxError) return 'refused';
    throw error;
  });
}

const batch = fc.record({
  batch: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 6 }),
  other: fc.jsonValue(),
});
const text = fc.oneof(batch, fc.jsonValue()).map((value) => JSON.stringify(value));

describe('a body that is parsed entry by entry', () => {
  it('is what it is when it is parsed at once', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 50 }), async (json, bytes) => {
        expect(await inEntries(json, bytes)).toEqual(whole(json));
      }),
      { numRuns: 500 },
    );
  });

  it('is refused when it is refused at once: letters taken out, put in and exchanged', async () => {
    const letter = fc.constantFrom(...'{}[]",:\\0e-u ');
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 2 }), letter);
    const changed = fc.tuple(text, fc.array(change, { minLength: 1, maxLength: 3 })).map(([json, changes]) =>
      changes.reduce((was, [place, cut, put]) => {
        const at = place % (was.length + 1);
        return was.slice(0, at) + put + was.slice(at + cut);
      }, json),
    );
    await fc.assert(
      fc.asyncProperty(changed, async (json) => {
        expect(await inEntries(json)).toEqual(whole(json));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    '{"batch": [{"a": 1}], "batch": [{"b": 2}, 3, {"c": [{"d": {}}]}]}',
    '{"batch": [{"a": 1}], "batch": 5}',
    '{"__proto__": [{"__proto__": {"a": 1}}]}',
    '{"a": [[{"b": 1}], {"c": 1}], "d": {"e": [{"f": 1}]}}',
    '\ufeff{"batch": [{"a": "ä{["}, {"a": "\\""}]}',
    '[[{"a": 1}]]',
    '{"a": [{"b": 1}',
    '{"a": [{"b": 1]]}',
    '{"a": [{"b": 1}: 2]}',
    '{"a": [{"b": 1} {"c": 1}]}',
    'null',
    '"text"',
    '',
  ])('holds what the text holds: %s', async (json) => {
    const expected = whole(json.replace('\ufeff', ''));
    const found = await inEntries(json);
    expect(found).toEqual(expected);
    expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
  });
});
