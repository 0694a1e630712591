import { assertNever, type IssuedCommand } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { ApiKeyEvent, RecordedApiKey } from './events.js';

/** Recorded key; `isTakenIn` of one from before the events of keys. */
interface RecordedKeyState {
  readonly created?: RecordedApiKey;
  readonly isTakenIn?: boolean;
  readonly isRevoked: boolean;
}

/** Recorded keys of an organization by id. */
export type RecordedApiKeys = ReadonlyMap<Uuid, RecordedKeyState>;

type ApiKeyCommand =
  | { readonly type: 'CreateKey'; readonly key: RecordedApiKey }
  | { readonly type: 'RevokeKey'; readonly keyId: Uuid }
  | { readonly type: 'ReplaceKey'; readonly keyId: Uuid; readonly successor: RecordedApiKey }
  /** Records keys of earlier releases, before any other event of the stream. */
  | { readonly type: 'ImportKeys'; readonly keys: readonly RecordedApiKey[] };

function decide(command: IssuedCommand<ApiKeyCommand>, state: RecordedApiKeys): readonly ApiKeyEvent[] {
  switch (command.type) {
    case 'CreateKey': {
      const { key } = command;
      return state.has(key.keyId) ? [] : [{ type: 'ApiKeyCreated', data: { ...key, replaces: null } }];
    }
    case 'RevokeKey': {
      const { keyId } = command;
      return state.get(keyId)?.isRevoked
        ? []
        : [{ type: 'ApiKeyRevoked', data: { keyId, replacedBy: null } }];
    }
    case 'ReplaceKey': {
      const { keyId, successor } = command;
      if (state.get(keyId)?.isRevoked) throw unusableKey();
      return [
        { type: 'ApiKeyRevoked', data: { keyId, replacedBy: successor.keyId } },
        { type: 'ApiKeyCreated', data: { ...successor, replaces: keyId } },
      ];
    }
    case 'ImportKeys':
      if ([...state.values()].some(({ isTakenIn, isRevoked }) => !isTakenIn || isRevoked)) return [];
      return command.keys
        .filter(({ keyId }) => !state.has(keyId))
        .map((key) => ({ type: 'ApiKeyCreated', data: { ...key, replaces: null, takenIn: true } }));
    default:
      return assertNever(command);
  }
}

function evolve(state: RecordedApiKeys, event: ApiKeyEvent): RecordedApiKeys {
  const keys = new Map(state);
  switch (event.type) {
    case 'ApiKeyCreated': {
      const { replaces: _replaces, takenIn, ...created } = event.data;
      return keys.set(created.keyId, { created, isRevoked: false, ...(takenIn && { isTakenIn: true }) });
    }
    case 'ApiKeyRevoked':
      return keys.set(event.data.keyId, { ...keys.get(event.data.keyId), isRevoked: true });
    default:
      return assertNever(event);
  }
}

export const unusableKey = (): DomainError =>
  new DomainError('invalid_state', 'The key is revoked or has expired. Create a new one.');

/** Id of the stream of keys of an organization, `organization-{org}.keys`. */
export const KEYS = 'keys';

export const apiKeysDecider = {
  category: 'organization' as const,
  initial: (): RecordedApiKeys => new Map(),
  decide,
  evolve,
};
