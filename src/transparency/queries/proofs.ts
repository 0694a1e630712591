import { Inject, Injectable } from '@nestjs/common';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { DomainError, invalidFields, unknownId } from '../../kernel/errors.js';
import { type RecordedEvent, orgOfStream, streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { accountId } from '../../billing/decider/domain/account.js';
import {
  bodyTextOfStored,
  STORED_EVENT_COLUMNS,
  type StoredUsageEvent,
} from '../../metering/stored-event.js';
import { Database } from '../../platform/database/open-database.js';
import { STORED_EVENTS, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { toBase64, utf8 } from '../domain/bytes.js';
import { batchLeaf, eventLeaf, leafHash } from '../domain/leaves.js';
import { inclusionRanges, rootOf } from '../domain/merkle.js';
import { formatProof } from '../domain/proof-text.js';
import { isIncluded } from '../domain/verify-proof.js';
import { cosignedNote } from '../checkpoint-rows.js';
import { SignedCheckpoints } from '../signed-checkpoints.js';
import { MERKLE_HASHES, sha256 } from '../sha256.js';
import { TreeReader } from '../tree-reader.js';
import { batchesUpTo } from '../usage-batch-leaves.js';
import { fromWholeTree } from './damaged-tree.js';

/**
 * Subject of a proof: an event or batch by its position in the tree, an invoice, a usage event, or an event
 * by its stream.
 */
export type Subject =
  | { readonly position: number }
  | { readonly invoiceId: Uuid }
  | { readonly usageEventId: string }
  | { readonly stream: string; readonly revision: number };

interface Leaf {
  readonly index: number;
  readonly text: string;
  readonly row?: { readonly body: string; readonly hashes: readonly string[]; readonly index: number };
}

interface SealedEvent extends StoredUsageEvent {
  readonly sealed_number: string | null;
}

const unknown = (attr: string, detail: string): DomainError =>
  invalidFields({ code: 'does_not_exist', detail, attr });
const notYet = (): DomainError =>
  new DomainError(
    'invalid_state',
    'No checkpoint covers it yet. Make one with POST /api/audit/checkpoints/, then ask again.',
  );
const ALTERED =
  'What is stored is not what the checkpoint covers: it was changed after it was taken into the tree. Ask the operator.';

/** Makes inclusion proofs (docs/transparency-log.md#proofs). Each is verified before it is answered. */
@Injectable()
export class Proofs {
  constructor(
    private readonly database: Database,
    private readonly reader: TreeReader,
    private readonly checkpoints: SignedCheckpoints,
    @Inject(STORED_EVENTS) private readonly events: EventStore,
  ) {}

  /**
   * Returns the text of a proof against the newest checkpoint.
   * @throws DomainError `does_not_exist`; `max_value`, `invalid_state` when no checkpoint covers it; `conflict`
   */
  async inclusion(org: Uuid, subject: Subject): Promise<string> {
    const newest = await this.checkpoints.newest(org);
    const size = Number(newest?.size ?? 0);
    const isCovered = (index: number): boolean => index < size;
    if ('position' in subject && !isCovered(subject.position)) {
      const detail = `The newest checkpoint has ${size} leaves. Give a position below this.`;
      throw invalidFields({ code: 'max_value', detail, attr: 'position' });
    }
    const { index, text, row } = await this.leafOf(org, subject);
    if (!newest || !isCovered(index)) throw notYet();
    const proof = await fromWholeTree(() => this.reader.inclusion(org, index, size));
    const hash = leafHash(MERKLE_HASHES, text);
    if (!isIncluded(MERKLE_HASHES, { leaf: index, size, leafHash: hash, root: newest.root, proof })) {
      throw new DomainError('conflict', ALTERED);
    }
    const extra = utf8(canonicalJson({ leaf: text, ...(row && { row }), v: 1 }));
    return formatProof({ extra, index, hashes: proof, checkpoint: cosignedNote(newest) });
  }

  private leafOf(org: Uuid, subject: Subject): Promise<Leaf> {
    if ('position' in subject) return this.leafAt(org, subject.position);
    if ('invoiceId' in subject) return this.leafOfInvoice(org, subject.invoiceId);
    if ('stream' in subject) return this.leafOfEvent(org, subject.stream, BigInt(subject.revision));
    return this.leafOfUsageEvent(org, subject.usageEventId);
  }

  private async leafOfEvent(org: Uuid, stream: string, revision: bigint): Promise<Leaf> {
    const event = orgOfStream(stream) === org ? await this.eventAt(stream, revision) : undefined;
    if (!event) {
      throw unknown(
        'stream',
        'There is no such event. Give stream and revision as the audit log shows them.',
      );
    }
    return this.leafOfStored(org, event);
  }

  private async leafOfStored(org: Uuid, event: RecordedEvent): Promise<Leaf> {
    const index = await this.reader.leafOfEvent(org, event);
    if (index === undefined) throw notYet();
    return { index, text: eventLeaf(event, index) };
  }

  private async leafAt(org: Uuid, index: number): Promise<Leaf> {
    const name = await this.reader.leafName(org, index);
    if (name === undefined) throw new DomainError('conflict', ALTERED);
    if (name.startsWith('#')) return { index, text: await this.batchText(org, Number(name.slice(1)), index) };
    const at = name.lastIndexOf('@');
    const event = await this.eventAt(name.slice(0, at), BigInt(name.slice(at + 1)));
    if (!event) throw new DomainError('conflict', ALTERED);
    return { index, text: eventLeaf(event, index) };
  }

  /** Finds the event that computed an invoice: it has all lines and amounts. */
  private async leafOfInvoice(org: Uuid, invoiceId: Uuid): Promise<Leaf> {
    const { rows } = await this.database.pool.query<{
      customer_key: Uuid;
      currency: string;
      revision: string;
    }>(
      `select customer_key, currency, computed_revision as revision from invoices
        where org = $1 and invoice_id = $2`,
      [org, invoiceId],
    );
    const [row] = rows;
    if (!row) throw unknown('invoice_id', unknownId('invoice'));
    const stream = streamName('account', org, accountId(row.customer_key, row.currency));
    const event = await this.eventAt(stream, BigInt(row.revision));
    if (!event) throw notYet();
    return this.leafOfStored(org, event);
  }

  private async leafOfUsageEvent(org: Uuid, id: string): Promise<Leaf> {
    const { rows } = await this.database.pool.query<SealedEvent>(
      `select ${STORED_EVENT_COLUMNS}, b.sealed_number from usage_events e join usage_batches b using (org, batch_id)
        where e.org = $1 and e.idempotency_id = $2`,
      [org, id],
    );
    const [event] = rows;
    if (!event) throw unknown('usage_event_id', unknownId('usage event'));
    const number = event.sealed_number === null ? undefined : Number(event.sealed_number);
    const index = number === undefined ? undefined : await this.reader.leafOfBatch(org, number);
    if (number === undefined || index === undefined) throw notYet();
    const { rows: mates } = await this.database.pool.query<StoredUsageEvent>(
      `select ${STORED_EVENT_COLUMNS} from usage_events e where e.org = $1 and e.batch_id = (
          select batch_id from usage_batches where org = $1 and sealed_number = $2)
        order by e.idempotency_id collate "C"`,
      [org, number],
    );
    const leaves = mates.map((mate) => MERKLE_HASHES.leaf(sha256(utf8(bodyTextOfStored(mate)))));
    const at = mates.findIndex((mate) => mate.idempotency_id === id);
    const body = bodyTextOfStored(event);
    const hashes = inclusionRanges(at, leaves.length).map(({ begin, end }) =>
      toBase64(rootOf(MERKLE_HASHES, leaves.slice(begin, end))),
    );
    return { index, text: await this.batchText(org, number, index), row: { body, hashes, index: at } };
  }

  private async batchText(org: Uuid, number: number, index: number): Promise<string> {
    const [batch] = await batchesUpTo(this.database.pool, org, number - 1, number);
    if (!batch) throw new DomainError('conflict', ALTERED);
    return batchLeaf(batch, index);
  }

  private async eventAt(stream: string, revision: bigint): Promise<RecordedEvent | undefined> {
    for await (const event of this.events.readStream(stream, { from: revision, limit: 1 })) {
      if (event.revision === revision) return event;
    }
    return undefined;
  }
}
