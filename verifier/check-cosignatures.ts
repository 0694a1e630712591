import { hash } from 'node:crypto';
import {
  cosignatureBy,
  parseWitnessKey,
  shownTime,
  type Cosignature,
} from '../src/transparency/domain/cosignature.js';
import { parseNote, type NoteKey, type VerifyEd25519 } from '../src/transparency/domain/note.js';
import { RefusedBundle } from './refused-bundle.js';

/** Checks cosignatures of the witnesses that an auditor trusts. */
export class CosignatureChecker {
  readonly #witnesses: readonly NoteKey[];

  /** @throws MalformedText for a key of another kind */
  constructor(
    keys: readonly string[],
    private readonly verifyEd25519: VerifyEd25519,
  ) {
    this.#witnesses = keys.map((key) => parseWitnessKey((bytes) => hash('sha256', bytes, 'buffer'), key));
  }

  /**
   * Returns the cosignatures of all witnesses below the checkpoint of a bundle.
   * @param note undefined: the bundle has no checkpoint
   * @throws RefusedBundle for a missing one, MalformedText for a wrong one
   */
  required(note: string | undefined): Cosignature[] {
    if (this.#witnesses.length > 0 && note === undefined) {
      throw new RefusedBundle('checkpoint.jsonl: the bundle has no checkpoint that witnesses could cosign');
    }
    return this.#witnesses.map((witness) => {
      const cosignature = cosignatureBy(parseNote(note!), witness, this.verifyEd25519);
      if (cosignature) return cosignature;
      throw new RefusedBundle(
        `checkpoint: no cosignature of the witness ${witness.name} with the key id ${witness.id}`,
      );
    });
  }

  /**
   * Checks the cosignatures of a kept checkpoint. It may be older than its witnesses, but has no wrong one.
   * @throws MalformedText
   */
  requireNoneWrong(kept: string): void {
    for (const witness of this.#witnesses) cosignatureBy(parseNote(kept), witness, this.verifyEd25519);
  }
}

/** Describes a cosignature in one sentence. */
export const sentenceOf = (cosignature: Cosignature): string =>
  `${cosignature.witness} at ${shownTime(cosignature)}`;
