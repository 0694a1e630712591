import { customerKeyOf, type Uuid } from '../../../kernel/ids.js';
import { withoutSecrets } from './one-time-secret.js';

/** What identifies a customer, wherever in an answer it stands beside a `customer_id`, and what is left of it. */
const PERSONAL = new Map<string, unknown>([
  ['customer_id', null],
  ['customer_name', null],
  ['email', null],
  ['address', null],
  ['billing_address', null],
  ['shipping_address', null],
  ['payment_provider_id', null],
  ['properties', {}],
]);

/** What may be kept of an answer, and whom it shows. */
export function kept<Answer>(org: Uuid, answer: Answer): { answer: Answer; customerKeys: Uuid[] } {
  const customerIds = new Set<string>();
  const text = JSON.stringify(answer, function (this: Record<string, unknown>, field, value: unknown) {
    if (field === 'customer_id' && typeof value === 'string') customerIds.add(value);
    return withoutSecrets.call(this, field, value);
  });
  return {
    answer: JSON.parse(text) as Answer,
    customerKeys: [...customerIds].map((customerId) => customerKeyOf(org, customerId)),
  };
}

export function withoutPerson<Answer>(org: Uuid, answer: Answer, customerKey: Uuid): Answer {
  const isThem = (shown: unknown): boolean => {
    const { customer_id: customerId } = (shown ?? {}) as { readonly customer_id?: unknown };
    return typeof customerId === 'string' && customerKeyOf(org, customerId) === customerKey;
  };
  const text = JSON.stringify(answer, function (this: Record<string, unknown>, field, value: unknown) {
    if (isWordsOfCredit(this, field)) return isThem(this['customer']) ? null : value;
    return PERSONAL.has(field) && isThem(this) ? PERSONAL.get(field) : value;
  });
  return JSON.parse(text) as Answer;
}

/** What a credit is for stands beside the customer, not in it. */
const isWordsOfCredit = (of: Readonly<Record<string, unknown>>, field: string): boolean =>
  field === 'description' && 'credit_id' in of && 'customer' in of;
