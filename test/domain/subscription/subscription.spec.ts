import { describe, expect, it } from '@jest/globals';
import { derivedId } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import type { SubscriptionEvent, Term } from '../../../src/subscription/domain/events.js';
import { termDecider } from '../../../src/subscription/domain/term-decider.js';
import {
  SUBSCRIPTION_ID,
  aTermPricing,
  aStartRequest,
  aTerm,
  started,
} from '../../support/builders/subscription.js';
import { COMMAND_ID, given } from '../../support/given-when-then.js';

const boundary = instant('2026-02-01');
const afterIt = instant('2026-02-01T00:00:07Z');
const renewal = aTermPricing();
const successorId = derivedId(COMMAND_ID, 'successor');

const renewedTo = (successor: Term): SubscriptionEvent => ({
  type: 'SubscriptionRenewed',
  data: { subscriptionId: SUBSCRIPTION_ID, effectiveAt: boundary, successor },
});
const ended: SubscriptionEvent = {
  type: 'SubscriptionEnded',
  data: { subscriptionId: SUBSCRIPTION_ID, effectiveAt: boundary },
};

describe('start', () => {
  it('the event holds the term and that it was created', () => {
    given(termDecider).when({ type: 'StartSubscription', request: aStartRequest() }).then(started(aTerm()));
  });

  it('a term is started once', () => {
    given(termDecider, [started(aTerm())])
      .when({ type: 'StartSubscription', request: aStartRequest() })
      .refuses('invalid_state');
  });

  it('a term that cannot be is refused', () => {
    given(termDecider)
      .when({ type: 'StartSubscription', request: aStartRequest({ end: instant('2025-12-01') }) })
      .refuses('invalid');
  });
});

describe('renewal', () => {
  const filters = [{ propertyName: 'region', value: 'eu' }];
  const term = aTerm({ filters, metadata: { po: 'A-17' } });
  const successor: Term = {
    ...term,
    subscriptionId: successorId,
    start: boundary,
    end: instant('2026-03-01'),
    isNew: false,
  };

  it('at the boundary the event contains the complete successor, which begins there, however late', () => {
    const close = { type: 'CloseTerm', renewal } as const;
    given(termDecider, [started(term)])
      .when(close, { now: boundary })
      .then(renewedTo(successor));
    given(termDecider, [started(term)])
      .when(close, { now: afterIt })
      .then(renewedTo(successor));
  });

  it('the anchor is carried; version content, zone and basis are taken anew', () => {
    const anew = aTermPricing({
      zone: 'Europe/Warsaw',
      prorationBasis: 'day',
      version: { contentHash: 'newer', duration: 'quarterly' },
    });
    const [event] = given(termDecider, [started(term)])
      .when({ type: 'CloseTerm', renewal: anew }, { now: afterIt })
      .decided();
    const { successor: next } = (event as Extract<SubscriptionEvent, { type: 'SubscriptionRenewed' }>).data;
    expect(next.basis).toEqual({
      ...term.basis,
      zone: 'Europe/Warsaw',
      anchor: { ...term.basis.anchor, firstZone: 'UTC' },
      prorationBasis: 'day',
      contentHash: 'newer',
      duration: { unit: 'month', count: 3 },
    });
  });

  it('a term whose end was set renews at that end, up to the next boundary of its anchor', () => {
    const set = aTerm({ start: instant('2026-01-05'), end: instant('2026-01-20T09:00:00Z') });
    const [event] = given(termDecider, [started(set)])
      .when({ type: 'CloseTerm', renewal }, { now: afterIt })
      .decided();
    expect(event!.data).toMatchObject({
      effectiveAt: instant('2026-01-20T09:00:00Z'),
      successor: {
        start: instant('2026-01-20T09:00:00Z'),
        end: instant('2026-02-05'),
        scheduledEnd: true,
      },
    });
  });

  it('before the end there is nothing to decide', () => {
    given(termDecider, [started(term)])
      .when({ type: 'CloseTerm', renewal }, { now: instant('2026-01-31T23:59:59.999999Z') })
      .nothing();
  });

  it('deciding twice does nothing, also by another command', () => {
    given(termDecider, [started(term), renewedTo(successor)])
      .when({ type: 'CloseTerm', renewal }, { now: afterIt, commandId: derivedId(COMMAND_ID, 'again') })
      .nothing();
  });

  it('an unknown subscription is refused', () => {
    given(termDecider).when({ type: 'CloseTerm', renewal }).refuses('resource_not_found');
  });
});

describe('the end without auto_renew', () => {
  const term = aTerm({ autoRenew: false });

  it('is at the boundary, however late it is decided', () => {
    given(termDecider, [started(term)])
      .when({ type: 'CloseTerm', renewal: undefined }, { now: afterIt })
      .then(ended);
  });

  it('is decided once', () => {
    given(termDecider, [started(term), ended])
      .when({ type: 'CloseTerm', renewal: undefined }, { now: afterIt })
      .nothing();
  });
});

describe('the successor', () => {
  const successor = { ...aTerm({ start: boundary }), subscriptionId: successorId, isNew: false };
  const succeed = {
    type: 'StartSuccessor',
    by: 'renewal',
    term: successor,
    predecessor: SUBSCRIPTION_ID,
    cause: 'the id of the deciding event',
  } as const;
  const begun: SubscriptionEvent = {
    type: 'SubscriptionStarted',
    data: {
      term: successor,
      origin: { kind: 'renewal', predecessor: SUBSCRIPTION_ID, cause: 'the id of the deciding event' },
    },
  };

  it('begins its own stream, saying what it came from', () => {
    given(termDecider).when(succeed).then(begun);
  });

  it('begins once when it is commanded twice', () => {
    given(termDecider, [begun]).when(succeed).nothing();
  });

  it('its state says that a renewal opened it, and its predecessor names it', () => {
    expect(termDecider.evolve(undefined, begun)).toMatchObject({ renewal: true, closedAt: null });
    const predecessor = [started(aTerm()), renewedTo(successor)].reduce(
      termDecider.evolve,
      termDecider.initial(),
    );
    expect(predecessor).toMatchObject({ renewal: false, closedAt: boundary, successor: successorId });
  });
});
