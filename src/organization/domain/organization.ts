import { type IssuedCommand, assertNever } from '../../kernel/decider.js';
import { contentHash } from '../../kernel/canonical-json.js';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { SettingsEvent, Settings } from './events.js';

/** State of the stream; undefined until the organization is created. */
export type Organization = Settings | undefined;

type OrganizationCommand =
  | { readonly type: 'CreateOrganization'; readonly settings: Settings }
  | { readonly type: 'ChangeSettings'; readonly changes: Partial<Settings> };

/** Settings of a new organization (docs/contract.md#organization). */
export const FIRST_SETTINGS: Settings = {
  name: 'My organization',
  defaultCurrency: 'USD',
  timezone: 'UTC',
  taxRate: null,
  address: null,
  email: null,
  phone: null,
  paymentGraceDays: null,
  lateEventGraceMinutes: 30,
  subscriptionFilterKeys: [],
  featureAccessPolicy: 'any',
  prorationBasis: 'second',
};

function decide(command: IssuedCommand<OrganizationCommand>, state: Organization): readonly SettingsEvent[] {
  switch (command.type) {
    case 'CreateOrganization':
      return state ? [] : [{ type: 'OrganizationCreated', data: { settings: command.settings } }];
    case 'ChangeSettings': {
      if (!state) throw new DomainError('not_found', unknownId('organization'));
      const changes = changedSettings(state, command.changes);
      return Object.keys(changes).length === 0 ? [] : [{ type: 'SettingsChanged', data: { changes } }];
    }
    default:
      return assertNever(command);
  }
}

function evolve(state: Organization, event: SettingsEvent): Organization {
  switch (event.type) {
    case 'OrganizationCreated':
      return event.data.settings;
    case 'SettingsChanged':
      return { ...(state ?? FIRST_SETTINGS), ...event.data.changes };
    default:
      return assertNever(event);
  }
}

/** Settings of invoice documents that were never set. */
const UNSET: Readonly<Record<string, unknown>> = { taxIds: [] };

/** Returns the settings that change. Without a change no event is appended: the revision is an input of every invoice. */
function changedSettings(state: Settings, changes: Partial<Settings>): Partial<Settings> {
  const differing = Object.entries(changes).filter(
    ([name, value]) =>
      contentHash(value) !== contentHash(state[name as keyof Settings] ?? UNSET[name] ?? null),
  );
  return Object.fromEntries(differing);
}

/** Id of the settings stream of an organization, `organization-{org}.settings`. */
export const SETTINGS = 'settings';

export const organizationDecider = {
  category: 'organization' as const,
  initial: (): Organization => undefined,
  decide,
  evolve,
};
