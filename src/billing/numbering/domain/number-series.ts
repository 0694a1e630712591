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
  /** Count of the assigned numbers. */
  readonly size: number;
  /** Chain hash of the last number; empty text before the first. */
  readonly chainHash: string;
  numberOf(invoiceId: Uuid): string | undefined;
}

/**
 * State that shares one map of indexes with the earlier states of its day, so that folding a day of ten thousand invoices
 * does not copy the map for each event. A state sees the first `size` entries. Only the newest state adds entries; an older
 * one copies the map first, so no state ever changes. The map has indexes and no numbers: a number is its day and its index.
 */
class SharedNumberSeries implements NumberSeriesState {
  constructor(
    private readonly indexes: Map<Uuid, number>,
    private readonly day: string,
    readonly size: number,
    readonly chainHash: string,
  ) {}

  numberOf(invoiceId: Uuid): string | undefined {
    const index = this.indexes.get(invoiceId);
    return index !== undefined && index < this.size ? numberAt(this.day, index) : undefined;
  }

  with(assignments: readonly Assignment[]): SharedNumberSeries {
    const isNewest = this.indexes.size === this.size;
    const indexes = isNewest ? this.indexes : new Map([...this.indexes].slice(0, this.size));
    for (const { invoiceId } of assignments) indexes.set(invoiceId, indexes.size);
    const last = assignments.at(-1);
    if (!last) return this;
    return new SharedNumberSeries(indexes, last.number.slice(0, DAY_LENGTH), indexes.size, last.chainHash);
  }
}

const DAY_LENGTH = 'YYMMDD'.length;

/** @param index counted from 0 */
const numberAt = (day: string, index: number): string => `${day}-${String(index + 1).padStart(6, '0')}`;

/** Assigns the next numbers to the invoices that have none yet: without a gap, and never a second one to an invoice. */
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
export const numberSeriesDecider: Decider<NumberSeriesState, NumberSeriesCommand, NumberSeriesEvent> & {
  readonly category: StreamCategory;
} = {
  category: 'numberseries',
  initial: () => new SharedNumberSeries(new Map(), '', 0, ''),
  decide,
  evolve: (state, event) => (state as SharedNumberSeries).with(event.data.assignments),
};

/** Returns what is wrong with a day's numbers: they must be 1, 2, 3 …, each hash built on the one before. */
export function faultsOfChain(day: string, assignments: readonly Assignment[]): string[] {
  const faults: string[] = [];
  const invoices = new Set<string>();
  let chained = '';
  assignments.forEach(({ invoiceId, number, resultHash, chainHash }, index) => {
    const due = numberAt(day, index);
    if (number !== due) faults.push(`${number} stands where ${due} is due`);
    if (invoices.has(invoiceId)) faults.push(`${number} is a second number of invoice ${invoiceId}`);
    invoices.add(invoiceId);
    if (sha256Hex(chained + resultHash) !== chainHash)
      faults.push(`the chain of the day breaks at ${number}`);
    chained = chainHash;
  });
  return faults;
}
