import type { CustomerEvent } from '../src/customer/domain/events.js';
import { canonicalJson } from '../src/kernel/canonical-json.js';
import type { RecordedEvent } from '../src/kernel/event.js';
import type { Uuid } from '../src/kernel/ids.js';
import {
  boundToSubject,
  commitmentTo,
  parseSealedRecord,
  SEALED_RECORD,
} from '../src/kernel/sealed-record.js';
import { lineOf } from './json-members.js';
import type { Line } from './read-archive.js';
import { RefusedBundle } from './refused-bundle.js';

/** Personal data that a bundle discloses, as of an event of the customer. */
export interface DisclosedData {
  /**
   * `not proven`: an earlier release sealed it without a key of its own, so that nothing but the operator's word shows it.
   * `missing`: the bundle lacks it, and no event erased the customer.
   */
  readonly result: 'as sealed' | 'not proven' | 'missing';
  readonly data: Readonly<Record<string, unknown>>;
}

export const MISSING_DATA: DisclosedData = { result: 'missing', data: {} };

/** Line of a file of personal data. */
interface DisclosedLine {
  readonly key: string | null;
  readonly personal_data: Readonly<Record<string, unknown>>;
  readonly revision: number;
  readonly stream: string;
}

/** @throws RefusedBundle */
export function disclosedLineOf(said: Line): DisclosedLine {
  const line = lineOf<DisclosedLine>(said, {
    key: 'any',
    personal_data: 'object',
    revision: 'integer',
    stream: 'string',
  });
  if (line.key === null || typeof line.key === 'string') return line;
  throw new RefusedBundle(`${said.location}: key is no string`);
}

/** Returns the event that sealed the personal data of a customer at a revision. */
export const sealedAt = (events: readonly RecordedEvent[], upTo: bigint): RecordedEvent | undefined =>
  events.findLast(({ type, revision }) => revision <= upTo && SEALS.has(type));

const SEALS: ReadonlySet<string> = new Set<CustomerEvent['type']>([
  'CustomerRegistered',
  'CustomerDetailsChanged',
]);

/**
 * Opens the sealed record of an event with the disclosed key, and compares. No sentence has personal data.
 * @param event the event that the line names; undefined where the bundle has none
 * @throws RefusedBundle
 */
export async function openDisclosed(
  { key, personal_data: data, stream, revision }: DisclosedLine,
  location: string,
  event: RecordedEvent | undefined,
  customer: { readonly org: Uuid; readonly customerKey: Uuid },
): Promise<DisclosedData> {
  const sealed = event && SEALS.has(event.type) && (event.data as { readonly sealed?: unknown }).sealed;
  if (typeof sealed !== 'string') {
    throw new RefusedBundle(`${location}: ${stream}@${revision} is no event that seals personal data`);
  }
  if (key === null) {
    if (!sealed.startsWith(SEALED_RECORD)) return { result: 'not proven', data };
    throw new RefusedBundle(
      `${location}: key is null, and ${stream}@${revision} has sealed with a key of its own`,
    );
  }
  const record = parseSealedRecord(sealed);
  if (!record)
    throw new RefusedBundle(`${location}: a key is given, and ${stream}@${revision} has none of its own`);
  const bytes = Buffer.from(key, 'base64');
  if (commitmentTo(bytes) !== record.commitment) {
    throw new RefusedBundle(`${location}: the key is not that of ${stream}@${revision}`);
  }
  const opened = await decrypted(bytes, record, boundToSubject(customer.org, customer.customerKey));
  if (opened === undefined || canonicalOf(opened) !== canonicalJson(data)) {
    throw new RefusedBundle(`${location}: personal_data is not what ${stream}@${revision} has sealed`);
  }
  return { result: 'as sealed', data };
}

/** AES-256-GCM, which Node and browsers have in the Web Cryptography API. */
async function decrypted(
  key: Uint8Array,
  { iv, tag, ciphertext }: NonNullable<ReturnType<typeof parseSealedRecord>>,
  boundTo: string,
): Promise<Uint8Array | undefined> {
  const additionalData = new TextEncoder().encode(boundTo);
  try {
    const imported = await crypto.subtle.importKey('raw', copied(key), 'AES-GCM', false, ['decrypt']);
    const how = { name: 'AES-GCM', iv: copied(iv), additionalData, tagLength: 8 * tag.length };
    return new Uint8Array(await crypto.subtle.decrypt(how, imported, copied(ciphertext, tag)));
  } catch {
    return undefined;
  }
}

const copied = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(parts.flatMap((part) => [...part]));

function canonicalOf(json: Uint8Array): string | undefined {
  try {
    return canonicalJson(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json)));
  } catch {
    return undefined;
  }
}
