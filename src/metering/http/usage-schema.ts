import {
  either,
  freeForm,
  listOf,
  mapOf,
  named,
  nothing,
  nullable,
  object,
  oneOf,
  text,
  type Schema,
} from '../../platform/http/openapi/schema.js';

/** Events that one request may hold. */
export const MAX_EVENTS = 1_000;

/** Each event is judged by itself, so the request takes more than what can be counted. */
const USAGE_EVENT: Schema<unknown> = named('UsageEvent', {
  write: (components) => ({
    type: 'object',
    description: 'Refused one by one: a request succeeds as long as one of its events does.',
    properties: {
      event_name: text({ minLength: 1 }).write(components),
      customer_id: text({ minLength: 1 }).write(components),
      idempotency_id: text({
        minLength: 1,
        description: 'The same id counts once. It is kept as it is sent: no place for personal data.',
      }).write(components),
      time_created: text({ format: 'date-time' }).write(components),
      properties: nullable(freeForm()).write(components),
    },
  }),
});

const BATCH: Schema<unknown> = named(
  'UsageBatch',
  object({ batch: listOf(USAGE_EVENT, { minItems: 1, maxItems: MAX_EVENTS }) }),
);

/** Named, so that generators see one type for every media type of the body. */
export const TRACKED = named('TrackBody', either(BATCH, USAGE_EVENT));

/** Reasons by idempotency id. */
export const TRACK_ANSWER = named(
  'TrackAnswer',
  either(
    object({ success: oneOf(['all']), failed_events: nothing() }),
    object({ success: oneOf(['some']), failed_events: mapOf(text()) }),
  ),
);

export const NOTHING_TRACKED = named(
  'NothingTracked',
  object({ success: oneOf(['none']), failed_events: mapOf(text()) }),
);

export const IDS_RECEIVED = named(
  'IdsReceived',
  object({ status: oneOf(['success']), ids_not_found: listOf(text()) }),
);
