import type { Caller } from './caller.js';

/** Who holds which API key. Its owner is the organization module; a revoked or expired key is unknown at once. */
export abstract class ApiKeyDirectory {
  abstract find(key: string): Promise<Caller | undefined>;
}
