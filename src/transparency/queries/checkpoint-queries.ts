import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError, invalidFields, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import type { NotedRow } from '../../platform/database/noted-rows.js';
import { Database } from '../../platform/database/open-database.js';
import { toBase64 } from '../domain/bytes.js';
import { cosignaturesOf, shownTime } from '../domain/cosignature.js';
import { isConsistent } from '../domain/verify-proof.js';
import {
  CHECKPOINT_COLUMNS,
  cosignatureLines,
  cosignedNote,
  type SignedCheckpoint,
} from '../checkpoint-rows.js';
import { SignedCheckpoints } from '../signed-checkpoints.js';
import { Witnesses } from '../witnesses/witnesses.js';
import { MERKLE_HASHES } from '../sha256.js';
import { damagedTree, fromWholeTree } from './damaged-tree.js';
import { TreeReader } from '../tree-reader.js';

export const presentCheckpoint = (kept: SignedCheckpoint) => ({
  checkpoint_id: kept.id,
  number: Number(kept.number),
  origin: kept.note.slice(0, kept.note.indexOf('\n')),
  size: Number(kept.size),
  root: toBase64(kept.root),
  cause: kept.cause,
  created_at: formatInstant(kept.made_at),
  note: cosignedNote(kept),
  cosignatures: cosignaturesOf(kept.note.slice(0, kept.note.indexOf('\n\n') + 1), cosignatureLines(kept)).map(
    (cosignature) => ({
      witness: cosignature.witness,
      key_id: cosignature.keyId,
      cosigned_at: shownTime(cosignature),
    }),
  ),
});

