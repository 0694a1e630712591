import { describe, expect, it } from '@jest/globals';
import { derivedId, namedId } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import type { SubscriptionEvent, SwitchTerms, Term } from '../../../src/subscription/domain/events.js';
import type { PricedVersion } from '../../../src/subscription/domain/term-periods.js';
import { termDecider } from '../../../src/subscription/domain/term-decider.js';
import type { PlanSwitch } from '../../../src/subscription/switch/domain/switch-plan.js';
import { aCharge, aComponent, aContent } from '../../support/builders/billing.js';
import { SUBSCRIPTION_ID, aTermPricing, aTerm, started } from '../../support/builders/subscription.js';
import { anAddon } from '../../support/builders/switched-terms.js';
import { COMMAND_ID, given } from '../../support/given-when-then.js';

const NOW = instant('2026-01-16T12:00:00Z');
const FEBRUARY = instant('2026-02-01');
const filters = [{ propertyName: 'region', value: 'eu' }];
const former = aContent({ recurringCharges: [aCharge()], components: [aComponent()] });
const old = (): Term =>
  aTerm({ filters, metadata: { a: 1 }, pricing: aTermPricing({ version: { content: former } }) });

const aPricedVersion = (changes: Partial<PricedVersion> = {}): PricedVersion => ({
  ...aTermPricing().version,
  versionId: namedId('version B'),
  planId: namedId('plan B'),
  contentHash: 'the hash of B',
  content: aContent({ recurringCharges: [aCharge({ amount: '60.00' })], components: [aComponent()] }),
  ...changes,
});

const toB = (
  version: Partial<PricedVersion> = {},
  terms: Partial<SwitchTerms> = {},
): { type: 'SwitchPlan' } & PlanSwitch => ({
  type: 'SwitchPlan',
  terms: { usage: 'transfer_to_new_subscription', invoicing: 'invoice_now', ...terms },
  prepaidUnits: [],
  to: { version: aPricedVersion(version), former: { content: former, duration: 'monthly' } },
});

function switched(command = toB(), events: readonly SubscriptionEvent[] = [started(old())], now = NOW) {
  const state = events.reduce(termDecider.evolve, termDecider.initial());
  const [event] = termDecider.decide({ ...command, now, commandId: COMMAND_ID }, state);
  if (event?.type !== 'SubscriptionSwitched') throw new Error('nothing was switched');
  return event;
}

