import { Injectable } from '@nestjs/common';
import { fromWireId, type Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import { isEqual } from './domain/bytes.js';
import { parseCheckpoint } from './domain/checkpoint.js';
import { MalformedText, noteKey, parseNote, signaturesBy } from './domain/note.js';
import { sha256 } from './sha256.js';
import { SigningKeys, verifyEd25519 } from './signing-keys.js';

interface Row {
  readonly org: Uuid;
  readonly number: string;
  readonly size: string;
  readonly root: Buffer;
  readonly note: string;
  readonly made_at: Instant;
}

/** Number of checkpoints read by one statement. */
const PAGE = 1_000;

/** Checks that the stored checkpoints are as they were signed, and that none of them is missing. */
@Injectable()
export class CheckpointAudit {
  constructor(
    private readonly database: Database,
    private readonly keys: SigningKeys,
  ) {}

  /** Returns a sentence for each checkpoint that is not as it was signed, and for each gap. */
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
    return found;
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
