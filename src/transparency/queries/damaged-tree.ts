import { DomainError } from '../../kernel/errors.js';
import { TileTooShort } from '../domain/tiles.js';

/** Refusal of a proof from stored hashes that are not those of the tree. */
export const damagedTree = (): DomainError =>
  new DomainError(
    'conflict',
    'The stored hashes of the tree contradict each other. Ask the operator to run recount doctor.',
  );

/**
 * Reads hashes of a tree.
 * @throws DomainError `conflict` where some are missing, as in a damaged tree, or while it is built anew
 */
export async function fromWholeTree<Hashes>(read: () => Promise<Hashes>): Promise<Hashes> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof TileTooShort ? damagedTree() : error;
  }
}
