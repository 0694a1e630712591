import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { formatPosition, parsePosition, type Position } from '../../../kernel/event.js';
import { DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import { inTransaction } from '../../database/open-database.js';
import type { Vault } from '../../privacy/vault.js';

/** Secret in an answer. The caller gets it; the recorded answer has null instead. */
export class OneTimeSecret {
  constructor(private readonly secret: string) {}

  toJSON(): string {
    return this.secret;
  }
}

/** Replacer for JSON.stringify that removes secrets. */
function withoutSecrets(this: Record<string, unknown>, field: string, value: unknown): unknown {
  return this[field] instanceof OneTimeSecret ? null : value;
}

export const IDEMPOTENCY_KEYS_MIGRATION = `
create table idempotency_keys (
  org uuid not null,
  key text not null,
  request_hash text not null,
  received_at timestamptz not null,
  running_until timestamptz,
  answer text,
  position text,
  primary key (org, key)
);
comment on table idempotency_keys is 'Requests sent with an Idempotency-Key and what they were answered: a repeat gets the same answer, for ever.';
comment on column idempotency_keys.org is 'Tenant.';
comment on column idempotency_keys.key is 'The caller''s Idempotency-Key.';
comment on column idempotency_keys.request_hash is 'Keyed hash over method, path and body: another request under the same key is refused.';
comment on column idempotency_keys.received_at is 'Domain time of the first request: the now of every repeat.';
comment on column idempotency_keys.running_until is 'Wall time until which a process is taken to be at work on it; past or null: a repeat may run it.';
comment on column idempotency_keys.answer is 'The recorded answer, a success or a refusal, encrypted as it may name people; null while there is none.';
comment on column idempotency_keys.position is 'Where in the log the request wrote last.';`;

/** Stores keys as hashes, because a caller's text may name persons and an erasure would not find it. */
export const IDEMPOTENCY_HIDDEN_MIGRATION = `
delete from idempotency_keys;
comment on column idempotency_keys.key is 'Keyed hash of the caller''s Idempotency-Key.';`;

export const IDEMPOTENCY_LEASES_MIGRATION = `
alter table idempotency_keys add column lease uuid;
comment on column idempotency_keys.lease is 'The run of the request that has the key: no other run renews, records or frees it. Null once it has ended.';`;

/** Answer to a repeat: the body of a success, or the refusal. */
export type RecordedAnswer =
  | { readonly body: unknown }
  | {
      readonly refusal: {
        readonly code: string;
        readonly detail: string;
        /** Earlier releases recorded validation errors too. */
        readonly fields?: readonly object[];
      };
    };

export type KeyStatus =
  | { readonly status: 'acquired'; readonly receivedAt: Instant; readonly lease: KeyLease }
  | { readonly status: 'answered'; readonly answer: RecordedAnswer; readonly position: Position | undefined }
  | { readonly status: 'running' }
  | { readonly status: 'other_request' };

/** Hold of a run of a request on its key, until another run takes the key over because this one did not renew it. */
export interface KeyLease {
  readonly org: Uuid;
  /** Keyed hash of the Idempotency-Key. */
  readonly key: string;
  readonly id: Uuid;
}

interface Row {
  request_hash: string;
  answer: string | null;
  position: string | null;
}

/** Lease of a request: a dead process holds it for at most this time, a living one renews it more often. */
const LEASE_SECONDS = 10;
export const RENEW_EVERY_MS = 3_000;

/** Stores one row per organization and keyed hash of the key. */
export class IdempotencyKeys {
  constructor(
    private readonly pool: Pool,
    private readonly vault: Vault,
    private readonly redactor: AnswerRedactor,
  ) {}

  /** Returns the keyed hash of an Idempotency-Key. */
  nameOf(org: Uuid, key: string): string {
    return this.vault.hmac(org, recordName(key));
  }

  /**
   * Starts a request, unless it was answered, runs in a process, or the key belongs to another request.
   * @throws DomainError `conflict` for an answer that does not open
   */
  async begin(org: Uuid, key: string, requestHash: string, receivedAt: Instant): Promise<KeyStatus> {
    const hash = this.vault.hmac(org, requestHash);
    const lease = { org, key, id: randomUUID() };
    const taken = await this.pool.query<{ received_at: Instant }>({
      name: 'idempotency-begin',
      text: `insert into idempotency_keys as k (org, key, request_hash, received_at, running_until, lease)
        values ($1, $2, $3, $4, now() + interval '${LEASE_SECONDS} seconds', $5)
        on conflict (org, key) do update set running_until = excluded.running_until, lease = excluded.lease
          where k.answer is null and k.request_hash = excluded.request_hash
            and coalesce(k.running_until < now(), true)
        returning received_at`,
      values: [org, key, hash, receivedAt, lease.id],
    });
    if (taken.rows[0]) return { status: 'acquired', receivedAt: taken.rows[0].received_at, lease };
    const { rows } = await this.pool.query<Row>({
      name: 'idempotency-find',
      text: 'select request_hash, answer, position from idempotency_keys where org = $1 and key = $2',
      values: [org, key],
    });
    const row = rows[0];
    if (row && row.request_hash !== hash) return { status: 'other_request' };
    if (!row?.answer) return { status: 'running' };
    const answer = this.opened(org, key, row.answer);
    return { status: 'answered', answer, position: parsePosition(row.position ?? '') };
  }

  /** @throws DomainError `conflict` for an answer that does not open: the request was executed and must not run again */
  private opened(org: Uuid, key: string, answer: string): RecordedAnswer {
    try {
      return this.vault.openRecord<RecordedAnswer>(org, recordName(key), answer);
    } catch {
      throw new DomainError('conflict', UNREADABLE);
    }
  }

  async renew(lease: KeyLease): Promise<void> {
    await this.pool.query({
      name: 'idempotency-renew',
      text: `update idempotency_keys set running_until = now() + interval '${LEASE_SECONDS} seconds' ${OF_LEASE}`,
      values: valuesOf(lease),
    });
  }

  /** Records the answer, unless another run has taken the key over. Nobody whom it names has been erased. */
  async record(lease: KeyLease, answer: RecordedAnswer, position: Position | undefined): Promise<void> {
    const { org } = lease;
    const known = JSON.parse(JSON.stringify(answer, withoutSecrets)) as RecordedAnswer;
    let recorded = await this.withoutErased(org, known);
    while (!(await this.store(lease, recorded, position))) {
      const left = await this.withoutErased(org, recorded);
      if (left === recorded) return;
      recorded = left;
    }
  }

  /** @returns false if an erasure came to a subject of the answer while the request ran, or another run has the key */
  private async store(
    lease: KeyLease,
    answer: RecordedAnswer,
    position: Position | undefined,
  ): Promise<boolean> {
    const { org, key } = lease;
    const { rowCount } = await this.pool.query({
      name: 'idempotency-record',
      text: `update idempotency_keys
        set answer = $4, position = $5, customer_keys = $6, running_until = null, lease = null
        ${OF_LEASE} and not customer_keys && $6`,
      values: [
        ...valuesOf(lease),
        this.vault.sealRecord(org, recordName(key), answer),
        position ? formatPosition(position) : null,
        this.redactor.subjectsIn(org, answer),
      ],
    });
    return rowCount === 1;
  }

  /** Returns the answer without those who were erased; if nobody was, the answer itself. */
  private async withoutErased(org: Uuid, answer: RecordedAnswer): Promise<RecordedAnswer> {
    const erased = await this.redactor.erasedAmong(org, this.redactor.subjectsIn(org, answer));
    return erased.reduce((shown, subject) => this.redactor.redact(org, shown, subject), answer);
  }

  /**
   * Removes a data subject from every answer that names it, and keeps it out of the answers of running requests, which may
   * have read it before. It is rare, so it scans the tenant's rows without an index.
   */
  async redact(org: Uuid, subject: Uuid): Promise<void> {
    await this.pool.query({
      name: 'idempotency-erase-from-running',
      text: `update idempotency_keys set customer_keys = array_append(customer_keys, $2)
        where org = $1 and answer is null and not $2 = any(customer_keys)`,
      values: [org, subject],
    });
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ key: string; answer: string }>({
        name: 'idempotency-of-subject',
        text: `select key, answer from idempotency_keys
          where org = $1 and $2 = any(customer_keys) and answer is not null order by key for update`,
        values: [org, subject],
      });
      for (const { key, answer } of rows) {
        const sealed = this.redacted(org, key, answer, subject);
        if (sealed === undefined) continue;
        await client.query({
          name: 'idempotency-redact',
          text: `update idempotency_keys set answer = $3, customer_keys = array_remove(customer_keys, $4)
            where org = $1 and key = $2`,
          values: [org, key, sealed, subject],
        });
      }
    });
  }

  /** Returns undefined for an answer that does not open: it shows nobody, and must not keep the others. */
  private redacted(org: Uuid, key: string, answer: string, subject: Uuid): string | undefined {
    let opened: RecordedAnswer;
    try {
      opened = this.opened(org, key, answer);
    } catch {
      return undefined;
    }
    return this.vault.sealRecord(org, recordName(key), this.redactor.redact(org, opened, subject));
  }

  /** Lets a repeat run the request again, with its first time and command id, after a temporary failure. */
  async allowRetry(lease: KeyLease): Promise<void> {
    await this.pool.query({
      name: 'idempotency-let-repeat',
      text: `update idempotency_keys set running_until = null, lease = null ${OF_LEASE}`,
      values: valuesOf(lease),
    });
  }

  /** Frees the key of a malformed request. */
  async forget(lease: KeyLease): Promise<void> {
    await this.pool.query({
      name: 'idempotency-forget',
      text: `delete from idempotency_keys ${OF_LEASE}`,
      values: valuesOf(lease),
    });
  }
}

