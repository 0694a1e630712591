const WHO_FILLS = 'who fills a read model, and since when; nothing is computed from it';
const LISTED = 'only lists of keys read it; the event that made the key has a time of its own';

const NOT_READ = 'nothing reads when a logo was sent';
const NOBODY = 'a refused creation leaves a key of nobody, too';
const KEY_TIME = 'nothing reads when a key was made';
const SENDS = 'how far and when the sender has come; a delivery is sent again or not';
const NEVER_SIGNED = 'it signed no checkpoint; an auditor holds the verifier key from elsewhere';
const LISTED_KEY = 'only lists of public keys show when a key was used';
const WALL_TIME = 'the schedule of the next checkpoint reads it; the signed note and its own time stay';

/** Changes in SQL that no check finds, with the reason (docs/verification.md#changes-in-sql). */
export const UNDETECTED: Readonly<Record<string, string>> = {
  'api_keys.created_at change': LISTED,
  'api_keys.created_at swap': LISTED,
  'customer_keys.(row) copy': NOBODY,
  'customer_keys.created_at change': KEY_TIME,
  'customer_keys.created_at swap': KEY_TIME,
  'organization_logos.made_at change': NOT_READ,
  'organization_logos.made_at swap': NOT_READ,
  'projection_checkpoints.epoch change': WHO_FILLS,
  'projection_checkpoints.updated_at change': WHO_FILLS,
  'projection_checkpoints.updated_at swap': WHO_FILLS,
  'transparency_checkpoints.(rows) cut tail':
    'the newest are gone; those kept outside show what they covered',
  'transparency_checkpoints.id change': 'it names the checkpoint in webhooks',
  'transparency_checkpoints.noted_at change': WALL_TIME,
  'transparency_checkpoints.noted_at swap': WALL_TIME,
  'transparency_keys.(row) copy': NEVER_SIGNED,
  'transparency_keys.first_used_at change': LISTED_KEY,
  'transparency_keys.last_used_at change': LISTED_KEY,
  'usage_alerts.since change': 'only answers as of a moment read it; the event has its own time',
  'webhook_endpoints.commit change': SENDS,
  'webhook_endpoints.created_at change': SENDS,
  'webhook_endpoints.created_at swap': SENDS,
  'webhook_endpoints.leased_until change': SENDS,
  'webhook_endpoints.prepare change': SENDS,
  'webhook_endpoints.served_at change': SENDS,
  'webhook_endpoints.served_at swap': SENDS,
  'webhook_endpoints.since change': 'only answers as of a moment read it; the event has its own time',
};
