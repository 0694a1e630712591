import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { faultsOfChain, numberSeriesDecider } from '../../../src/billing/numbering/domain/number-series.js';
import type { NumberSeriesEvent } from '../../../src/billing/accounts/domain/events.js';
import { sha256Hex } from '../../../src/kernel/canonical-json.js';
import { namedId } from '../../../src/kernel/ids.js';
import { COMMAND_ID, NOW, given } from '../../support/given-when-then.js';

const invoice = (name: string) => ({ invoiceId: namedId(name), resultHash: sha256Hex(name) });
const assign = (...names: string[]) =>
  ({ type: 'AssignNumbers', day: '260101', invoices: names.map(invoice) }) as const;

/** Returns the event that assigns numbers to these invoices, from index `place` and chain hash `previous` on. */
function assigned(place: number, previous: string, ...names: string[]): NumberSeriesEvent {
  let chainHash = previous;
  const assignments = names.map((name, index) => {
    chainHash = sha256Hex(chainHash + sha256Hex(name));
    return { ...invoice(name), number: `260101-${String(place + index).padStart(6, '0')}`, chainHash };
  });
  return { type: 'NumbersAssigned', data: { assignments } };
}

const first = assigned(1, '', 'a', 'b');
const chain = first.data.assignments[1]!.chainHash;

describe('the numbers of a day', () => {
  it('are 1, 2, 3 … in the order in which they are asked for, chained by their results', () => {
    given(numberSeriesDecider).when(assign('a', 'b')).then(first);
    given(numberSeriesDecider, [first])
      .when(assign('c'))
      .then(assigned(3, chain, 'c'));
  });

  it('are bound once: an invoice that has one gets no other, and leaves no gap', () => {
    given(numberSeriesDecider, [first]).when(assign('a', 'b')).nothing();
    given(numberSeriesDecider, [first])
      .when(assign('b', 'c', 'c', 'a', 'd'))
      .then(assigned(3, chain, 'c', 'd'));
  });

  it('can be asked for by invoice', () => {
    const state = numberSeriesDecider.evolve(numberSeriesDecider.initial(), first);
    expect([state.numberOf(namedId('b')), state.numberOf(namedId('z'))]).toEqual([
      '260101-000002',
      undefined,
    ]);
  });

  it('continue past a million', () => {
    const late = { size: 999_998, chainHash: '', numberOf: () => undefined };
    const [event] = numberSeriesDecider.decide(
      { ...assign('a', 'b'), now: NOW, commandId: COMMAND_ID },
      late,
    );
    const numbers = event!.data.assignments.map(({ number }) => number);
    expect(numbers).toEqual(['260101-999999', '260101-1000000']);
  });
});

describe('laws of the series', () => {
  const requests = fc.array(fc.array(fc.integer({ min: 0, max: 30 }).map(String), { maxLength: 6 }), {
    maxLength: 12,
  });
  const decide = (names: readonly string[], state: ReturnType<typeof numberSeriesDecider.initial>) =>
    numberSeriesDecider.decide({ ...assign(...names), now: NOW, commandId: COMMAND_ID }, state);

  it('whoever asks how often, the numbers are contiguous and unique, and the chain is whole', () => {
    fc.assert(
      fc.property(requests, (lists) => {
        let state = numberSeriesDecider.initial();
        const all: NumberSeriesEvent['data']['assignments'][number][] = [];
        for (const names of lists) {
          for (const event of decide(names, state)) {
            all.push(...event.data.assignments);
            state = numberSeriesDecider.evolve(state, event);
          }
        }
        expect(all.map(({ number }) => Number(number.slice(7)))).toEqual(all.map((_, index) => index + 1));
        expect(new Set(all.map(({ invoiceId }) => invoiceId)).size).toBe(new Set(lists.flat()).size);
        const whole = all.reduce((previous, { resultHash }) => sha256Hex(previous + resultHash), '');
        expect(state.chainHash).toBe(whole);
        for (const { invoiceId, number } of all) expect(state.numberOf(invoiceId)).toBe(number);
      }),
    );
  });

  it('a state stays what it is, whatever is done with those that came from it', () => {
    fc.assert(
      fc.property(requests, requests, (one, other) => {
        const fold = (
          lists: readonly (readonly string[])[],
          from: ReturnType<typeof numberSeriesDecider.initial>,
        ) =>
          lists.reduce(
            (state, names) => decide(names, state).reduce(numberSeriesDecider.evolve, state),
            from,
          );
        const base = fold(one, numberSeriesDecider.initial());
        const before = Array.from({ length: 31 }, (_, n) => base.numberOf(namedId(String(n))));
        const branch = fold(other, base);
        const again = fold(other, base);
        const after = Array.from({ length: 31 }, (_, n) => base.numberOf(namedId(String(n))));
        expect(after).toEqual(before);
        expect([again.size, again.chainHash]).toEqual([branch.size, branch.chainHash]);
      }),
    );
  });
});

describe('the chain of a day', () => {
  const { assignments } = assigned(1, '', 'a', 'b', 'c').data;

  it('is kept as it was assigned', () => expect(faultsOfChain('260101', assignments)).toEqual([]));

  it('breaks where one is missing, twice, or of another result', () => {
    const [first, second, third] = assignments;
    expect(faultsOfChain('260101', [first!, third!])).toEqual([
      '260101-000003 stands where 260101-000002 is due',
      'the chain of the day breaks at 260101-000003',
    ]);
    expect(faultsOfChain('260101', [first!, { ...second!, invoiceId: first!.invoiceId }])).toEqual([
      `260101-000002 is a second number of invoice ${first!.invoiceId}`,
    ]);
    expect(faultsOfChain('260101', [first!, { ...second!, resultHash: sha256Hex('x') }])).toEqual([
      'the chain of the day breaks at 260101-000002',
    ]);
  });
});