/** Lists checkpoints, the newest first. */
export class ListCheckpoints extends Query<{
  readonly rows: readonly SignedCheckpoint[];
  readonly nextCursor: string | undefined;
}> {
  constructor(
    readonly org: Uuid,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

@QueryHandler(ListCheckpoints)
export class ListCheckpointsHandler implements IQueryHandler<ListCheckpoints> {
  constructor(private readonly database: Database) {}

  async execute({ org, page: { limit, cursor } }: ListCheckpoints) {
    if (cursor !== undefined && !/^[1-9]\d{0,17}$/.test(cursor)) {
      throw invalidFields({
        code: 'invalid',
        detail:
          'This cursor is not from the list of checkpoints. Give a cursor from the Link header of the page before.',
        attr: 'cursor',
      });
    }
    const { rows } = await this.database.pool.query<SignedCheckpoint>({
      name: 'transparency-checkpoints-list',
      text: `select ${CHECKPOINT_COLUMNS} from transparency_checkpoints c where c.org = $1 and ($2::bigint is null or c.number < $2)
        order by c.number desc limit $3`,
      values: [org, cursor ?? null, limit + 1],
    });
    const shown = rows.slice(0, limit);
    return { rows: shown, nextCursor: rows.length > limit ? shown.at(-1)!.number : undefined };
  }
}

/**
 * Returns the newest checkpoint.
 * @throws DomainError `not_found`
 */
export class GetLatestCheckpoint extends Query<SignedCheckpoint> {
  constructor(readonly org: Uuid) {
    super();
  }
}

@QueryHandler(GetLatestCheckpoint)
export class GetLatestCheckpointHandler implements IQueryHandler<GetLatestCheckpoint> {
  constructor(private readonly checkpoints: SignedCheckpoints) {}

  async execute({ org }: GetLatestCheckpoint): Promise<SignedCheckpoint> {
    const newest = await this.checkpoints.newest(org);
    if (newest) return newest;
    throw new DomainError(
      'not_found',
      'There is no checkpoint yet. Make one with POST /api/audit/checkpoints/.',
    );
  }
}

/** Seconds for which webhooks wait for the cosignatures of the newest checkpoint. */
const WITNESSES_HAVE = 15;

/** Lists the next checkpoints that were made after a row, after the wait for their cosignatures. */
export class ListNotedCheckpoints extends Query<NotedRow[]> {
  constructor(
    readonly org: Uuid,
    readonly after: NotedRow,
  ) {
    super();
  }
}

@QueryHandler(ListNotedCheckpoints)
export class ListNotedCheckpointsHandler implements IQueryHandler<ListNotedCheckpoints> {
  constructor(
    private readonly database: Database,
    private readonly witnesses: Witnesses,
  ) {}

  async execute({ org, after: { id, notedAt } }: ListNotedCheckpoints): Promise<NotedRow[]> {
    const { rows } = await this.database.pool.query<NotedRow>({
      name: 'transparency-checkpoints-after',
      text: CHECKPOINTS_AFTER,
      values: [org, notedAt, this.witnesses.all.map((witness) => witness.id), WITNESSES_HAVE, id],
    });
    return rows;
  }
}

const CHECKPOINTS_AFTER = `
select c.id, c.noted_at as "notedAt" from transparency_checkpoints c
where c.org = $1 and c.noted_at >= $2 and (c.noted_at, c.id) > ($2, $5)
  and (c.noted_at < now() - $4 * interval '1 second'
    or exists (select from transparency_checkpoints later where later.org = c.org and later.number > c.number)
    or (select count(*) from transparency_cosignatures s
      where s.org = c.org and s.number = c.number and s.witness = any($3)) = cardinality($3::text[]))
order by c.number`;

/**
 * Returns a checkpoint by its id, as the webhook sends it.
 * @throws DomainError `not_found`
 */
export class GetCheckpointResource extends Query<object> {
  constructor(
    readonly org: Uuid,
    readonly id: Uuid,
  ) {
    super();
  }
}

@QueryHandler(GetCheckpointResource)
export class GetCheckpointResourceHandler implements IQueryHandler<GetCheckpointResource> {
  constructor(private readonly database: Database) {}

  async execute({ org, id }: GetCheckpointResource): Promise<object> {
    const { rows } = await this.database.pool.query<SignedCheckpoint>(
      `select ${CHECKPOINT_COLUMNS} from transparency_checkpoints c where c.org = $1 and c.id = $2`,
      [org, id],
    );
    if (!rows[0]) throw new DomainError('not_found', unknownId('checkpoint'));
    return presentCheckpoint(rows[0]);
  }
}

export interface ConsistencyProof {
  readonly from: number;
  readonly to: number;
  readonly fromRoot: Uint8Array;
  readonly toRoot: Uint8Array;
  readonly hashes: readonly Uint8Array[];
}

/** Proves that the tree of one size continues that of another. */
export class GetConsistency extends Query<ConsistencyProof> {
  constructor(
    readonly org: Uuid,
    readonly from: number,
    /** Undefined: the size of the newest checkpoint. */
    readonly to: number | undefined,
  ) {
    super();
  }
}

@QueryHandler(GetConsistency)
export class GetConsistencyHandler implements IQueryHandler<GetConsistency> {
  constructor(
    private readonly reader: TreeReader,
    private readonly checkpoints: SignedCheckpoints,
  ) {}

  /**
   * @throws DomainError `max_value` for a size that no checkpoint has reached, `conflict` when the tree is
   *   damaged
   */
  async execute({ org, from, to: asked }: GetConsistency): Promise<ConsistencyProof> {
    const size = Number((await this.checkpoints.newest(org))?.size ?? 0);
    const to = asked ?? size;
    if (to > size) {
      throw invalidFields({
        code: 'max_value',
        detail: `The newest checkpoint has ${size} leaves. Give at most this size.`,
        attr: 'to',
      });
    }
    if (from > to)
      throw invalidFields({
        code: 'max_value',
        detail: 'from is larger than to. Give a from of at most to.',
        attr: 'from',
      });
    const proof = await fromWholeTree(async () => ({
      fromRoot: await this.reader.root(org, from),
      toRoot: await this.reader.root(org, to),
      hashes: await this.reader.consistency(org, from, to),
    }));
    if (from > 0 && !isConsistent(MERKLE_HASHES, { from, to, ...proof, proof: proof.hashes }))
      throw damagedTree();
    return { from, to, ...proof };
  }
}
