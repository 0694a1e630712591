import type { Decider, Issued } from '../../kernel/decider.js';
import type { Uuid } from '../../kernel/ids.js';
import type { StreamCategory } from '../../kernel/stream.js';
import type { NumberSeriesEvent } from './events.js';

export type NumberSeriesCommand = {
  readonly type: 'AssignNumbers';
  /** UTC issue day, `YYMMDD`. */
  readonly day: string;
  readonly invoices: readonly { readonly invoiceId: Uuid; readonly resultHash: string }[];
};

/** The numbers of one UTC issue day. */
export interface NumberSeriesState {
  readonly size: number;
  numberOf(invoiceId: Uuid): string | undefined;
}

function initial(): NumberSeriesState {
  throw new Error('not written yet');
}

function decide(
  _command: Issued<NumberSeriesCommand>,
  _state: NumberSeriesState,
): readonly NumberSeriesEvent[] {
  throw new Error('not written yet');
}

function evolve(_state: NumberSeriesState, _event: NumberSeriesEvent): NumberSeriesState {
  throw new Error('not written yet');
}

/** Stream `numberseries-{org}.{yymmdd}`. */
export const numberSeries: Decider<NumberSeriesState, NumberSeriesCommand, NumberSeriesEvent> & {
  readonly category: StreamCategory;
} = { category: 'numberseries', initial, decide, evolve };
