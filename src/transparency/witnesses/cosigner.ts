import { Injectable } from '@nestjs/common';
import { askPeer, PeerUnavailable } from '../ask-peer.js';
import { SignedCheckpointFiles } from '../signed-checkpoint-files.js';
import type { SignedCheckpoint } from '../checkpoint-rows.js';
import { SignedCheckpoints } from '../signed-checkpoints.js';
import { formatAddCheckpoint, parseCosignedSize } from '../domain/add-checkpoint.js';
import { cosignatureBy, type Cosignature } from '../domain/cosignature.js';
import { MalformedText, parseNote } from '../domain/note.js';
import { TileTooShort } from '../domain/tiles.js';
import { verifyEd25519 } from '../signing-keys.js';
import { TreeReader } from '../tree-reader.js';
import { Cosignatures } from './cosignatures.js';
import type { Witness } from './witnesses.js';

const TIMEOUT_MS = 10_000;
/** Number of tries: a witness that answers 409 again has cosigned for another process in between. */
const MAX_TRIES = 3;
/** Largest difference of a witness's clock. A cosignature is stored for ever, so its time must be right. */
const FARTHEST_SECONDS = 3_600;

/**
 * A checkpoint has no cosignature of a witness. The message is a sentence for the operator that names no
 * organization.
 */
export class NotCosigned extends Error {
  override readonly name = 'NotCosigned';
  constructor(
    { key }: Witness,
    what: string,
    /** True when the witness does not answer at all; false when it refuses this checkpoint. */
    readonly isAway = false,
  ) {
    super(`The witness ${key.name} ${what} Checkpoints are signed without its cosignature.`);
  }
}

/** Asks witnesses for cosignatures of a checkpoint (C2SP tlog-witness), and stores the valid ones. */
@Injectable()
export class Cosigner {
  constructor(
    private readonly checkpoints: SignedCheckpoints,
    private readonly reader: TreeReader,
    private readonly cosignatures: Cosignatures,
    private readonly files: SignedCheckpointFiles,
  ) {}

  /**
   * Gets the cosignature of a witness for a checkpoint; does nothing when a newer checkpoint has been signed
   * and cosigned meanwhile.
   * @throws NotCosigned
   */
  async cosign(
    witness: Witness,
    kept: SignedCheckpoint,
    stopping: AbortSignal,
    withinMs = TIMEOUT_MS,
  ): Promise<void> {
    const size = Number(kept.size);
    let oldSize = Math.min(size, await this.cosignatures.cosignedSize(kept.org, witness.id));
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { status, body } = await this.ask(witness, kept, oldSize, stopping, withinMs);
      if (status === 200) return this.keep(witness, kept, body);
      if (status !== 409) throw new NotCosigned(witness, refusalOf(status), status >= 500 || status === 429);
      oldSize = cosignedSize(witness, body);
      if (oldSize > size) {
        if ((await this.checkpoints.newest(kept.org))?.number !== kept.number) return;
        throw new NotCosigned(witness, IS_AHEAD);
      }
    }
    throw new NotCosigned(witness, 'answers 409 again and again; it is asked again.');
  }

  private async ask(
    witness: Witness,
    { org, note, size }: SignedCheckpoint,
    oldSize: number,
    stopping: AbortSignal,
    withinMs: number,
  ) {
    try {
      const proof = await this.reader.consistency(org, oldSize, Number(size));
      const body = formatAddCheckpoint({ oldSize, proof, note });
      const request = { method: 'POST', url: `${witness.url}/add-checkpoint`, body, withinMs } as const;
      return await askPeer(
        { ...request, headers: { 'Content-Type': 'text/plain; charset=utf-8' } },
        stopping,
      );
    } catch (error) {
      if (error instanceof PeerUnavailable) {
        throw new NotCosigned(witness, `${error.message}; it is asked again.`, true);
      }
      if (error instanceof TileTooShort) throw new NotCosigned(witness, NO_PROOF);
      throw error;
    }
  }

  private async keep(witness: Witness, kept: SignedCheckpoint, lines: string): Promise<void> {
    const cosignature = cosignatureIn(witness, kept.note, lines);
    await this.cosignatures.add(kept, witness.id, cosignature.line);
    await this.files.write(kept);
  }
}

/** @throws NotCosigned when no line has a valid one */
function cosignatureIn(witness: Witness, note: string, lines: string): Cosignature {
  let cosignature: Cosignature | undefined;
  try {
    cosignature = cosignatureBy(parseNote(note + lines), witness.key, verifyEd25519);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw new NotCosigned(witness, `answered what is no cosignature of it: ${error.message}.`);
  }
  if (!cosignature) throw new NotCosigned(witness, OTHER_KEY);
  if (Math.abs(cosignature.time - Date.now() / 1_000) > FARTHEST_SECONDS) {
    throw new NotCosigned(witness, OTHER_TIME);
  }
  return cosignature;
}

/** @throws NotCosigned */
function cosignedSize(witness: Witness, body: string): number {
  try {
    return parseCosignedSize(body);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw new NotCosigned(witness, `answered 409 without a size: ${error.message}.`);
  }
}

const refusalOf = (status: number): string =>
  ({
    403: 'knows other keys of the log (403): give it the verifier key that GET /api/audit/keys/ lists as current.',
    404: 'does not know the log (404): give it the verifier key that GET /api/audit/keys/ lists.',
    422: 'has cosigned another tree of the log (422): compare the database and the log with a backup and with kept checkpoints.',
  })[status] ?? `answered ${status}; it is asked again.`;

const IS_AHEAD =
  'has cosigned a larger tree of the log than there is: compare the database and the log with a backup and with kept checkpoints.';
const NO_PROOF = 'gets no proof, as the hashes kept of the tree contradict each other.';
const OTHER_KEY = 'cosigned with another key than AUDIT_WITNESSES gives: give its key of today.';
const OTHER_TIME =
  'cosigned for a time that is over an hour from the clock of this machine: set the wrong clock right.';
