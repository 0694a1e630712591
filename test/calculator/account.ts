import type { Ms } from './calendar.js';
import type { Line } from './history.js';
import { ZERO, type Rational } from './rational.js';
import type { Draft } from './run.js';

/** What was charged at one tax rate, as it stands. */
export interface Part {
  readonly rate: string | null;
  readonly base: bigint;
  readonly adjustment: bigint;
  readonly tax: bigint;
}

/** What was charged of a window. */
export interface Charged {
  readonly parts: readonly Part[];
  /** Of usage: what the lines said. */
  readonly quantity: Rational;
}

export interface Issued {
  readonly at: Ms;
  readonly lines: readonly Line[];
  readonly amount: bigint;
  costDue: bigint;
  /** What it charged. */
  readonly keys: ReadonlySet<string>;
  readonly number: number;
}

/** A line with all but credits. */
export interface Priced {
  readonly draft: Draft;
  readonly adjustment: bigint;
  readonly tax: bigint;
  readonly amount: bigint;
}

/** Windows that were charged, and those that were given back to pay them. */
interface Netting {
  readonly paid: readonly string[];
  readonly givenBack: readonly string[];
}

interface Credit {
  readonly effectiveAt: Ms;
  readonly expiresAt: Ms | null;
  readonly isPaid: boolean;
  left: bigint;
}

export class Account {
  readonly charged = new Map<string, Charged>();
  /** Of usage: how much, up to where it is charged. */
  readonly counted = new Map<string, { readonly upTo: Ms; readonly quantity: Rational }>();
  readonly invoices: Issued[] = [];
  readonly credits: Credit[] = [];
  readonly nettings: Netting[] = [];

  baseOf(key: string): bigint {
    return sum((this.charged.get(key)?.parts ?? []).map(({ base }) => base));
  }

  /** Of all that was charged under a prefix. */
  under(prefix: string): { readonly base: bigint; readonly adjustment: bigint } {
    const parts = [...this.charged].flatMap(([key, charged]) =>
      key.startsWith(prefix) ? charged.parts : [],
    );
    return {
      base: sum(parts.map(({ base }) => base)),
      adjustment: sum(parts.map(({ adjustment }) => adjustment)),
    };
  }

  /** A difference joins what was charged last at its rate. */
  charge(key: string, part: Part, quantity: Rational | null): void {
    const before = this.charged.get(key) ?? { parts: [], quantity: ZERO };
    const place = before.parts.findLastIndex(({ rate }) => rate === part.rate);
    const parts = [...before.parts];
    const known = parts[place];
    if (known) parts[place] = added(known, part);
    else parts.push(part);
    this.charged.set(key, { parts, quantity: quantity ?? before.quantity });
  }
}

const added = (a: Part, b: Part): Part => ({
  rate: a.rate,
  base: a.base + b.base,
  adjustment: a.adjustment + b.adjustment,
  tax: a.tax + b.tax,
});

export const sum = (all: readonly bigint[]): bigint => all.reduce((total, one) => total + one, 0n);
