export const KEY_SCOPES = ['ingest', 'read', 'write', 'admin'] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** The scope of the service's own key, which belongs to no organization; no other key has it. */
export type RequiredScope = KeyScope | 'bootstrap';

/** `ingest` includes no other scope: a key on a device or an edge server sends data and reads nothing. */
const INCLUDED: Readonly<Record<RequiredScope, readonly RequiredScope[]>> = {
  ingest: ['ingest'],
  read: ['read'],
  write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
  bootstrap: ['bootstrap'],
};

/** Whether a key with the scope `held` may call an operation that requires one of these scopes. */
export const isGranted = (held: RequiredScope, required: readonly RequiredScope[]): boolean =>
  required.some((scope) => INCLUDED[held].includes(scope));

/** The scopes of operations without `@RequireScope`. */
export const defaultScopes = (method: string): readonly KeyScope[] =>
  method === 'GET' || method === 'HEAD' ? ['read'] : ['write'];
