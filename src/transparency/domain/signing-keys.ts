import type { IssuedCommand } from '../../kernel/decider.js';
import type { SigningKeyEvent } from './events.js';

/** Public keys in base64, the newest first; none before the first checkpoint. */
type KnownKeys = readonly string[];

interface UseKeys {
  readonly type: 'UseKeys';
  readonly publicKeys: KnownKeys;
}

const decide = ({ publicKeys }: IssuedCommand<UseKeys>, known: KnownKeys): readonly SigningKeyEvent[] =>
  JSON.stringify(known) === JSON.stringify(publicKeys)
    ? []
    : [{ type: 'SigningKeysChanged', data: { publicKeys } }];

/** Id of the one stream of signing keys of an organization, `organization-{org}.signing-keys`. */
export const SIGNING_KEYS = 'signing-keys';

export const signingKeysDecider = {
  category: 'organization' as const,
  initial: (): KnownKeys => [],
  decide,
  evolve: (_: KnownKeys, { data }: SigningKeyEvent): KnownKeys => data.publicKeys,
};
