/** A bundle was refused: none of it is proven. The message says where and why. */
export class RefusedBundle extends Error {
  override readonly name = 'RefusedBundle';
}

/**
 * Applies the pure core to evidence. Any error means that the evidence was never recorded, because a bundle
 * without proofs may be malformed.
 * @throws RefusedBundle with the location
 */
export function refusedAt<Result>(location: string, apply: () => Result): Result {
  try {
    return apply();
  } catch (error) {
    if (error instanceof RefusedBundle) throw error;
    throw new RefusedBundle(`${location}: ${(error as Error).message}`, { cause: error });
  }
}

export const tooMuch = (location: string, held: string, limit: number): RefusedBundle =>
  new RefusedBundle(`${location}: the ${held} has over ${limit} characters`);
