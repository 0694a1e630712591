import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DomainEvent, RecordedEvent } from '../kernel/event.js';
import { customerKeyOf, type Uuid } from '../kernel/ids.js';
import { Policies, type Policy } from '../platform/eventsourcing/policies/policies.js';
import {
  AnswerPrivacy,
  type AnswerRedactor,
  IdempotencyKeys,
} from '../platform/http/idempotency/idempotency-keys.js';
import { Vault } from '../platform/privacy/vault.js';

export const IDEMPOTENCY_CUSTOMERS_MIGRATION = `
alter table idempotency_keys add column customer_keys uuid[] not null default '{}';
comment on column idempotency_keys.customer_keys is 'Whom the answer shows: an erasure takes the person out of it.';`;

export const IDEMPOTENCY_ERASED_MIGRATION = `
comment on column idempotency_keys.customer_keys is 'Whom the answer shows: an erasure takes the person out of it. Without an answer, who was erased while the request ran.';`;

/** Fields beside a `customer_id` that identify a customer, with their redacted values. */
const PERSONAL = new Map<string, unknown>([
  ['customer_id', null],
  ['customer_name', null],
  ['email', null],
  ['address', null],
  ['billing_address', null],
  ['shipping_address', null],
  ['payment_provider_id', null],
  ['invoice_locale', null],
  ['tax_ids', []],
  ['reverse_charge', false],
  ['properties', {}],
]);

type CustomerErased = DomainEvent<'CustomerErased', { readonly customerKey: Uuid }>;

/** Redacts erased customers in the recorded answers of Idempotency-Keys. */
@Injectable()
export class RecordedAnswers implements AnswerRedactor, Policy, OnModuleInit {
  readonly name = 'forget-customer-in-answers';
  readonly on = ['CustomerErased'];

  constructor(
    private readonly policies: Policies,
    private readonly privacy: AnswerPrivacy,
    private readonly keys: IdempotencyKeys,
    private readonly vault: Vault,
  ) {}

  onModuleInit(): void {
    this.privacy.register(this);
    this.policies.register(this);
  }

  /** Destroys the key first: an answer that is recorded from then on finds it destroyed (`erasedAmong`). */
  async handle({ metadata: { org }, data }: RecordedEvent<CustomerErased>): Promise<void> {
    await this.vault.destroyKey(org, data.customerKey);
    await this.keys.redact(org, data.customerKey);
  }

  erasedAmong(org: Uuid, subjects: readonly Uuid[]): Promise<readonly Uuid[]> {
    return this.vault.destroyedAmong(org, subjects);
  }

  subjectsIn(org: Uuid, answer: unknown): Uuid[] {
    const ids = new Set<string>();
    JSON.stringify(answer, (field, value: unknown) => {
      if (field === 'customer_id' && typeof value === 'string') ids.add(value);
      return value;
    });
    return [...ids].map((id) => customerKeyOf(org, id));
  }

  redact<Answer>(org: Uuid, answer: Answer, customerKey: Uuid): Answer {
    const isThem = (shown: unknown): boolean => {
      const { customer_id: customerId } = (shown ?? {}) as { readonly customer_id?: unknown };
      return typeof customerId === 'string' && customerKeyOf(org, customerId) === customerKey;
    };
    const text = JSON.stringify(answer, function (this: Record<string, unknown>, field, value: unknown) {
      if (isCreditDescription(this, field)) return isThem(this['customer']) ? null : value;
      return PERSONAL.has(field) && isThem(this) ? PERSONAL.get(field) : value;
    });
    return JSON.parse(text) as Answer;
  }
}

/** The description of a credit stands beside the customer, not inside it. */
const isCreditDescription = (of: Readonly<Record<string, unknown>>, field: string): boolean =>
  field === 'description' && 'credit_id' in of && 'customer' in of;
