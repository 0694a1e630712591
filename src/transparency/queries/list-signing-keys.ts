import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ascending, namedId, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { isEqual, toBase64 } from '../domain/bytes.js';
import { formatVerifierKey } from '../domain/note.js';
import { Checkpoints } from '../checkpoints.js';
import { NoSigningKey, SigningKeys, type SigningKey } from '../signing-keys.js';

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
    private readonly checkpoints: Checkpoints,
  ) {}

  async execute({ org }: ListSigningKeys): Promise<readonly ListedKey[]> {
    const signing = await this.signing();
    const listed = (await this.keys.recorded()).map(
      ({ public_key: publicKey, first_used_at, last_used_at }): ListedKey => {
        const key = this.checkpoints.noteKeyOf(org, publicKey);
        const place = signing.findIndex((one) => isEqual(one.publicKey, publicKey));
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
            status: place < 0 ? 'retired' : place === 0 ? 'current' : 'overlapping',
          },
        };
      },
    );
    return listed.toSorted((a, b) => ascending(orderOf(a), orderOf(b)));
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
