import type { CustomerEvent } from '../../src/customer/domain/events.js';
import type { CustomerRow } from '../../src/customer/read-models.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { defineProjection, type EventOf } from '../events.js';
import { change, type RowChange } from '../runtime/projection.js';
import { customers } from './tables.js';

/** One row per customer. Personal data stays sealed, as in the events. */
export const customersProjection = defineProjection({
  name: 'customers',
  version: 2,
  tables: { customers },
  on: {
    CustomerRegistered: profile,
    CustomerDetailsChanged: profile,
    BulkChangeAccepted: (event) => [withRevision(event, {})],
    CustomerDeleted: (event) => [withRevision(event, { deleted_at: event.data.deletedAt })],
    CustomerErased: (event) => [withRevision(event, { erased_at: event.data.erasedAt })],
  },
});

/** Both events carry the whole profile. */
function profile(event: EventOf<'CustomerRegistered' | 'CustomerDetailsChanged'>): readonly RowChange[] {
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
            deleted_at: null,
            erased_at: null,
            stream_revision: event.revision.toString(),
          },
    ),
  ];
}

/** Records the stream's revision, also when no other column changes. */
function withRevision(event: RecordedEvent<CustomerEvent>, changes: Partial<CustomerRow>): RowChange {
  const key = { org: event.metadata.org, customer_key: event.data.customerKey };
  return change<CustomerRow>('customers', key, (row) =>
    row && BigInt(row.stream_revision) < event.revision
      ? { ...row, ...changes, stream_revision: event.revision.toString() }
      : row,
  );
}
