import { contentHash } from '../../kernel/canonical-json.js';
import { never, type Decider, type Issued } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { AddonEvent, PublishedVersion } from './events.js';
import type { PriceContent } from './price-content.js';

export const INVOICE_WHEN = ['invoice_on_attach', 'invoice_on_subscription_end'] as const;
export const BILLING_FREQUENCIES = ['one_time', 'recurring'] as const;

/** What an add-on charges and grants. It never changes; its prices are hashed as those of a plan's version are. */
export interface AddonVersion {
  readonly versionId: Uuid;
  readonly content: PriceContent;
  readonly contentHash: string;
  readonly features: PublishedVersion['features'];
  /** When what it charges in advance is invoiced. */
  readonly invoiceWhen: (typeof INVOICE_WHEN)[number];
  /** Whether its charges come once, or in every period, also of renewals. */
  readonly billingFrequency: (typeof BILLING_FREQUENCIES)[number];
  readonly createdAt: Instant;
}

/** What a subscription can have besides its plan. */
export interface Addon {
  readonly addonId: Uuid;
  readonly name: string;
  readonly description: string | null;
  readonly version: AddonVersion;
}

export type AddonState = Addon | undefined;

export type AddonDraft = Omit<Addon, 'version'> & {
  readonly version: Omit<AddonVersion, 'contentHash' | 'createdAt'>;
};

export type AddonCommand = { readonly kind: 'define' } & AddonDraft;

/** Stream `addon-{org}.{addonId}`. */
export const addonAggregate = {
  category: 'addon',
  initial: (): AddonState => undefined,
  decide,
  evolve,
} as const satisfies Decider<AddonState, AddonCommand, AddonEvent> & { category: 'addon' };

/** With components it is usage_based, else flat (api-completed.md section 3). */
export const addonTypeOf = ({ components }: Pick<PriceContent, 'components'>): 'usage_based' | 'flat' =>
  components.length > 0 ? 'usage_based' : 'flat';

function decide(command: Issued<AddonCommand>, state: AddonState): readonly AddonEvent[] {
  if (state) throw new DomainError('invalid_state', 'This add-on is defined already.');
  const { addonId, name, description, version, now: createdAt } = command;
  requireUnits(version.content);
  const published = { ...version, contentHash: contentHash(version.content), createdAt };
  return [{ type: 'AddonDefined', data: { addonId, name, description, version: published } }];
}

/** Nobody is asked for units when an add-on is attached (billing.md section 6). */
function requireUnits({ components }: PriceContent): void {
  if (components.every(({ prepaid }) => prepaid?.units !== null)) return;
  throw new DomainError(
    'prepayment_cant_determine_units',
    'Give units to every prepaid_charge of an add-on.',
  );
}

function evolve(_: AddonState, event: AddonEvent): AddonState {
  switch (event.type) {
    case 'AddonDefined':
      return event.data;
    default:
      return never(event.type);
  }
}
