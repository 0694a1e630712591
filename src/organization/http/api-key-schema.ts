import { KEY_SCOPES } from '../../platform/http/auth/caller.js';
import { named, nullable, object, oneOf, secret, text } from '../../platform/http/openapi/schema.js';
import { dateTime } from '../../platform/http/openapi/values.js';

const FIELDS = {
  name: text(),
  prefix: text({ description: 'Tells keys apart; the first characters of the key.' }),
  scope: oneOf(KEY_SCOPES),
  created_at: dateTime(),
  expires_at: nullable(dateTime()),
  revoked_at: nullable(dateTime()),
};

export const API_KEY = named('ApiKey', object(FIELDS));

/** Wire shape of a new key with its text; the answer to a repeat has null instead. */
export const NEW_API_KEY = named('NewApiKey', object({ ...FIELDS, key: nullable(secret()) }));
