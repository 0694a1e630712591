/** A bundle that is refused: nothing of it is believed. The message says where and why. */
export class RefusedBundle extends Error {
  override readonly name = 'RefusedBundle';
}

/**
 * Applies the pure core to evidence. Only what was never recorded makes it throw, as nothing stated in a bundle without
 * proofs has to be well-formed.
 * @throws RefusedBundle with the place
 */
export function refusedAt<Result>(place: string, apply: () => Result): Result {
  try {
    return apply();
  } catch (error) {
    if (error instanceof RefusedBundle) throw error;
    throw new RefusedBundle(`${place}: ${(error as Error).message}`, { cause: error });
  }
}
