import { nameInPart, SHARED_PART } from '../src/audit/evidence/domain/bundle-format.js';
import { RefusedBundle } from './refused-bundle.js';
import type { VerifiedPart } from './verify-part.js';

/** Verifies one part after the other; another thread can be one. */
export interface PartWorker {
  verify(part: number): Promise<VerifiedPart>;
}

/**
 * Lets workers verify the parts of a bundle: each takes the next unverified part.
 * @throws the error of the lowest failed part, as a single worker would
 */
export async function verifyParts(workers: readonly PartWorker[], parts: number): Promise<VerifiedPart[]> {
  const verified: VerifiedPart[] = [];
  const failed = new Map<number, unknown>();
  let next = SHARED_PART + 1;
  const work = async (worker: PartWorker): Promise<void> => {
    while (next <= parts && failed.size === 0) {
      const part = next++;
      try {
        verified[part - 1] = await worker.verify(part);
      } catch (error) {
        failed.set(part, error);
      }
    }
  };
  await Promise.all(workers.map(work));
  if (failed.size > 0) throw failed.get(Math.min(...failed.keys()));
  let last: VerifiedPart['last'];
  for (const [index, found] of verified.entries()) {
    if (last !== undefined && found.first !== undefined && found.first <= last) {
      throw new RefusedBundle(
        `${nameInPart('events', index + 1)}: customer ${found.first} comes after ${last}`,
      );
    }
    last = found.last ?? last;
  }
  return verified;
}
