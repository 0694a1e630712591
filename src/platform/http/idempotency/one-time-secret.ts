/** A secret in an answer: it reaches the caller, and a recorded answer has null in its place. */
export class OneTimeSecret {
  constructor(private readonly secret: string) {}

  toJSON(): string {
    return this.secret;
  }
}

/** For JSON.stringify: what may be kept of an answer. */
export function withoutSecrets(this: Record<string, unknown>, field: string, value: unknown): unknown {
  return this[field] instanceof OneTimeSecret ? null : value;
}
