import { describe, expect, it } from '@jest/globals';
import { drawableCredits } from '../../../src/billing/accounts/domain/account-credits.js';
import { accountDecider } from '../../../src/billing/decider/domain/account.js';
import type { AccountEvent } from '../../../src/billing/accounts/domain/events.js';
import type { CreditGrant } from '../../../src/billing/accounts/domain/event-data.js';
import { namedId } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import { CUSTOMER } from '../../support/builders/billing.js';
import { NOW, given, refusalOf } from '../../support/given-when-then.js';

const usd = (amount: string) => ({ amount, currency: 'USD', scale: 2 });
const aCredit = (name = 'a credit', changes: Partial<CreditGrant> = {}): CreditGrant => ({
  creditId: namedId(name),
  customerKey: CUSTOMER,
  currency: 'USD',
  amount: usd('10000'),
  description: null,
  sealedDescription: 'promo',
  effectiveAt: instant('2026-01-01'),
  expiresAt: instant('2026-03-01'),
  grantedAt: instant('2026-01-01'),
  purchase: null,
  ...changes,
});
const granted = (credit: CreditGrant): AccountEvent => ({ type: 'CreditGranted', data: credit });
const credit = aCredit();
const { creditId } = credit;
const change = (changes: object) => ({ type: 'ChangeCredit', creditId, changes }) as const;
const voided: AccountEvent = {
  type: 'CreditVoided',
  data: { creditId, amount: usd('10000'), voidedAt: NOW },
};

describe('granting a credit', () => {
  it('records it as it was asked for, once', () => {
    const command = { type: 'GrantCredit', credit, invoice: null } as const;
    given(accountDecider).when(command).then(granted(credit));
    given(accountDecider, [granted(credit)])
      .when(command)
      .nothing();
  });

  it('that expires now or earlier is refused', () => {
    const command = { type: 'GrantCredit', credit: aCredit('b', { expiresAt: NOW }), invoice: null } as const;
    given(accountDecider).when(command).refuses('invalid');
  });
});

describe('changing a credit', () => {
  it('refuses an expiry at or before the time at which it becomes effective, as granting does', () => {
    const later = aCredit('a credit', { effectiveAt: instant('2031-01-01'), expiresAt: null });
    const expiring = (expiresAt: string) =>
      given(accountDecider, [granted(later)]).when(change({ expiresAt: instant(expiresAt) }));
    for (const expiresAt of ['2030-01-01', '2031-01-01']) {
      expect(refusalOf(expiring(expiresAt).decided).fields).toEqual([
        {
          code: 'invalid',
          attr: 'expires_at',
          detail: 'A credit expires after it has become effective. Give a later expiry.',
        },
      ]);
    }
    expect(expiring('2031-01-02').decided()).toHaveLength(1);
  });

  it('records what differs, and nothing else', () => {
    given(accountDecider, [granted(credit)])
      .when(change({ sealedDescription: 'new', expiresAt: null }))
      .then(
        { type: 'CreditDescriptionChanged', data: { creditId, description: null, sealedDescription: 'new' } },
        { type: 'CreditExpiryChanged', data: { creditId, expiresAt: null } },
      );
    given(accountDecider, [granted(credit)])
      .when(change({ sealedDescription: 'promo', expiresAt: credit.expiresAt }))
      .nothing();
  });

  it('to an expiry in the past is refused in the words of the contract', () => {
    const { decided } = given(accountDecider, [granted(credit)]).when(change({ expiresAt: NOW }));
    expect(refusalOf(decided)).toMatchObject({
      code: 'invalid',
      detail: 'Expiration date must be in the future',
      fields: [{ attr: 'expires_at' }],
    });
  });

  it('that is voided or expired is refused', () => {
    const { decided } = given(accountDecider, [granted(credit), voided]).when(
      change({ sealedDescription: 'new' }),
    );
    expect(refusalOf(decided)).toMatchObject({
      code: 'invalid_state',
      detail: 'Only active credits can be updated',
    });
    given(accountDecider, [granted(credit)])
      .when(change({ expiresAt: null }), { now: credit.expiresAt! })
      .refuses('invalid_state');
  });

  it('nobody granted is not found', () => given(accountDecider).when(change({})).refuses('not_found'));
});

describe('voiding a credit', () => {
  it('takes back what is left, once', () => {
    given(accountDecider, [granted(credit)])
      .when({ type: 'VoidCredit', creditId })
      .then(voided);
    given(accountDecider, [granted(credit), voided])
      .when({ type: 'VoidCredit', creditId })
      .refuses('invalid_state');
  });
});

describe('the order in which credits are drawn', () => {
  const namesOf = (credits: readonly CreditGrant[], at = NOW): string[] => {
    const state = credits.map(granted).reduce(accountDecider.evolve, accountDecider.initial());
    return drawableCredits(state.credits, at).map(({ description }) => description!);
  };
  const named = (description: string, changes: Partial<CreditGrant> = {}) =>
    aCredit(description, { description, ...changes });
  const purchase = { invoiceId: namedId('a sale'), amountPaid: usd('1'), zone: 'UTC' };

  it('is earliest expiry, never-expiring last, free before paid, oldest start, creation', () => {
    const never = { expiresAt: null };
    expect(
      namesOf([
        named('never, paid', { ...never, purchase }),
        named('never', never),
        named('younger', { effectiveAt: instant('2026-01-02') }),
        named('paid', { purchase }),
        named('first'),
        named('second'),
        named('soon', { purchase, expiresAt: instant('2026-02-01') }),
      ]),
    ).toEqual(['soon', 'first', 'second', 'younger', 'paid', 'never', 'never, paid']);
  });

  it('leaves out what is not effective yet, what has expired at that instant, and what is used up', () => {
    const soon = named('soon', { expiresAt: NOW });
    expect(namesOf([soon, named('later', { effectiveAt: instant('2026-02-01') })])).toEqual([]);
    expect(namesOf([named('now', { effectiveAt: NOW })])).toEqual(['now']);
    const state = [granted(credit), voided].reduce(accountDecider.evolve, accountDecider.initial());
    expect(drawableCredits(state.credits, NOW)).toEqual([]);
  });
});
