/** Placeholders for JSON literals that `JSON.stringify` cannot write; `jsonText` inserts the literals. */
const LITERALS: Readonly<Record<string, string>> = {
  '@nan': 'NaN',
  '@infinity': '1e400',
  '@tiny': '1e-400',
  '@digits': `0.${'1'.repeat(5_000)}`,
  '@huge': '9'.repeat(400),
  '@nested': `${'['.repeat(50)}${']'.repeat(50)}`,
  '@deep': `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
};

export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(/"(@\w+)"/g, (whole, name: string) => LITERALS[name] ?? whole);

/** Parsed, because `{ __proto__: … }` in an object literal sets the prototype. */
const polluting = JSON.parse(
  '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "toString": 1}',
) as object;

export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u0001\u0007\u001b[31m\u007f',
  '\r\nX-Injected: yes',
  '\u202eabc\u200b',
  '😀'.repeat(60),
  'x'.repeat(20_000),
  "'; drop table events; --",
  '" or 1=1; select pg_sleep(10); --',
  '$1',
  '%',
  '%00',
  '%c0%ae',
  '../../../etc/passwd',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'null',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '0x10',
  '9'.repeat(400),
  '{"a":',
  '[]',
];

const HOSTILE_NUMBERS: readonly number[] = [
  -1,
  -0,
  0,
  0.1,
  1e-320,
  1e21,
  1e300,
  9_999_999_999.99,
  1e10,
  2 ** 31,
  2 ** 53 + 2,
  2 ** 63,
  Number.MAX_VALUE,
];

/** Values that are invalid in almost every field. */
export const HOSTILE_VALUES: readonly unknown[] = [
  ...HOSTILE_TEXTS,
  ...HOSTILE_NUMBERS,
  ...Object.keys(LITERALS),
  null,
  true,
  [],
  {},
  [[]],
  [null],
  [{}],
  [polluting],
  polluting,
  Array.from({ length: 2_000 }, (_, index) => index),
  { length: 1e9, 0: 'a' },
  { toJSON: 'no function', valueOf: null },
];

/** Times at the edges of calendars and parsers, or beyond them. */
export const HOSTILE_TIMES: readonly string[] = [
  '2026-02-29T00:00:00Z',
  '2026-01-31T23:59:60Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31',
  '2026-01-31 12:00:00',
  '2026-03-29T02:30:00+99:00',
  '2026-01-20T00:00:00.123456789012Z',
  '-000001-01-01T00:00:00Z',
  '275760-09-13T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '1900-01-01T00:00:00Z',
  '8999-12-31T23:59:58Z',
  '9999-12-31T23:59:59Z',
];
