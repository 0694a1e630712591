import { Injectable } from '@nestjs/common';
import { fromWireId, type Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import { isEqual } from './domain/bytes.js';
import { parseCheckpoint } from './domain/checkpoint.js';
import { cosignatureBy, isCosignature } from './domain/cosignature.js';
import { MalformedText, noteKey, parseNote, signaturesBy } from './domain/note.js';
import { sha256 } from './sha256.js';
import { SigningKeys, verifyEd25519 } from './signing-keys.js';
import { Witnesses } from './witnesses/witnesses.js';

interface Row {
  readonly org: Uuid;
  readonly number: string;
  readonly size: string;
  readonly root: Buffer;
  readonly note: string;
  readonly made_at: Instant;
}

interface CosignatureRow {
  readonly org: Uuid;
  readonly number: string;
  readonly witness: string;
  readonly line: string;
  /** Null for a checkpoint that is not there. */
  readonly note: string | null;
}

/** Number of rows read by one statement. */
const PAGE = 1_000;

/** Checks that the stored checkpoints and cosignatures are as they were signed, and that no checkpoint is missing. */
@Injectable()
export class SignedCheckpointAudit {
  constructor(
    private readonly database: Database,
    private readonly keys: SigningKeys,
    private readonly witnesses: Witnesses,
  ) {}

  /** Returns a sentence for each checkpoint and cosignature that is not as it was signed, and for each gap. */
  async differences(): Promise<string[]> {
    const found: string[] = [];
    const publicKeys = (await this.keys.recorded()).map(({ public_key: key }) => key);
    let before: Row | undefined;
    for await (const row of this.rows()) {
      const faults = [
        faultOf(row, publicKeys),
        faultOfOrder(row, before?.org === row.org ? before : undefined),
      ];
      for (const fault of faults) {
        if (fault !== undefined) found.push(`checkpoint ${row.number} of organization ${row.org}: ${fault}`);
      }
      before = row;
    }
    for await (const row of this.cosignatures()) {
      const fault = this.faultOfCosignature(row);
      if (fault === undefined) continue;
      const { org, number, witness } = row;
      found.push(`cosignature of ${witness} for checkpoint ${number} of organization ${org}: ${fault}`);
    }
    return found;
  }

  /** The signature of a witness is checked where `AUDIT_WITNESSES` has its key. */
  private faultOfCosignature({ witness, line, note }: CosignatureRow): string | undefined {
    if (note === null) return 'there is no such checkpoint';
    if (!isCosignature(line)) return 'its line is no cosignature, and is left out of notes: delete the row';
    const { signatures } = parseNote(`-\n\n${line}`);
    if (`${signatures[0]!.name}+${signatures[0]!.keyId}` !== witness) return 'its line is of another witness';
    const known = this.witnesses.all.find(({ id }) => id === witness);
    try {
      if (known) cosignatureBy(parseNote(note + line), known.key, verifyEd25519);
      return undefined;
    } catch (error) {
      if (error instanceof MalformedText) return `the witness has not made it: ${error.message}`;
      throw error;
    }
  }

  private async *cosignatures(): AsyncGenerator<CosignatureRow> {
    let after: readonly [Uuid | null, string, string] = [null, '0', ''];
    for (;;) {
      const { rows }: { rows: CosignatureRow[] } = await this.database.pool.query<CosignatureRow>(
        `select s.org, s.number, s.witness, s.line, c.note
          from transparency_cosignatures s left join transparency_checkpoints c using (org, number)
          where $1::uuid is null or (s.org, s.number, s.witness) > ($1, $2::bigint, $3)
          order by s.org, s.number, s.witness limit ${PAGE}`,
        [...after],
      );
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return;
      after = [last.org, last.number, last.witness];
    }
  }

  private async *rows(): AsyncGenerator<Row> {
    let after: readonly [Uuid | null, string] = [null, '0'];
    for (;;) {
      const { rows }: { rows: Row[] } = await this.database.pool.query<Row>(
        `select org, number, size, root, note, made_at from transparency_checkpoints
          where $1::uuid is null or (org, number) > ($1, $2::bigint) order by org, number limit ${PAGE}`,
        [...after],
      );
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return;
      after = [last.org, last.number];
    }
  }
}

function faultOf({ org, size, root, note }: Row, publicKeys: readonly Buffer[]): string | undefined {
  try {
    const parsed = parseNote(note);
    const signed = parseCheckpoint(parsed.text);
    if (fromWireId('org', signed.origin.split('/').at(-1)!) !== org) {
      return 'its note is of another organization';
    }
    if (signed.size !== Number(size)) return `its note has ${signed.size} leaves, its row ${size}`;
    if (!isEqual(signed.root, root)) return 'its note has another root than its row';
    const keys = publicKeys.map((key) => noteKey(sha256, signed.origin, key));
    if (signaturesBy(parsed, keys, verifyEd25519).length > 0) return undefined;
    return 'no key of the service has signed its note';
  } catch (error) {
    if (error instanceof MalformedText) return `its note is not as it was signed: ${error.message}`;
    throw error;
  }
}

function faultOfOrder({ number, size, made_at: madeAt }: Row, before: Row | undefined): string | undefined {
  const expected = Number(before?.number ?? 0) + 1;
  if (Number(number) !== expected) return `checkpoint ${expected} is missing before it`;
  if (!before) return undefined;
  if (Number(size) <= Number(before.size))
    return 'its tree is not larger than that of the checkpoint before it';
  return madeAt < before.made_at ? 'it was made before the checkpoint before it' : undefined;
}
