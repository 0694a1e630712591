import type { Ms } from './calendar.js';
import type { Line } from './history.js';
import { ZERO, minus, plus, type Rational } from './rational.js';
import type { Draft } from './run.js';

/** Net charges of a window at one tax rate. */
export interface Part {
  readonly rate: string | null;
  readonly base: bigint;
  readonly adjustment: bigint;
  readonly tax: bigint;
  /** Base of voided invoices, to be charged again at this rate. */
  readonly voided: bigint;
}

/** Net charges of a window. */
export interface Charged {
  readonly parts: readonly Part[];
  /** Usage only: quantity of the lines. */
  readonly quantity: Rational;
  /** Usage only: end of the time that the newest line was rated for. */
  readonly upTo: Ms | null;
  /** True from the void of an invoice with this window until the window is charged again. */
  readonly isVoided: boolean;
}

/** An invoice line as it was added to the charges. */
export interface Entry {
  readonly key: string;
  readonly part: Omit<Part, 'voided'>;
  /** Usage only: the quantity added to the window, set on its first line. */
  readonly quantity: Rational | null;
}

export interface Issued {
  readonly at: Ms;
  readonly lines: readonly Line[];
  readonly amount: bigint;
  costDue: bigint;
  isVoided: boolean;
  /** Keys of the charged windows. */
  readonly keys: ReadonlySet<string>;
  readonly entries: readonly Entry[];
  readonly drawn: readonly { readonly credit: Credit; readonly amount: bigint }[];
  readonly number: number;
}

/** A line with adjustment and tax. */
export interface Priced {
  readonly draft: Draft;
  readonly adjustment: bigint;
  readonly tax: bigint;
  readonly amount: bigint;
}

/** Charges that were netted against reversals. */
interface Netting {
  /** Number of the invoice that netted them. */
  readonly number: number;
  readonly paid: readonly string[];
  readonly reversed: readonly string[];
}

export interface Credit {
  readonly effectiveAt: Ms;
  readonly expiresAt: Ms | null;
  /** Number of the invoice that sells the credit; null for a free one. */
  readonly soldBy: number | null;
  isVoided: boolean;
  left: bigint;
}

export class Account {
  readonly charged = new Map<string, Charged>();
  /** Usage quantities by key, with the end of the charged time. */
  readonly counted = new Map<string, { readonly upTo: Ms; readonly quantity: Rational }>();
  readonly invoices: Issued[] = [];
  readonly credits: Credit[] = [];
  readonly nettings: Netting[] = [];

  baseOf(key: string): bigint {
    return sum((this.charged.get(key)?.parts ?? []).map(({ base }) => base));
  }

  /** Adds a free credit that is effective at once and does not expire. */
  grantFreeCredit(left: bigint, effectiveAt: Ms): void {
    this.credits.push({ effectiveAt, expiresAt: null, soldBy: null, isVoided: false, left });
  }

  /** Sums the charges whose key has this prefix. */
  totalsOf(prefix: string): { readonly base: bigint; readonly adjustment: bigint } {
    const parts = [...this.charged].flatMap(([key, charged]) =>
      key.startsWith(prefix) ? charged.parts : [],
    );
    return {
      base: sum(parts.map(({ base }) => base)),
      adjustment: sum(parts.map(({ adjustment }) => adjustment)),
    };
  }

  /**
   * Adds an entry. A negative entry reduces the newest part of its rate, a voided amount returns to its part, all
   * else joins the newest part.
   */
  charge({ key, part, quantity }: Entry, upTo: Ms | null): void {
    const before = this.charged.get(key) ?? NOTHING;
    const parts = [...before.parts];
    const index = partIndex(parts, part);
    if (index < 0) parts.push({ ...part, voided: 0n });
    else parts[index] = added(parts[index]!, part);
    const total = quantity ? plus(before.quantity, quantity) : before.quantity;
    this.charged.set(key, { ...before, parts, quantity: total, upTo: upTo ?? before.upTo });
  }

  /** Clears the voided amounts of a window that was charged again. */
  settleVoided(key: string): void {
    const { parts, ...charged } = this.charged.get(key)!;
    this.charged.set(key, {
      ...charged,
      parts: parts.map((part) => ({ ...part, voided: 0n })),
      isVoided: false,
    });
  }

  /** Removes an entry of a voided invoice. */
  reverse({ key, part, quantity }: Entry): void {
    const before = this.charged.get(key)!;
    const ofRate = ({ rate }: Part) => rate === part.rate;
    const whole = before.parts.findLastIndex((one) => ofRate(one) && one.base >= part.base);
    const index = whole >= 0 ? whole : before.parts.findLastIndex(ofRate);
    const parts = [...before.parts];
    const { base, adjustment, tax } = part;
    const known = added(parts[index]!, { ...part, base: -base, adjustment: -adjustment, tax: -tax });
    parts[index] = { ...known, voided: known.voided + (base > 0n ? base : 0n) };
    const total = quantity ? minus(before.quantity, quantity) : before.quantity;
    this.charged.set(key, { ...before, parts, quantity: total, isVoided: true });
  }
}

const NOTHING: Charged = { parts: [], quantity: ZERO, upTo: null, isVoided: false };

function partIndex(parts: readonly Part[], { rate, base }: Entry['part']): number {
  const ofRate = (part: Part) => part.rate === rate;
  if (base < 0n) return parts.findLastIndex(ofRate);
  const voided = parts.findIndex((part) => ofRate(part) && part.voided > 0n);
  if (voided >= 0) return voided;
  return parts.length > 0 && ofRate(parts.at(-1)!) ? parts.length - 1 : -1;
}

const added = (a: Part, b: Entry['part']): Part => ({
  ...a,
  base: a.base + b.base,
  adjustment: a.adjustment + b.adjustment,
  tax: a.tax + b.tax,
});

export const sum = (all: readonly bigint[]): bigint => all.reduce((total, one) => total + one, 0n);
