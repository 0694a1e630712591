import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Uuid } from '../../kernel/ids.js';
import type { CustomerKeys } from './customer-keys.js';
import { KEY_BYTES, decrypt, encrypt, encryptDeterministically } from './sealing.js';

/** Text of something sealed: `v1.` and base64url of IV, tag and ciphertext. */
const FORMAT = 'v1.';

export interface SealedItem {
  readonly customerKey: Uuid;
  readonly sealed: string;
}

/**
 * Seals personal data with a key per customer, so that events and rows carry only opaque text and destroying one key
 * erases one person (docs/architecture.md#personal-data). Opened keys are never kept: one that was destroyed, by whichever
 * process, opens nothing from then on.
 */
export class Vault {
  readonly #masterKey: Buffer;
  readonly #hmacKey: Buffer;
  readonly #recordKey: Buffer;
  readonly #linkKey: Buffer;

  constructor(
    masterKey: Buffer,
    private readonly keys: CustomerKeys,
  ) {
    this.#masterKey = masterKey;
    this.#hmacKey = derivedKey(masterKey, 'recount keyed hash');
    this.#recordKey = derivedKey(masterKey, 'recount records');
    this.#linkKey = derivedKey(masterKey, 'recount signed links');
  }

  /** @throws Error for a customer whose key was destroyed */
  async seal(org: Uuid, customerKey: Uuid, data: object): Promise<string> {
    const sealed = await this.sealWith(encrypt, org, customerKey, data);
    if (sealed === undefined) throw new Error(`the key of customer ${customerKey} was destroyed`);
    return sealed;
  }

  /** Equal data of one customer becomes equal text, as long as it is said alike. Undefined once the key was destroyed. */
  sealDeterministically(org: Uuid, customerKey: Uuid, data: object): Promise<string | undefined> {
    return this.sealWith(encryptDeterministically, org, customerKey, data);
  }

  private async sealWith(
    encryptWith: typeof encryptDeterministically,
    org: Uuid,
    customerKey: Uuid,
    data: object,
  ): Promise<string | undefined> {
    const owner = ownerOf(org, customerKey);
    const fresh = encrypt(this.#masterKey, randomBytes(KEY_BYTES), `key:${owner}`);
    const wrapped = await this.keys.findOrAdd(org, customerKey, fresh);
    if (!wrapped) return undefined;
    const plain = Buffer.from(JSON.stringify(data), 'utf8');
    return FORMAT + encryptWith(this.unwrap(wrapped, owner), plain, `data:${owner}`).toString('base64url');
  }

  /** Undefined when the customer was erased. @throws Error when it was sealed for somebody else or changed */
  async unseal<Data extends object>(org: Uuid, customerKey: Uuid, sealed: string): Promise<Data | undefined> {
    const [data] = await this.unsealMany<Data>(org, [{ customerKey, sealed }]);
    return data;
  }

  /** In the order of the items, with one statement for all of them: for lists. */
  async unsealMany<Data extends object>(
    org: Uuid,
    items: readonly SealedItem[],
  ): Promise<(Data | undefined)[]> {
    const keys = await this.keys.find(org, [...new Set(items.map((item) => item.customerKey))]);
    return items.map(({ customerKey, sealed }) => {
      const wrapped = keys.get(customerKey);
      if (!wrapped) return undefined;
      const owner = ownerOf(org, customerKey);
      return JSON.parse(open(this.unwrap(wrapped, owner), sealed, `data:${owner}`)) as Data;
    });
  }

  /** Erases the person: every process that opens something from now on finds nothing. */
  async destroyKey(org: Uuid, customerKey: Uuid): Promise<void> {
    await this.keys.destroy(org, customerKey);
  }

  /** Seals what may name any customer and belongs to none, such as a recorded answer; `name` says which record it is. */
  sealRecord(org: Uuid, name: string, record: object): string {
    const plain = Buffer.from(JSON.stringify(record), 'utf8');
    return FORMAT + encrypt(this.#recordKey, plain, `record:${org}.${name}`).toString('base64url');
  }

  /** @throws Error when it was sealed as another record or changed */
  openRecord<Data extends object>(org: Uuid, name: string, sealed: string): Data {
    return JSON.parse(open(this.#recordKey, sealed, `record:${org}.${name}`)) as Data;
  }

  /** A keyed hash, in hex, by which equal text of one tenant is recognised and no text can be guessed. */
  hmac(org: Uuid, text: string): string {
    return createHmac('sha256', this.#hmacKey).update(`${org}\n${text}`, 'utf8').digest('hex');
  }

  /** A key of its own for each purpose, the same in every process. */
  keyFor(purpose: string): Buffer {
    return derivedKey(this.#masterKey, purpose);
  }

  /** Signs a link, which needs no API key then: proof that this service wrote it unchanged. */
  signLink(link: string): Buffer {
    return createHmac('sha256', this.#linkKey).update(link, 'utf8').digest();
  }

  private unwrap(wrapped: Buffer, owner: string): Buffer {
    try {
      return decrypt(this.#masterKey, wrapped, `key:${owner}`);
    } catch (error) {
      throw new Error('A key does not open: is MASTER_KEY the one this database was filled with?', {
        cause: error,
      });
    }
  }
}

const ownerOf = (org: Uuid, customerKey: Uuid): string => `${org}.${customerKey}`;

const derivedKey = (masterKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', purpose, KEY_BYTES));

function open(key: Buffer, sealed: string, boundTo: string): string {
  if (!sealed.startsWith(FORMAT)) throw new Error('not a sealed text');
  const bytes = Buffer.from(sealed.slice(FORMAT.length), 'base64url');
  return decrypt(key, bytes, boundTo).toString('utf8');
}
