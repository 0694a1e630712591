import { timingSafeEqual } from 'node:crypto';
import { namedId } from '../kernel/ids.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { hashOf } from './api-keys/key-text.js';

/** Belongs to no organization: what it did is recorded under ids of its own. */
const BOOTSTRAP: Caller = {
  org: namedId('recount:bootstrap'),
  keyId: namedId('recount:bootstrap-key'),
  scope: 'bootstrap',
};

/** The setting BOOTSTRAP_KEY: creates and lists organizations, and can do nothing else. */
export class BootstrapKey {
  readonly #hash: Buffer | undefined;

  constructor(key: string | undefined) {
    this.#hash = key === undefined ? undefined : hashOf(key);
  }

  /** Compares hashes of equal length in constant time, so that an answer's delay tells nothing about the key. */
  find(key: string): Caller | undefined {
    return this.#hash && timingSafeEqual(this.#hash, hashOf(key)) ? BOOTSTRAP : undefined;
  }
}
