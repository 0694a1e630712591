import { hash } from 'node:crypto';
import { validate } from 'uuid';

/** Lowercase UUID with dashes: the form of ids inside the engine and in stream names. */
export type Uuid = string;

/** Kind of resource that an id names: the prefix of the id on the wire (docs/contract.md#identifiers). */
export type IdKind =
  | 'org'
  | 'plan'
  | 'plan_version'
  | 'addon'
  | 'addon_version'
  | 'metric'
  | 'feature'
  | 'sub'
  | 'addon_sub'
  | 'credit'
  | 'invoice'
  | 'webhook'
  | 'usage_alert';

const NAMESPACE = 'b6a5c1f2-5f0e-5c3b-9d5e-2f6f0a3c8e11';

/** Derives an id from the command id and a role (UUID v5), so a repeated command derives an equal id. */
export const derivedId = (commandId: Uuid, role: string): Uuid => v5(role, commandId);

/** Derives the key of a customer for stream names and usage rows, which never contain the caller's text. */
export const customerKeyOf = (org: Uuid, customerId: string): Uuid => v5(`customer:${customerId}`, org);

/** Derives the id of something that has only a name, such as the first organization. */
export const namedId = (name: string): Uuid => v5(name, NAMESPACE);

/** Buffer of namespace and name. The namespace is kept, as ids of one organization or command are derived in a row. */
const hashed = Buffer.alloc(1_024);
const LONGEST_NAME = (hashed.length - 16) / 3;
let lastNamespace = '';

/** Computes a UUID v5 (RFC 9562), three times as fast as the package: an append or an invoice needs dozens. */
function v5(name: string, namespace: Uuid): Uuid {
  if (namespace !== lastNamespace) {
    hashed.write(namespace.replaceAll('-', ''), 'hex');
    lastNamespace = namespace;
  }
  const bytes =
    name.length <= LONGEST_NAME
      ? hashed.subarray(0, 16 + hashed.write(name, 16))
      : Buffer.concat([hashed.subarray(0, 16), Buffer.from(name)]);
  const digits = hash('sha1', bytes, 'hex');
  const variant = '89ab'[parseInt(digits[16]!, 16) & 3]!;
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-5${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

export const isUuid = (text: string): boolean => validate(text);

/** Returns `plan_` + 32 hex digits; ids of invoices keep their dashes (docs/contract.md#identifiers). */
export const toWireId = (kind: IdKind, id: Uuid): string =>
  kind === 'invoice' ? `invoice_${id}` : `${kind}_${id.replaceAll('-', '')}`;

const KIND_NAMES: Readonly<Record<string, string>> = {
  org: 'organization',
  plan_version: 'plan version',
  addon: 'add-on',
  addon_version: 'add-on version',
  sub: 'subscription',
  addon_sub: 'add-on subscription',
  webhook: 'webhook endpoint',
  usage_alert: 'usage alert',
};

/** Returns the name of a kind for sentences, such as "subscription" for `sub`. */
export const kindName = (kind: string): string => KIND_NAMES[kind] ?? kind;

/** Returns the pattern of the ids that `toWireId` writes. */
export const wireIdPattern = (kind: IdKind): string =>
  kind === 'invoice'
    ? '^invoice_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
    : `^${kind}_[0-9a-f]{32}$`;

/** Reads an id with or without prefix and dashes; undefined for text that is no id of this kind. */
export function fromWireId(kind: IdKind, text: string): Uuid | undefined {
  const bare = text.startsWith(`${kind}_`) ? text.slice(kind.length + 1) : text;
  const hex = /^[0-9a-fA-F]{8}(-?)[0-9a-fA-F]{4}\1[0-9a-fA-F]{4}\1[0-9a-fA-F]{4}\1[0-9a-fA-F]{12}$/.test(bare)
    ? bare.replaceAll('-', '').toLowerCase()
    : undefined;
  return (
    hex && `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  );
}

/** Compares whole numbers, or texts such as instants and ids, for an ascending sort. */
export const ascending = <Key extends string | bigint>(a: Key, b: Key): number =>
  a < b ? -1 : a > b ? 1 : 0;