/** Selects the row of a run that still has the key. */
const OF_LEASE = 'where org = $1 and key = $2 and lease = $3 and answer is null';
const valuesOf = ({ org, key, id }: KeyLease): string[] => [org, key, id];

const UNREADABLE =
  'The request was executed, but the answer recorded for this Idempotency-Key does not open: it was changed in the database, or sealed with another MASTER_KEY. Read what the request did; a new key would do it again.';

const recordName = (key: string): string => `idempotency-key ${key}`;

/** Port that finds and removes personal data in recorded answers. */
export interface AnswerRedactor {
  /** Returns the data subjects that the answer names. */
  subjectsIn(org: Uuid, answer: unknown): Uuid[];
  /** Returns those whose data was erased. An erasure redacts answers after it has become visible here. */
  erasedAmong(org: Uuid, subjects: readonly Uuid[]): Promise<readonly Uuid[]>;
  /** Returns the answer without the data of the subject. */
  redact<Answer>(org: Uuid, answer: Answer, subject: Uuid): Answer;
}

/** Holds the redactor that a module registers; without one, answers have no personal data. */
export class AnswerPrivacy implements AnswerRedactor {
  #redactor: AnswerRedactor = {
    subjectsIn: () => [],
    erasedAmong: async () => [],
    redact: (_, answer) => answer,
  };

  register(redactor: AnswerRedactor): void {
    this.#redactor = redactor;
  }

  subjectsIn(org: Uuid, answer: unknown): Uuid[] {
    return this.#redactor.subjectsIn(org, answer);
  }

  erasedAmong(org: Uuid, subjects: readonly Uuid[]): Promise<readonly Uuid[]> {
    return this.#redactor.erasedAmong(org, subjects);
  }

  redact<Answer>(org: Uuid, answer: Answer, subject: Uuid): Answer {
    return this.#redactor.redact(org, answer, subject);
  }
}
