import { sha256Hex } from '../../kernel/canonical-json.js';
import type { Decider, Issued } from '../../kernel/decider.js';
import type { Uuid } from '../../kernel/ids.js';
import type { StreamCategory } from '../../kernel/stream.js';
import type { NumberSeriesEvent } from './events.js';

export interface NumberSeriesCommand {
  readonly type: 'AssignNumbers';
  /** UTC issue day, `YYMMDD`. */
  readonly day: string;
  readonly invoices: readonly { readonly invoiceId: Uuid; readonly resultHash: string }[];
}

type Assignment = NumberSeriesEvent['data']['assignments'][number];

/** The numbers of one organization and UTC issue day. */
export interface NumberSeriesState {
  /** How many are bound. */
  readonly size: number;
  /** Chain hash of the last; empty text before the first. */
  readonly chainHash: string;
  numberOf(invoiceId: Uuid): string | undefined;
}

/**
 * The states of one history share one list and see its first `size` entries, so that a day of ten thousand invoices
 * folds in one pass. Only the newest state adds to the list; an older one goes on with a copy, and none ever changes.
 */
class Numbers implements NumberSeriesState {
  constructor(
    private readonly shared: Map<Uuid, Assignment & { readonly place: number }>,
    readonly size: number,
    readonly chainHash: string,
  ) {}

  numberOf(invoiceId: Uuid): string | undefined {
    const found = this.shared.get(invoiceId);
    return found && found.place < this.size ? found.number : undefined;
  }

  with(assignments: readonly Assignment[]): Numbers {
    const mine = this.shared.size === this.size;
    const shared = mine ? this.shared : new Map([...this.shared].slice(0, this.size));
    for (const assignment of assignments) {
      shared.set(assignment.invoiceId, { ...assignment, place: shared.size });
    }
    return new Numbers(shared, shared.size, assignments.at(-1)?.chainHash ?? this.chainHash);
  }
}

/** Binds the next numbers to the invoices that have none yet: gapless, and never a second one for an invoice. */
function decide(
  { day, invoices }: Issued<NumberSeriesCommand>,
  state: NumberSeriesState,
): readonly NumberSeriesEvent[] {
  const assignments = new Map<Uuid, Assignment>();
  let previous = state.chainHash;
  for (const { invoiceId, resultHash } of invoices) {
    if (assignments.has(invoiceId) || state.numberOf(invoiceId) !== undefined) continue;
    const chainHash = sha256Hex(previous + resultHash);
    const number = `${day}-${String(state.size + assignments.size + 1).padStart(6, '0')}`;
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
  initial: () => new Numbers(new Map(), 0, ''),
  decide,
  evolve: (state, event) => (state as Numbers).with(event.data.assignments),
};