describe('a switch of plans', () => {
  it('ends the term at its instant and holds the successor complete', () => {
    const { data } = switched();
    expect(data).toMatchObject({ effectiveAt: NOW, end: NOW, billedAt: NOW, periodEnd: FEBRUARY });
    expect(data.successor).toEqual({
      ...old(),
      subscriptionId: derivedId(COMMAND_ID, 'successor'),
      start: NOW,
      isNew: true,
      basis: {
        ...old().basis,
        planId: namedId('plan B'),
        versionId: namedId('version B'),
        contentHash: 'the hash of B',
        continues: {
          termStart: old().start,
          periodStart: old().start,
          billedAt: NOW,
          fees: [{ amount: '30.00', resetInterval: null, since: old().start }],
          adjustment: null,
          usage: [{ metricId: aComponent().metricId, since: old().start }],
        },
      },
    });
  });

  it('closes the term: it cannot be switched, cancelled or closed again', () => {
    const events = [started(old()), switched()];
    expect(events.reduce(termDecider.evolve, termDecider.initial())).toMatchObject({
      closedAt: NOW,
      successor: derivedId(COMMAND_ID, 'successor'),
      term: { end: NOW, scheduledEnd: false, autoRenew: false },
    });
    given(termDecider, events).when(toB(), { now: NOW }).refuses('invalid_state');
    given(termDecider, events)
      .when({ type: 'CloseTerm', renewal: aTermPricing() }, { now: FEBRUARY })
      .nothing();
  });

  it('is billed at once, or at the end of the running billing period', () => {
    expect(switched(toB({}, { invoicing: 'add_to_next_invoice' })).data.billedAt).toBe(FEBRUARY);
    const long = aTerm({
      end: instant('2026-06-11'),
      pricing: aTermPricing({ version: { content: former } }),
    });
    const later = switched(
      toB({}, { invoicing: 'add_to_next_invoice' }),
      [started(long)],
      instant('2026-03-10'),
    );
    expect(later.data.billedAt).toBe(instant('2026-04-01'));
    expect(later.data.successor.end).toBe(instant('2026-06-11'));
    expect(later.data.successor.basis.continues?.periodStart).toBe(instant('2026-03-01'));
  });

  it('transfers the usage of the metrics that both plans have, if asked to', () => {
    const seats = aComponent({ metricName: 'seats' });
    const both = { content: aContent({ components: [aComponent(), seats] }) };
    expect(switched(toB(both)).data.moved).toEqual([aComponent().metricId]);
    expect(switched(toB({ content: aContent({ components: [seats] }) })).data.moved).toEqual([]);
    const separate = switched(toB(both, { usage: 'keep_separate' })).data;
    expect(separate.moved).toEqual([]);
    expect(separate.successor.basis.continues?.usage).toEqual([]);
  });

  it('leaves its add-ons the start that their rates look back to, if it keeps usage separate', () => {
    const ownStarts = (term: Term, usage: SwitchTerms['usage'], now = NOW, version = {}) =>
      switched(toB(version, { usage }), [started(term)], now).data.successor;
    const began = { ...old(), addons: [anAddon(old().start)] };
    expect(ownStarts(began, 'transfer_to_new_subscription').addons).toEqual(began.addons);
    const separate = ownStarts(began, 'keep_separate');
    expect(separate.addons).toEqual([anAddon(began.start, { ownStart: began.start })]);
    const later = { ...separate, addons: [...separate.addons!, anAddon(NOW)] };
    const again = ownStarts(later, 'keep_separate', instant('2026-01-20'), {
      versionId: namedId('version C'),
    });
    expect(again.addons!.map(({ ownStart }) => ownStart)).toEqual([began.start, NOW]);
  });

  it('keeps the first full period of a renewal in another time zone, also once it is over', () => {
    const firstFull = { start: old().start, end: instant('2026-02-01T05:00:00Z') };
    const { basis, ...term } = aTerm({ end: instant('2026-06-11') });
    const elsewhere = { ...term, basis: { ...basis, zone: 'America/New_York', firstFull } };
    for (const now of [NOW, instant('2026-03-10')]) {
      const { successor } = switched(toB(), [started(elsewhere)], now).data;
      expect(successor.basis.firstFull).toEqual(firstFull);
    }
  });

  it('of a term that has not begun begins where that would have', () => {
    const future = aTerm({
      start: instant('2026-03-01'),
      pricing: aTermPricing({ version: { content: former } }),
    });
    for (const invoicing of ['invoice_now', 'add_to_next_invoice'] as const) {
      const { data } = switched(toB({}, { invoicing }), [started(future)]);
      expect(data).toMatchObject({ end: future.start, billedAt: future.start, effectiveAt: NOW });
      expect(data.successor).toMatchObject({ start: future.start, end: future.end });
    }
  });

  it('at its end finds the term over', () => {
    given(termDecider, [started(old())])
      .when(toB(), { now: FEBRUARY })
      .refuses('invalid_state');
  });

  it('is refused for the same version, another duration, another currency', () => {
    const inEuros = { content: aContent({ currency: 'EUR' }) };
    for (const version of [{ versionId: old().basis.versionId }, { duration: 'yearly' as const }, inEuros]) {
      given(termDecider, [started(old())])
        .when(toB(version), { now: NOW })
        .refuses('invalid_operation');
    }
  });

  describe('prepaid units', () => {
    const prepaid = (units: string | null) => ({
      content: aContent({ components: [aComponent({ prepaid: { units, behavior: 'full' } })] }),
    });
    const { metricId } = aComponent();
    const unitsOf = (command: PlanSwitch & { type: 'SwitchPlan' }, term = old()) =>
      switched(command, [started(term)]).data.successor.prepaidUnits;

    it('are those asked for, else those of the old plan, else the default of the new one', () => {
      const had = { ...old(), prepaidUnits: [{ metricId, units: '7' }] };
      const asked = { ...toB(prepaid('20')), prepaidUnits: [{ metricId, units: '9' }] };
      expect(unitsOf(asked, had)).toEqual([{ metricId, units: '9' }]);
      expect(unitsOf(toB(prepaid('20')), had)).toEqual([{ metricId, units: '7' }]);
      expect(unitsOf(toB(prepaid('20')))).toEqual([{ metricId, units: '20' }]);
      expect(unitsOf(toB(), had)).toBeUndefined();
    });

    it('that are missing are refused, and those of a metric that is not prepaid', () => {
      const now = { now: NOW };
      given(termDecider, [started(old())])
        .when(toB(prepaid(null)), now)
        .refuses('prepayment_cant_determine_units');
      given(termDecider, [started(old())])
        .when({ ...toB(), prepaidUnits: [{ metricId, units: '9' }] }, now)
        .refuses('invalid');
    });
  });
});

describe('the renewal after a switch', () => {
  const successor = (version: Partial<PricedVersion>) => switched(toB(version)).data.successor;
  const renewedAs = (version: Partial<PricedVersion>, term = successor(version)) => {
    const origin = { kind: 'switch', predecessor: SUBSCRIPTION_ID, cause: COMMAND_ID } as const;
    const begun: SubscriptionEvent = { type: 'SubscriptionStarted', data: { term, origin } };
    const state = termDecider.evolve(undefined, begun);
    const renewal = { ...aTermPricing(), version: aPricedVersion(version) };
    const command = { type: 'CloseTerm', renewal, now: term.end, commandId: COMMAND_ID } as const;
    const [event] = termDecider.decide(command, state);
    if (event?.type !== 'SubscriptionRenewed') throw new Error('nothing was renewed');
    return event.data.successor;
  };

  it('keeps the old anchor where the new version has none, and takes nothing over', () => {
    const next = renewedAs({});
    expect(next).toMatchObject({ start: FEBRUARY, end: instant('2026-03-01'), isNew: false });
    expect(next.basis.anchor).toEqual(old().basis.anchor);
    expect(next.basis.continues).toBeUndefined();
    expect(next.basis.versionId).toBe(namedId('version B'));
  });

  it("counts by the new version's own day from then on", () => {
    const first = renewedAs({ dayAnchor: 15 });
    expect(first).toMatchObject({ start: FEBRUARY, end: instant('2026-02-15') });
    expect(renewedAs({ dayAnchor: 15 }, first)).toMatchObject({
      start: instant('2026-02-15'),
      end: instant('2026-03-15'),
    });
  });
});
