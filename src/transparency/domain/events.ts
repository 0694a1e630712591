import type { DomainEvent } from '../../kernel/event.js';

/** The keys that sign the checkpoints of an organization from now on. */
export type SigningKeyEvent = DomainEvent<
  'SigningKeysChanged',
  {
    /** Ed25519 public keys in base64, the newest first. */
    readonly publicKeys: readonly string[];
  }
>;
