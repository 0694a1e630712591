import { sha256Hex } from '../../../kernel/canonical-json.js';
import type { Decider, IssuedCommand } from '../../../kernel/decider.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { StreamCategory } from '../../../kernel/event.js';
import type { NumberSeriesEvent } from '../../accounts/domain/events.js';

export interface NumberSeriesCommand {
  readonly type: 'AssignNumbers';
  /** UTC issue day, `YYMMDD`. */
  readonly day: string;
  readonly invoices: readonly { readonly invoiceId: Uuid; readonly resultHash: string }[];
}

type Assignment = NumberSeriesEvent['data']['assignments'][number];

/** The numbers of one organization and UTC issue day. */
export interface NumberSeriesState {
  /** Number of bound invoices. */
  readonly size: number;
  /** Chain hash of the last; empty text before the first. */
  readonly chainHash: string;
  numberOf(invoiceId: Uuid): string | undefined;
}

/**
 * The states of one history share one list and see its first `size` entries, so that a day of ten thousand invoices
 * folds in one pass. Only the newest state appends to the list; an older one continues with a copy, and none ever changes.
 * The list holds indexes alone, as it grows with the invoices of the day: a number is its day and its index.
 */
class Numbers implements NumberSeriesState {
  constructor(
    private readonly places: Map<Uuid, number>,
    /** Chain hash of the latest number; empty before the first. */
    private readonly day: string,
    readonly size: number,
    readonly chainHash: string,
  ) {}

  numberOf(invoiceId: Uuid): string | undefined {
    const index = this.places.get(invoiceId);
    return index !== undefined && index < this.size ? numberAt(this.day, index) : undefined;
  }

  with(assignments: readonly Assignment[]): Numbers {
    const mine = this.places.size === this.size;
    const places = mine ? this.places : new Map([...this.places].slice(0, this.size));
    for (const { invoiceId } of assignments) places.set(invoiceId, places.size);
    const last = assignments.at(-1);
    if (!last) return this;
    return new Numbers(places, last.number.slice(0, DAY_LENGTH), places.size, last.chainHash);
  }
}

const DAY_LENGTH = 'YYMMDD'.length;

/** @param index counted from 0 */
const numberAt = (day: string, index: number): string => `${day}-${String(index + 1).padStart(6, '0')}`;

/** Binds the next numbers to the invoices that have none yet: gapless, and never a second one for an invoice. */
function decide(
  { day, invoices }: IssuedCommand<NumberSeriesCommand>,
  state: NumberSeriesState,
): readonly NumberSeriesEvent[] {
  const assignments = new Map<Uuid, Assignment>();
  let previous = state.chainHash;
  for (const { invoiceId, resultHash } of invoices) {
    if (assignments.has(invoiceId) || state.numberOf(invoiceId) !== undefined) continue;
    const chainHash = sha256Hex(previous + resultHash);
    const number = numberAt(day, state.size + assignments.size);
    assignments.set(invoiceId, { invoiceId, number, resultHash, chainHash });
    previous = chainHash;
  }
  if (assignments.size === 0) return [];
  return [{ type: 'NumbersAssigned', data: { assignments: [...assignments.values()] } }];
}

/** Stream `numberseries-{org}.{yymmdd}`. */
export const numberSeries: Decider<NumberSeriesState, NumberSeriesCommand, NumberSeriesEvent> & {
  readonly category: StreamCategory;
} = {
  category: 'numberseries',
  initial: () => new Numbers(new Map(), '', 0, ''),
  decide,
  evolve: (state, event) => (state as Numbers).with(event.data.assignments),
};

/** Checks a day's numbers: 1, 2, 3 … without gap or repeat, each hash built on the one before. */
export function faultsOfChain(day: string, assignments: readonly Assignment[]): string[] {
  const faults: string[] = [];
  const invoices = new Set<string>();
  let chained = '';
  assignments.forEach(({ invoiceId, number, resultHash, chainHash }, index) => {
    const due = `${day}-${String(index + 1).padStart(6, '0')}`;
    if (number !== due) faults.push(`${number} stands where ${due} is due`);
    if (invoices.has(invoiceId)) faults.push(`${number} is a second number of invoice ${invoiceId}`);
    invoices.add(invoiceId);
    if (sha256Hex(chained + resultHash) !== chainHash)
      faults.push(`the chain of the day breaks at ${number}`);
    chained = chainHash;
  });
  return faults;
}
