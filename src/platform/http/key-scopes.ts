export const KEY_SCOPES = ['ingest', 'read', 'write', 'admin'] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** A key that sends usage from a device or an edge server reads nothing, so `ingest` stands beside the other scopes. */
const INCLUDED: Readonly<Record<KeyScope, readonly KeyScope[]>> = {
  ingest: ['ingest'],
  read: ['read'],
  write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
};

/** Whether a key with the scope `held` may call an operation that requires one of these scopes. */
export const isGranted = (held: KeyScope, required: readonly KeyScope[]): boolean =>
  required.some((scope) => INCLUDED[held].includes(scope));

/** The scopes of operations without `@RequireScope`. */
export const defaultScopes = (method: string): readonly KeyScope[] =>
  method === 'GET' || method === 'HEAD' ? ['read'] : ['write'];
