import type { Ms } from './calendar.js';
import type { Line } from './history.js';
import { ZERO, minus, plus, type Rational } from './rational.js';
import type { Draft } from './run.js';

/** What was charged at one tax rate, as it stands. */
export interface Part {
  readonly rate: string | null;
  readonly base: bigint;
  readonly adjustment: bigint;
  readonly tax: bigint;
  /** Base of voided invoices, which is charged again at the rate of the part. */
  readonly voided: bigint;
}

/** What was charged of a window. */
export interface Charged {
  readonly parts: readonly Part[];
  /** Of usage: what the lines said. */
  readonly quantity: Rational;
  /** Of usage: the end of what the newest line was rated from. */
  readonly upTo: Ms | null;
  /** Whether an invoice that charged it was voided, until it is charged again. */
  readonly isVoided: boolean;
}

/** A line's part of an invoice, as it was added to what is charged. */
export interface Entry {
  readonly key: string;
  readonly part: Omit<Part, 'voided'>;
  /** Of usage: how much more the lines say in all, on the first line of a window. */
  readonly quantity: Rational | null;
}

export interface Issued {
  readonly at: Ms;
  readonly lines: readonly Line[];
  readonly amount: bigint;
  costDue: bigint;
  isVoided: boolean;
  /** What it charged. */
  readonly keys: ReadonlySet<string>;
  readonly entries: readonly Entry[];
  /** What it drew. */
  readonly drawn: readonly { readonly credit: Credit; readonly amount: bigint }[];
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
  /** Number of the invoice that netted them. */
  readonly number: number;
  readonly paid: readonly string[];
  readonly reversed: readonly string[];
}

export interface Credit {
  readonly effectiveAt: Ms;
  readonly expiresAt: Ms | null;
  /** Number of the invoice that sells it; null: it is free. */
  readonly soldBy: number | null;
  isVoided: boolean;
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

  /** What comes back comes off the newest part of its rate, what was voided returns to its part, the rest joins the newest. */
  charge({ key, part, quantity }: Entry, upTo: Ms | null): void {
    const before = this.charged.get(key) ?? NOTHING;
    const parts = [...before.parts];
    const place = placeOf(parts, part);
    if (place < 0) parts.push({ ...part, voided: 0n });
    else parts[place] = added(parts[place]!, part);
    const said = quantity ? plus(before.quantity, quantity) : before.quantity;
    this.charged.set(key, { ...before, parts, quantity: said, upTo: upTo ?? before.upTo });
  }

  /** Once it is charged again, nothing of a window is voided any more. */
  settleVoided(key: string): void {
    const { parts, ...charged } = this.charged.get(key)!;
    this.charged.set(key, {
      ...charged,
      parts: parts.map((part) => ({ ...part, voided: 0n })),
      isVoided: false,
    });
  }

  /** Takes back what a voided invoice charged. */
  takeBack({ key, part, quantity }: Entry): void {
    const before = this.charged.get(key)!;
    const ofRate = ({ rate }: Part) => rate === part.rate;
    const whole = before.parts.findLastIndex((one) => ofRate(one) && one.base >= part.base);
    const place = whole >= 0 ? whole : before.parts.findLastIndex(ofRate);
    const parts = [...before.parts];
    const { base, adjustment, tax } = part;
    const known = added(parts[place]!, { ...part, base: -base, adjustment: -adjustment, tax: -tax });
    parts[place] = { ...known, voided: known.voided + (base > 0n ? base : 0n) };
    const said = quantity ? minus(before.quantity, quantity) : before.quantity;
    this.charged.set(key, { ...before, parts, quantity: said, isVoided: true });
  }
}

const NOTHING: Charged = { parts: [], quantity: ZERO, upTo: null, isVoided: false };

function placeOf(parts: readonly Part[], { rate, base }: Entry['part']): number {
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
