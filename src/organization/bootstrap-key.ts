import { timingSafeEqual } from 'node:crypto';
import { namedId } from '../kernel/ids.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { hashOf } from './api-keys/key-text.js';

/** Ids that requests with the bootstrap key are recorded under: it belongs to no organization. */
const BOOTSTRAP: Caller = {
  org: namedId('recount:bootstrap'),
  keyId: namedId('recount:bootstrap-key'),
  scope: 'bootstrap',
};

/** Checks the setting BOOTSTRAP_KEY, which allows to create and list organizations and nothing else. */
export class BootstrapKey {
  readonly #hash: Buffer | undefined;

  constructor(key: string | undefined) {
    this.#hash = key === undefined ? undefined : hashOf(key);
  }

  /** Compares hashes in constant time, so the time of an answer reveals nothing about the key. */
  find(key: string): Caller | undefined {
    return this.#hash && timingSafeEqual(this.#hash, hashOf(key)) ? BOOTSTRAP : undefined;
  }
}
