const HOW_FAR = 'how far a read model has come; one that skips an event by it differs from the log';
const WHO_FILLS = 'who fills a read model, and since when; nothing is computed from it';
const LISTED = 'only lists of keys read it; the event that made the key has a time of its own';

/** Changes of SQL that nothing finds, with the reason (docs/verification.md#changes-in-sql). */
export const UNFOUND: Readonly<Record<string, string>> = {
  'api_keys.created_at change': LISTED,
  'api_keys.created_at swap': LISTED,
  'projection_checkpoints.commit change': HOW_FAR,
  'projection_checkpoints.definition change': WHO_FILLS,
  'projection_checkpoints.epoch change': WHO_FILLS,
  'projection_checkpoints.prepare change': HOW_FAR,
  'projection_checkpoints.store change': WHO_FILLS,
  'projection_checkpoints.updated_at change': WHO_FILLS,
  'projection_checkpoints.updated_at swap': WHO_FILLS,
};
