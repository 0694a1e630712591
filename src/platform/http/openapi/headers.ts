import type { JsonSchema } from './schema.js';

const TEXT = { type: 'string', minLength: 1 };
const POSITION = {
  ...TEXT,
  description: 'A place in the event log, as a command of the same organization answered it; opaque.',
};

/** Headers of answers, by name. */
export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': { required: true, description: 'Ties answer, log and events together.', schema: TEXT },
  'X-API-Version': {
    required: true,
    description: 'The version of this document, by which the answer is written.',
    schema: TEXT,
  },
  'X-Recount-Position': {
    description: 'Position in the log from which on everything that this request wrote can be read.',
    schema: POSITION,
  },
  'X-Recount-Stale': {
    description: 'The answer may lack what was written lately: the read models are behind.',
    schema: { type: 'string', enum: ['true'] },
  },
  ETag: {
    description: 'The revision of the resource, for If-Match.',
    schema: { type: 'string', pattern: '^"\\d+"$' },
  },
  Link: { description: 'The next page: <url>; rel="next". Not there on the last one.', schema: TEXT },
  'Retry-After': { description: 'Seconds after which a repeat may do better.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: TEXT },
};

const headerOf = (name: string, example: string, description: string, schema: JsonSchema): JsonSchema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { ...schema, examples: [example] },
});

/** Headers of requests, by name. */
export const PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': headerOf(
    'X-Request-Id',
    'nightly-import-17',
    "The caller's own correlation id, kept as it is sent: no place for personal data.",
    {
      type: 'string',
      pattern: '^[A-Za-z0-9._-]{1,64}$',
    },
  ),
  'X-Recount-Position': headerOf(
    'X-Recount-Position',
    'Zk3mX0c2b1d8',
    'See at least what was written up to here; of up to 16 positions with commas between them, up to the newest.',
    TEXT,
  ),
  'If-Match': headerOf('If-Match', '"3"', 'Only if the resource still has this ETag.', TEXT),
  'Idempotency-Key': headerOf(
    'Idempotency-Key',
    'nightly-import-17',
    'The same request under the same key runs once, for ever.',
    {
      type: 'string',
      pattern: '^[\\x21-\\x7e]{1,255}$',
    },
  ),
};
