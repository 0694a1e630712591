import type { DomainEvent, EventSentences } from '../../kernel/event.js';

/** The keys that sign the checkpoints of an organization from now on. */
export type SigningKeyEvent = DomainEvent<
  'SigningKeysChanged',
  {
    /** Ed25519 public keys in base64, the newest first. */
    readonly publicKeys: readonly string[];
  }
>;

/** Sentences of the audit log, one per event type. */
export const SIGNING_KEY_EVENT_SENTENCES: EventSentences<SigningKeyEvent> = {
  SigningKeysChanged: 'The keys that sign checkpoints were changed.',
};
