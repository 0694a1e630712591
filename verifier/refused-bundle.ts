/** A bundle was refused: none of it is proven. The message says where and why. */
export class RefusedBundle extends Error {
  override readonly name = 'RefusedBundle';
}

/**
 * Applies the pure core to evidence. Any error means that the evidence was never recorded, because a bundle
 * without proofs may be malformed.
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

export const tooMuch = (place: string, held: string, limit: number): RefusedBundle =>
  new RefusedBundle(`${place}: the ${held} has over ${limit} characters`);
