import type { CustomerEvent } from '../../src/customer/domain/events.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { change, type Projection, type RowChange } from '../runtime/projection.js';
import { customers, type CustomerRow } from './schema.js';

/** One row per customer: what is personal stays sealed, as it is in the events. */
export const customersProjection: Projection = {
  name: 'customers',
  version: 1,
  tables: { customers },
  categories: ['customer'],
  on: { CustomerRegistered: profile, CustomerDetailsChanged: profile, BulkChangeAccepted: untouched },
};

type Profile = Extract<CustomerEvent, { type: 'CustomerRegistered' | 'CustomerDetailsChanged' }>;

/** Both events carry the whole profile. */
function profile(event: RecordedEvent<Profile>): readonly RowChange[] {
  const { customerKey, sealed, currency, taxRate, timezone, country, paymentProvider } = event.data;
  const { org, recordedAt } = event.metadata;
  const key = { org, customer_key: customerKey };
  return [
    change<CustomerRow>('customers', key, (row) =>
      row && BigInt(row.stream_revision) >= event.revision
        ? row
        : {
            ...key,
            sealed,
            currency,
            tax_rate: taxRate,
            timezone,
            country,
            payment_provider: paymentProvider,
            created_at: row?.created_at ?? recordedAt,
            updated_at: recordedAt,
            stream_revision: event.revision.toString(),
          },
    ),
  ];
}

/** The row stands for the stream at this revision, too. */
function untouched(event: RecordedEvent<CustomerEvent>): readonly RowChange[] {
  const key = { org: event.metadata.org, customer_key: event.data.customerKey };
  return [
    change<CustomerRow>('customers', key, (row) =>
      row && BigInt(row.stream_revision) < event.revision
        ? { ...row, stream_revision: event.revision.toString() }
        : row,
    ),
  ];
}
