import { describe, expect, it } from '@jest/globals';
import { ChargeKey } from '../../../src/billing/accounts/domain/account-charges.js';
import { instant } from '../../../src/kernel/instant.js';
import { namedId } from '../../../src/kernel/ids.js';

const owner = namedId('a term');
const metric = namedId('a metric');
const january = instant('2026-01-01T00:00:00Z');
const week = instant('2026-01-08T00:00:00Z');

describe('a charge key', () => {
  it('is the text that events hold', () => {
    const { text } = ChargeKey.of({ owner, periodStart: january, source: 'charge.0', windowStart: week });
    expect(text).toBe(`${owner}/2026-01-01T00:00:00.000000Z/charge.0/2026-01-08T00:00:00.000000Z`);
  });

  it.each(['charge.0', `prepaid.${metric}`, `usage.${metric}`])('names owner, period and %s', (source) => {
    const key = ChargeKey.parse(
      ChargeKey.of({ owner, periodStart: january, source, windowStart: week }).text,
    );
    const [kind, name] = source.split('.');
    expect(key.owner).toBe(owner);
    expect(key.source).toEqual({ kind, name });
  });

  it('shares its period prefix with the keys of its owner and period alone', () => {
    const key = (by: string, periodStart: typeof january) =>
      ChargeKey.of({ owner: by, periodStart, source: 'charge.0', windowStart: week });
    const { periodPrefix } = key(owner, january);
    expect(key(owner, january).text.startsWith(periodPrefix)).toBe(true);
    expect(key(owner, week).text.startsWith(periodPrefix)).toBe(false);
    expect(key(namedId('another'), january).text.startsWith(periodPrefix)).toBe(false);
  });

  it('of a line that settles an invoice names the credit or the invoice', () => {
    for (const key of [ChargeKey.ofCredit(owner), ChargeKey.ofReducedInvoice(owner)]) {
      expect(ChargeKey.parse(key.text).creditOrInvoiceId).toBe(owner);
      expect(key.source).toBeNull();
    }
    expect(ChargeKey.DRAWN_CREDITS.text).toBe('credits');
  });
});
