import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { streamName } from '../../kernel/event.js';
import { ascending, namedId, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { pastMoment } from '../../platform/as-of/moment.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import type { SignedCheckpoint } from '../checkpoint-rows.js';
import { toBase64 } from '../domain/bytes.js';
import type { SigningKeyEvent } from '../domain/events.js';
import { formatVerifierKey, noteKey, parseNote } from '../domain/note.js';
import { SIGNING_KEYS } from '../domain/signing-keys.js';
import { SignedCheckpoints } from '../signed-checkpoints.js';
import { sha256 } from '../sha256.js';
import { NoSigningKey, SigningKeys, type RecordedSigningKey, type SigningKey } from '../signing-keys.js';

interface ListedKey {
  /** Id of the key in cursors. */
  readonly id: Uuid;
  readonly firstUsedAt: Instant;
  readonly lastUsedAt: Instant;
  readonly shown: {
    readonly name: string;
    readonly key_id: string;
    readonly algorithm: 'ed25519';
    readonly public_key: string;
    readonly verifier_key: string;
    readonly status: 'current' | 'overlapping' | 'retired';
  };
}

/** Lists public keys, the oldest first. */
export class ListSigningKeys extends Query<readonly ListedKey[]> {
  constructor(readonly org: Uuid) {
    super();
  }
}

@QueryHandler(ListSigningKeys)
export class ListSigningKeysHandler implements IQueryHandler<ListSigningKeys> {
  constructor(
    private readonly keys: SigningKeys,
    private readonly checkpoints: SignedCheckpoints,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  async execute({ org }: ListSigningKeys): Promise<readonly ListedKey[]> {
    const { recorded, signing } = await this.keysOf(org);
    const listed = recorded.map(({ public_key: publicKey, first_used_at, last_used_at }): ListedKey => {
      const key = this.checkpoints.noteKeyOf(org, publicKey);
      const index = signing.indexOf(toBase64(publicKey));
      return {
        id: namedId(toBase64(publicKey)),
        firstUsedAt: first_used_at,
        lastUsedAt: last_used_at,
        shown: {
          name: key.name,
          key_id: key.id,
          algorithm: 'ed25519',
          public_key: toBase64(publicKey),
          verifier_key: formatVerifierKey(key),
          status: index < 0 ? 'retired' : index === 0 ? 'current' : 'overlapping',
        },
      };
    });
    return listed.toSorted((a, b) => ascending(orderOf(a), orderOf(b)));
  }

  /** Returns the keys that there are, or were at the moment of the request, and in base64 those that sign, the newest first. */
  private async keysOf(
    org: Uuid,
  ): Promise<{ readonly recorded: readonly RecordedSigningKey[]; readonly signing: readonly string[] }> {
    const moment = pastMoment();
    if (!moment) {
      // The first use records the key.
      const signing = (await this.signing()).map(({ publicKey }) => toBase64(publicKey));
      return { recorded: await this.keys.recorded(), signing };
    }
    const all = await this.keys.recorded();
    const signed = await this.signedUntil(org);
    const recorded = all.filter(
      ({ public_key: key, first_used_at: since }) => since <= moment.at || signed?.all.has(toBase64(key)),
    );
    return { recorded, signing: signed?.newest ?? recorded.slice(-1).map((key) => toBase64(key.public_key)) };
  }

  /**
   * Returns the public keys that had signed checkpoints of the organization at the moment of the request, and those of the
   * newest one; undefined before the first.
   */
  private async signedUntil(
    org: Uuid,
  ): Promise<{ readonly newest: readonly string[]; readonly all: ReadonlySet<string> } | undefined> {
    const newest = await this.checkpoints.newest(org);
    const first = newest && (await this.checkpoints.numbered(org, 1));
    if (!newest || !first) return undefined;
    const all = new Set<string>(await this.signersOf(first));
    const stream = streamName('organization', org, SIGNING_KEYS);
    for await (const { data } of this.store.readStream(stream)) {
      for (const key of (data as SigningKeyEvent['data']).publicKeys) all.add(key);
    }
    return { newest: await this.signersOf(newest), all };
  }

  /** Returns public keys in the order of the signatures of a checkpoint. */
  private async signersOf({ note }: SignedCheckpoint): Promise<readonly string[]> {
    const recorded = await this.keys.recorded();
    return parseNote(note).signatures.flatMap(({ name, keyId }) => {
      const signer = recorded.find(({ public_key: key }) => noteKey(sha256, name, key).id === keyId);
      return signer ? [toBase64(signer.public_key)] : [];
    });
  }

  /** Omits the current keys when they are lost; those of earlier checkpoints are still listed. */
  private async signing(): Promise<readonly SigningKey[]> {
    try {
      return await this.keys.keys();
    } catch (error) {
      if (error instanceof NoSigningKey) return [];
      throw error;
    }
  }
}

/** Compares keys in the order of cursors. */
const orderOf = ({ firstUsedAt, id }: ListedKey): string => `${firstUsedAt} ${id}`;
