import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { toWireId, type Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { UsageSealer } from '../metering/usage-sealer.js';
import { CLOCK, type Clock } from '../platform/clock/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Database, inTransaction } from '../platform/database/open-database.js';
import { STORED_EVENTS, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { isEqual, utf8 } from './domain/bytes.js';
import { formatCheckpoint, parseCheckpoint } from './domain/checkpoint.js';
import { eventLeaf, leafHash } from './domain/leaves.js';
import { foldNodes } from './domain/merkle.js';
import { formatNote, MalformedText, noteKey, parseNote, signaturesBy, type NoteKey } from './domain/note.js';
import { TileTooShort } from './domain/tiles.js';
import { SignedCheckpointFiles } from './signed-checkpoint-files.js';
import { CHECKPOINT_COLUMNS, type CheckpointCause, type SignedCheckpoint } from './checkpoint-rows.js';
import { TransparencyFaults } from './transparency-faults.js';
import { MERKLE_HASHES, hashesIn, sha256 } from './sha256.js';
import { SigningKeyLog } from './signing-key-log.js';
import { NoSigningKey, SigningKeys, verifyEd25519, type SigningKey } from './signing-keys.js';
import { TreeReader } from './tree-reader.js';
import { Trees, TreeMismatch } from './trees.js';

interface TreeHead {
  readonly size: string;
  readonly frontier: Buffer;
  readonly last_index: string | null;
  readonly last_stream: string | null;
  readonly last_revision: string | null;
}

/** Signs tree heads, each consistent with every earlier one; otherwise it signs nothing and records why. */
@Injectable()
export class SignedCheckpoints {
  constructor(
    private readonly database: Database,
    private readonly trees: Trees,
    private readonly reader: TreeReader,
    private readonly sealer: UsageSealer,
    private readonly keys: SigningKeys,
    private readonly keyLog: SigningKeyLog,
    private readonly faults: TransparencyFaults,
    private readonly files: SignedCheckpointFiles,
    @Inject(STORED_EVENTS) private readonly events: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Returns the origin of an organization's log, and its keys. */
  originOf(org: Uuid): string {
    return `${this.config.auditOrigin}/${toWireId('org', org)}`;
  }

  noteKeyOf(org: Uuid, publicKey: Uint8Array): NoteKey {
    return noteKey(sha256, this.originOf(org), publicKey);
  }

  /**
   * Seals the usage, appends the log's events and the usage to the tree, and signs the head. Returns the
   * newest checkpoint when nothing was added since.
   * @throws TreeMismatch, NoSigningKey with a sentence for the operator, which is kept until a checkpoint
   *   is signed
   */
  async sign(org: Uuid, cause: CheckpointCause): Promise<SignedCheckpoint> {
    try {
      const keys = await this.keys.keys();
      if (await this.hasOtherKeys(org, keys)) await this.keyLog.record(org, keys);
      await this.trees.catchUp();
      await this.trees.appendBatches(org, Number(await this.sealer.seal(org)));
      const signed = await inTransaction(this.database.pool, (client) =>
        this.signHead(client, org, keys, cause),
      );
      await this.faults.clear(org);
      await this.files.write(signed);
      return signed;
    } catch (error) {
      if (preventsSigning(error))
        await this.faults.set(error instanceof NoSigningKey ? undefined : org, error.message);
      throw error;
    }
  }

  /**
   * Loads the signing keys, so that a lost one is reported before it is needed.
   * @throws NoSigningKey
   */
  async requireKeys(): Promise<void> {
    await this.keys.keys();
  }

  async newest(
    org: Uuid,
    client: Pick<PoolClient, 'query'> = this.database.pool,
  ): Promise<SignedCheckpoint | undefined> {
    const { rows } = await client.query<SignedCheckpoint>({
      name: 'transparency-newest-checkpoint',
      text: `select ${CHECKPOINT_COLUMNS} from transparency_checkpoints c where c.org = $1 order by c.number desc limit 1`,
      values: [org],
    });
    return rows[0];
  }

  async numbered(org: Uuid, number: number): Promise<SignedCheckpoint | undefined> {
    const { rows } = await this.database.pool.query<SignedCheckpoint>({
      name: 'transparency-checkpoint-numbered',
      text: `select ${CHECKPOINT_COLUMNS} from transparency_checkpoints c where c.org = $1 and c.number = $2`,
      values: [org, number],
    });
    return rows[0];
  }

  /** Returns the sizes of the newest checkpoints that are smaller than one of them, the smallest first. */
  async sizesBefore(org: Uuid, size: number, limit: number): Promise<number[]> {
    const { rows } = await this.database.pool.query<{ size: string }>({
      name: 'transparency-sizes-before',
      text: `select distinct size from transparency_checkpoints where org = $1 and size between 1 and $2::bigint - 1
        order by size desc limit $3`,
      values: [org, size, limit],
    });
    return rows.map((row) => Number(row.size)).reverse();
  }

  /** Tells whether other keys signed the newest checkpoint. The first checkpoint changes none. */
  private async hasOtherKeys(org: Uuid, keys: readonly SigningKey[]): Promise<boolean> {
    const last = await this.newest(org);
    if (!last) return false;
    try {
      const { signatures } = parseNote(last.note);
      const ids = keys.map(({ publicKey }) => noteKey(sha256, signatures[0]!.name, publicKey).id);
      return ids.join() !== signatures.map(({ keyId }) => keyId).join();
    } catch (error) {
      // A note that was changed prevents the next checkpoint.
      if (error instanceof MalformedText) return false;
      throw error;
    }
  }

  private async signHead(
    client: PoolClient,
    org: Uuid,
    keys: readonly SigningKey[],
    cause: CheckpointCause,
  ): Promise<SignedCheckpoint> {
    const { rows } = await client.query<TreeHead>(
      'select size, frontier, last_index, last_stream, last_revision from transparency_trees where org = $1 for update',
      [org],
    );
    const [head] = rows;
    const size = Number(head?.size ?? 0);
    const last = await this.newest(org, client);
    if (last) await this.requireContinued(client, last, size);
    const root = foldNodes(MERKLE_HASHES, hashesIn(head?.frontier ?? Buffer.alloc(0)));
    await this.requireHead(client, org, head, root);
    await client.query(
      'update transparency_trees set billed_at = null where org = $1 and billed_at is not null',
      [org],
    );
    if (last && Number(last.size) === size) return last;
    const now = await this.clock.now(org);
    if (last && now < last.made_at) throw new TreeMismatch(clockWentBack(last.made_at));
    const text = formatCheckpoint({ origin: this.originOf(org), size, root });
    const signatures = keys.map((key) => {
      const { name, id } = this.noteKeyOf(org, key.publicKey);
      return { name, keyId: id, signature: key.sign(utf8(text)) };
    });
    const { rows: added } = await client.query<SignedCheckpoint>(
      `insert into transparency_checkpoints (org, number, id, size, root, note, cause, made_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8) returning *, '{}'::text[] as cosignatures`,
      [
        org,
        Number(last?.number ?? 0) + 1,
        randomUUID(),
        size,
        root,
        formatNote({ text, signatures }),
        cause,
        now,
      ],
    );
    return added[0]!;
  }

  /** Checks that the newest checkpoint is as it was signed, and that the tree has its root at its size. */
  private async requireContinued(client: PoolClient, last: SignedCheckpoint, size: number): Promise<void> {
    const { org, note, number } = last;
    const keys = (await this.keys.recorded()).map((key) => this.noteKeyOf(org, key.public_key));
    const of = `checkpoint ${number}`;
    try {
      const parsed = parseNote(note);
      const { origin, size: signedSize, root } = parseCheckpoint(parsed.text);
      // A service with a changed name begins a log of another origin, which its auditors learn from the
      // operator.
      const isSigned = origin !== this.originOf(org) || signaturesBy(parsed, keys, verifyEd25519).length > 0;
      if (!isSigned || signedSize !== Number(last.size) || !isEqual(root, last.root)) {
        throw new TreeMismatch(`The kept ${of} is not as it was signed. ${RESTORE}`);
      }
    } catch (error) {
      if (error instanceof TreeMismatch) throw error;
      throw new TreeMismatch(`The kept ${of} is not as it was signed. ${RESTORE}`);
    }
    const root = await this.rootAt(client, org, Number(last.size), size);
    if (!root || !isEqual(root, last.root)) {
      throw new TreeMismatch(`The tree does not continue ${of} of ${last.size} leaves. ${RESTORE}`);
    }
  }

  /**
   * Checks that the tree's tiles have the root of its head, and that its newest event is in the log as
   * recorded.
   */
  private async requireHead(
    client: PoolClient,
    org: Uuid,
    head: TreeHead | undefined,
    root: Uint8Array,
  ): Promise<void> {
    if (!head) return;
    const kept = await this.rootAt(client, org, Number(head.size), Number(head.size));
    if (!kept || !isEqual(kept, root))
      throw new TreeMismatch(`The stored hashes of the tree contradict each other. ${RESTORE}`);
    if (head.last_stream === null) return;
    const [index, revision] = [Number(head.last_index), BigInt(head.last_revision!)];
    for await (const event of this.events.readStream(head.last_stream, { from: revision, limit: 1 })) {
      const hash = leafHash(MERKLE_HASHES, eventLeaf(event, index));
      if (isEqual(hash, await this.reader.leafHash(org, index, client))) return;
    }
    throw new TreeMismatch(`The newest event of the tree is not in the log as it was recorded. ${RESTORE}`);
  }

  private async rootAt(
    client: PoolClient,
    org: Uuid,
    at: number,
    size: number,
  ): Promise<Uint8Array | undefined> {
    if (at > size) return undefined;
    try {
      return await this.reader.root(org, at, client);
    } catch (error) {
      if (error instanceof TileTooShort) return undefined;
      throw error;
    }
  }
}

const RESTORE = 'Compare the database and the log with a backup; until then no checkpoint is signed.';

const clockWentBack = (since: Instant): string =>
  `The clock has gone back: the newest checkpoint was made at ${since}. Set the clock right; until then no checkpoint is signed.`;

export const preventsSigning = (error: unknown): error is Error =>
  error instanceof TreeMismatch || error instanceof NoSigningKey;
