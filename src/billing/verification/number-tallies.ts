import { createHash } from 'node:crypto';
import type { Uuid } from '../../kernel/ids.js';
import type { LoggedInvoice } from './account-verifier.js';

/** Count of a day's numbered invoices, and the sum of their 64-bit hashes modulo 2^64, which no order changes. */
export interface NumberTally {
  readonly count: number;
  readonly sum: bigint;
}

export const NO_NUMBERS: NumberTally = { count: 0, sum: 0n };

export const withNumber = ({ count, sum }: NumberTally, ...parts: readonly string[]): NumberTally => ({
  count: count + 1,
  sum: BigInt.asUintN(64, sum + hashOf(parts)),
});

export const isSameTally = (a: NumberTally, b: NumberTally): boolean =>
  a.count === b.count && a.sum === b.sum;

/** Hashes parts to 64 bits, as SUM_IN_SQL does. */
const hashOf = (parts: readonly string[]): bigint =>
  createHash('sha256').update(parts.join(' ')).digest().readBigUInt64BE();

/** Sum over rows of invoices of the hash of `invoice_id` and `invoice_number`, modulo 2^64. */
export const SUM_IN_SQL = `mod(sum(mod(('x' || encode(substr(sha256(convert_to(
  invoice_id || ' ' || invoice_number, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint::numeric + 18446744073709551616,
  18446744073709551616)), 18446744073709551616)`;

/** Key of an organization and the UTC day of a number. */
export const dayKey = (org: Uuid, number: string): string => `${org} ${number.slice(0, 'YYMMDD'.length)}`;

/** Tallies of issued invoices by day, from the accounts: some bytes per day, however many invoices it has. */
export class IssuedNumbers {
  readonly #withResults = new Map<string, NumberTally>();
  readonly #plain = new Map<string, NumberTally>();

  add({ org, invoice_id: id, invoice_number: number, resultHash }: LoggedInvoice): void {
    const key = dayKey(org, number);
    this.#withResults.set(key, withNumber(this.withResults(key), id, number, resultHash));
    this.#plain.set(key, withNumber(this.plain(key), id, number));
  }

  days(): IterableIterator<string> {
    return this.#plain.keys();
  }

  /** Tally of ids, numbers and result hashes. */
  withResults(key: string): NumberTally {
    return this.#withResults.get(key) ?? NO_NUMBERS;
  }

  /** Tally of ids and numbers, to compare with the read model. */
  plain(key: string): NumberTally {
    return this.#plain.get(key) ?? NO_NUMBERS;
  }
}
