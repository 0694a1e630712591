import pg from 'pg';
import { parseInstant, type Instant } from '../../kernel/instant.js';

/** As sessions that speak UTC show them, all but those before the year 1 and after 9999. */
const IN_UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

type Parser = (text: string) => unknown;

/**
 * Parses the values of PostgreSQL, per connection and not for the whole process: `timestamptz` is an `Instant` with its
 * microseconds; `int8` and `numeric` stay text, as a JS number would lose digits (BigInt() them where one computes);
 * `date` and `timestamp` stay text, as neither is an instant.
 */
export const pgTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && PARSERS.get(oid as number)) || pg.types.getTypeParser(oid, format),
};

export function instantFromPg(text: string): Instant {
  if (IN_UTC.test(text)) {
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(6, '0')}Z` as Instant;
  }
  const utc = text.endsWith('+00') ? `${text.slice(0, -3)}Z` : text.replace(/([+-]\d{2})$/, '$1:00');
  const parsed = parseInstant(utc);
  if (parsed === undefined) throw new RangeError(`a timestamptz that is not an instant: ${text}`);
  return parsed;
}

const asText: Parser = (text) => text;
const arrayOf =
  (element: Parser): Parser =>
  (text) =>
    textArray(text).map((item) => (item === null ? null : element(item)));

/** The driver's own parser of `text[]`, for one dimension. */
const TEXT_ARRAY = 1009 as number as Parameters<typeof pg.types.getTypeParser>[0];
const textArray = pg.types.getTypeParser(TEXT_ARRAY) as (text: string) => (string | null)[];

const { INT8, NUMERIC, DATE, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;

/** The second group are the array types, which have no names in the driver: int8[], timestamp[], timestamptz[] … */
const PARSERS = new Map<number, Parser>([
  [INT8, asText],
  [NUMERIC, asText],
  [DATE, asText],
  [TIMESTAMP, asText],
  [TIMESTAMPTZ, instantFromPg],
  [1016, arrayOf(asText)],
  [1231, arrayOf(asText)],
  [1182, arrayOf(asText)],
  [1115, arrayOf(asText)],
  [1185, arrayOf(instantFromPg)],
]);
