import { wireIdPattern, type IdKind } from '../../../kernel/ids.js';
import type { CurrencyUnit } from '../../../kernel/money.js';
import { named, number, object, text, type Schema } from './schema.js';

/** Id on the wire (docs/contract.md#identifiers). */
export const wireId = (kind: IdKind): Schema<string> => text({ pattern: wireIdPattern(kind) });

/** ISO 8601 in UTC. */
export const dateTime = (): Schema<string> => text({ format: 'date-time', pattern: 'Z$' });
/** Calendar day, yyyy-mm-dd. */
export const day = (): Schema<string> => text({ format: 'date' });

const LIMIT = 10_000_000_000;
/** Money and quantities: 0 <= x < 10000000000 (docs/contract.md#limits). */
export const amount = (): Schema<number> => number({ minimum: 0, exclusiveMaximum: LIMIT });
/** Money that may be negative: -10000000000 < x < 10000000000 (docs/contract.md#limits). */
export const signedAmount = (): Schema<number> =>
  number({ exclusiveMinimum: -LIMIT, exclusiveMaximum: LIMIT });

/** Wire shape of a pricing unit (docs/contract.md#pricing-unit). */
export const PRICING_UNIT: Schema<CurrencyUnit> = named(
  'PricingUnit',
  object({ code: text({ maxLength: 10 }), name: text({ maxLength: 100 }), symbol: text({ maxLength: 10 }) }),
);
