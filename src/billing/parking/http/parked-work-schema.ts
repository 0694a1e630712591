import {
  integer,
  named,
  noted,
  nullable,
  object,
  oneOf,
  text,
  type WireOf,
} from '../../../platform/http/openapi/schema.js';
import { dateTime, wireId } from '../../../platform/http/openapi/values.js';
import { toWireId } from '../../../kernel/ids.js';
import { formatInstant } from '../../../kernel/instant.js';
import { PARKED_KINDS, type ParkedWork } from '../parking.js';
import { shownDetail } from '../parked-work-queries.js';

/** Due work that could not be done (docs/contract.md#parked-work). */
export const PARKED_WORK = named(
  'ParkedWork',
  object({
    parked_id: text({
      format: 'uuid',
      description: 'Id of the parking, from the first failure until it is done.',
    }),
    kind: noted(oneOf(PARKED_KINDS), {
      description:
        '`run`: a billing run of an account. `boundary`: the renewal or end of a subscription. `past_due`: the note that an invoice is past due.',
    }),
    customer_id: nullable(
      text({ description: 'Customer whose it is; null where nobody knows, or after an erasure.' }),
    ),
    currency_code: nullable(text({ description: 'Currency of the account; null where it is not known.' })),
    subscription_id: nullable(
      noted(wireId('sub'), { description: 'Subscription at its boundary; else null.' }),
    ),
    invoice_id: nullable(noted(wireId('invoice'), { description: 'Invoice that is past due; else null.' })),
    cause: text({ description: 'Code of the refusal; internal: it failed inside the service.' }),
    detail: text({ description: 'Text of the refusal at the newest try.' }),
    tries: integer({ minimum: 1, description: 'How often it was tried in vain.' }),
    parked_at: noted(dateTime(), { description: 'First failure.' }),
    next_try_at: noted(dateTime(), {
      description:
        'The first sweep from then on tries it again, after 1, 2, 4 … minutes, at last every 6 hours.',
    }),
  }),
);

export const presentParked = (
  parked: ParkedWork,
  customerId: string | null | undefined,
): WireOf<typeof PARKED_WORK> => ({
  parked_id: parked.parkId,
  kind: parked.kind,
  customer_id: customerId ?? null,
  currency_code: parked.currency || null,
  subscription_id: parked.kind === 'boundary' ? toWireId('sub', parked.subjectId) : null,
  invoice_id: parked.kind === 'past_due' ? toWireId('invoice', parked.subjectId) : null,
  cause: parked.cause,
  detail: shownDetail(parked),
  tries: parked.tries,
  parked_at: formatInstant(parked.parkedAt),
  next_try_at: formatInstant(parked.nextTryAt),
});
